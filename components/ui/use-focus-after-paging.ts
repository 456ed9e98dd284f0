'use client';

import { useEffect, useRef } from 'react';

/**
 * Moves the focus once another page of a list is shown, because the link that had it may be gone.
 * @param find the list, as soon as it is shown
 * @returns for the links' `onNavigate`
 */
export function useFocusAfterPaging(find: () => Element | null | undefined): () => void {
  const isPaging = useRef(false);
  useEffect(() => {
    if (!isPaging.current) return;
    isPaging.current = false;
    const list = find();
    if (list instanceof HTMLElement) list.focus();
  });
  return () => {
    isPaging.current = true;
  };
}
