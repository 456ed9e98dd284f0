'use client';

import { useEffect, useState } from 'react';
import { whenReady } from './load-tracker.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * The click ID for a form that takes it before it is sent, such as Clerk's: undefined while a click is in flight, for 2 s at the
 * most, then the ID, or null where there is none. A click that arrives later replaces the null, so a slow service loses none.
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

/** Reports the click ID once it is known, or null until then. @returns ends it */
export function watchClickId(report: (clickId: string | null) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWatched = true;
  const look = async (pauseMs: number) => {
    const clickId = await whenReady(); // tries a failed click again
    if (!isWatched) return;
    report(clickId);
    if (clickId) return;
    timer = setTimeout(() => look(Math.min(2 * pauseMs, LONGEST_PAUSE_MS)), pauseMs);
  };
  void look(FIRST_PAUSE_MS);
  return () => {
    isWatched = false;
    clearTimeout(timer);
  };
}
