'use client';

import { useEffect, useState } from 'react';
import type { PrerenderedDocument } from './capture.ts';
import { whenReady } from './load-tracker.ts';

/**
 * The click ID for a form that needs it up front, such as Clerk's: undefined while a click is in flight, for 2 s at most, then
 * the ID, or null if there is none. It follows the cookie while the form is open: a slow click, one from another tab, consent
 * given or withdrawn.
 * @example
 * ```tsx
 * 'use client';
 * import { SignUp } from '@clerk/nextjs';
 * import { useClickId } from '@svc/tracker';
 *
 * export function SignUpForm() {
 *   const clickId = useClickId();
 *   return clickId === undefined ? null : <SignUp unsafeMetadata={{ svc_click_id: clickId }} />;
 * }
 * ```
 */
export function useClickId(): string | null | undefined {
  const [clickId, setClickId] = useState<string | null>();
  useEffect(() => watchClickId(setClickId), []);
  return clickId;
}

/**
 * Reports the click ID, or null until it is known, and each change; on a prerendered page once it is shown.
 * @returns a function that stops it
 */
export function watchClickId(report: (clickId: string | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWatched = true;
  let last: string | null | undefined;
  const look = async (second: number) => {
    // A failed click is retried after 1, 2, 4, 8 and 16 s, then every 30 s.
    const isRetry = second % 30 === 0 || [1, 2, 4, 8, 16].includes(second);
    const clickId = isRetry ? await whenReady() : (window.svcCapture?.getClickId() ?? null);
    if (!isWatched) return;
    if (clickId !== last) report((last = clickId));
    timer = setTimeout(() => look(second + 1), 1_000);
  };
  // On a prerendered page there is no click to wait for until it is shown.
  if ((document as PrerenderedDocument).prerendering) {
    document.addEventListener('prerenderingchange', () => look(0), { once: true });
  } else void look(0);
  return () => {
    isWatched = false;
    clearTimeout(timer);
  };
}
