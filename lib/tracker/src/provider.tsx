'use client';

import { type ReactElement, type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { currentTracker, loaded, loadTracker } from './load-tracker.ts';
import type { Tracker, TrackerConfig } from './tracker.ts';

/**
 * Starts the tracker in the browser and captures the click (contract §1); on the server it does nothing. Render it
 * once, around your app. Only the props of the first render count. It never throws: if the tracker cannot start, your app works
 * without it.
 * @example
 * ```tsx
 * import { TrackerProvider } from '@svc/tracker';
 *
 * export function Providers({ children }: { children: React.ReactNode }) {
 *   return <TrackerProvider programId="<PROGRAM_ID>">{children}</TrackerProvider>;
 * }
 * ```
 */
export function TrackerProvider({ children, ...config }: TrackerConfig & { children?: ReactNode }) {
  useEffect(() => void loadTracker(config)); // the first call counts, however often effects run
  return children as ReactElement; // @types/react before 18.2.8 accepts no component that returns a ReactNode
}

/**
 * The tracker, or null on the server, until it has loaded, and while a required consent is missing (contract §4). It does
 * not re-render when a click arrives: wait for `whenReady()` to show the click ID.
 * @example
 * ```tsx
 * 'use client';
 * import { useTracker } from '@svc/tracker';
 * import { useEffect, useState } from 'react';
 *
 * export function ClickId() {
 *   const tracker = useTracker();
 *   const [clickId, setClickId] = useState<string | null>(null);
 *   useEffect(() => void tracker?.whenReady().then(setClickId), [tracker]);
 *   return <code>{clickId ?? 'no click'}</code>;
 * }
 * ```
 */
export function useTracker(): Tracker | null {
  return useSyncExternalStore(subscribe, currentTracker, () => null);
}

/** It changes once, from null to the tracker; a component that is unmounted by then ignores the call. */
function subscribe(onChange: () => void) {
  void loaded.then(onChange);
  return () => {};
}
