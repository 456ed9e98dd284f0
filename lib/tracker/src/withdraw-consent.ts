import type { Capture } from './capture.ts';
import { deleteCookies } from './cookie.ts';

// A module of its own: few apps need it, and a bundler would keep the code of the cookies with the provider.

/**
 * Deletes the tracker's cookies and stops it on this page; resolves when that is done, and never rejects in a browser. On the
 * server it does nothing. Do not call `consent()` on later pages until the visitor agrees again. After `withdrawConsent()` on a
 * page where the tracker had started, it starts again with the next page load. What the service has recorded already stays there.
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
  // Where nothing has started, this stands in the place of what would start.
  const capture = (window.svcCapture ??= { ...STOPPED });
  const inFlight = capture.followed && capture.response === undefined ? capture.finish() : undefined;
  Object.assign(capture, STOPPED);
  forget();
  if (inFlight) void inFlight.then(forget); // a first-party handler may set them with its response
}

function forget(): void {
  try {
    deleteCookies();
  } catch {
    // A document that may have no cookies has none of the tracker's.
  }
}

/** No click, now or later: one in flight is not stored, since its link no longer counts as followed. */
const STOPPED: Capture = {
  isStopped: true,
  followed: undefined,
  getClickId: () => null,
  finish: () => undefined,
  arrive() {},
};
