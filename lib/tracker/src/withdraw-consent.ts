import type { Capture } from './capture.ts';
import { deleteCookies } from './cookie.ts';

// A separate module: few apps need it, and a bundler would otherwise include the cookie code with the provider.

/**
 * Deletes the tracker's cookies and stops it on this page. Cookies that a first-party handler sets with the response of the last
 * click in flight are deleted when that arrives, unless the page is left before. Never rejects in a browser. On the server it does
 * nothing. Do not call `consent()` on later pages until the visitor agrees again. After `withdrawConsent()` on a
 * page where the tracker had started, it starts again with the next page load. What the service has already recorded stays there.
 * @example
 * ```tsx
 * 'use client';
 * import { withdrawConsent } from '@svc/tracker';
 *
 * export const Decline = () => <button onClick={withdrawConsent}>Decline cookies</button>;
 * ```
 */
export async function withdrawConsent(): Promise<void> {
  if (typeof window === 'undefined') return;
  // If nothing has started, this takes its place, so that nothing can.
  const capture = (window.svcCapture ??= { ...STOPPED });
  const { finish } = capture;
  Object.assign(capture, STOPPED);
  deleteCookies();
  void Promise.resolve(finish()).then(deleteCookies); // a first-party handler may set them with the response of a click in flight
}

/** No click, now or later: one in flight is not stored, since its link no longer counts as followed. */
const STOPPED: Capture = {
  isStopped: true,
  followed: undefined,
  getClickId: () => null,
  finish: () => undefined,
  arrive() {},
};
