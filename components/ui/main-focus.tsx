'use client';

import { usePathname } from 'next/navigation';
import { useEffect } from 'react';

let isLoaded = false;

/**
 * Moves the focus to the new page's content if navigation hid the link that had it. Next keeps the page that was left, hidden and
 * behind the new one: Tab would continue from there and skip all of the new page (WCAG 2.4.3).
 */
export function MainFocus() {
  const pathname = usePathname();
  useEffect(() => {
    const { activeElement, body } = document;
    const isLost = activeElement === body || !activeElement?.getClientRects().length;
    if (isLoaded && pathname && isLost) document.getElementById('main')?.focus({ preventScroll: true });
    isLoaded = true;
  }, [pathname]);
  return null;
}
