'use client';

import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import type { TrackerConfig } from './capture.ts';
import { currentTracker, loadTracker, whenLoaded } from './load-tracker.ts';
import type { Tracker } from './tracker.ts';

/**
 * Starts the tracker in the browser and captures the click; on the server it does nothing. Put it around your app once.
 * @example
 * ```tsx
 * import { TrackerProvider } from '@svc/tracker';
 *
 * export function Providers({ children }: { children: React.ReactNode }) {
 *   return <TrackerProvider programId="<PROGRAM_ID>">{children}</TrackerProvider>;
 * }
 * ```
 */
export function TrackerProvider({ programId, baseUrl, children }: TrackerConfig & { children?: ReactNode }) {
  useEffect(() => {
    void loadTracker({ programId, baseUrl }); // once a page, however often effects run
  }, [programId, baseUrl]);
  return children;
}

/**
 * The tracker, or null on the server and until it has loaded.
 * @example
 * ```tsx
 * 'use client';
 * import { useTracker } from '@svc/tracker';
 *
 * export function ClickId() {
 *   const tracker = useTracker();
 *   return <code>{tracker?.getClickId() ?? 'no click'}</code>;
 * }
 * ```
 */
export function useTracker(): Tracker | null {
  return useSyncExternalStore(subscribe, currentTracker, () => null);
}

/** It changes once, from null to the tracker, and a component that has gone by then does not mind. */
function subscribe(onChange: () => void) {
  void whenLoaded().then(onChange);
  return () => {};
}
