'use client';

import { useEffect } from 'react';

/** Scrolls to what the address names, and focuses it. After a link, Next looks for it only while the skeleton is shown. */
export function HashFocus() {
  useEffect(() => {
    const named = document.getElementById(window.location.hash.slice(1));
    if (!named) return;
    named.tabIndex = -1;
    named.scrollIntoView();
    named.focus({ preventScroll: true });
  }, []);
  return null;
}
