import type { Capture } from './capture.ts';

// Opt-in consent: with `consent="required"` nothing is stored or sent before `consent()`.

let grant: () => void;
export const consentGiven = new Promise<void>((resolve) => {
  grant = resolve;
});

/**
 * Says that the visitor agrees to the tracker's cookies; call it on every page load once they did, as consent managers do.
 * The click then starts, with the partner link the visitor arrived by, as long as no page was loaded in between.
 * Safe to repeat. Without `consent="required"` on the provider or the script tag it has no effect.
 * @example
 * ```tsx
 * 'use client';
 * import { consent } from '@svc/tracker';
 *
 * export const Accept = () => <button onClick={consent}>Accept cookies</button>;
 * ```
 */
export const consent = (): void => grant();

/**
 * Deletes the tracker's cookies and stops it on this page; resolves when that is done, and never rejects in a browser. On the
 * server it does nothing. Do not call `consent()` on later pages until the visitor agrees again. What the service has
 * recorded already stays there.
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
  const capture = window.svcCapture;
  const inFlight = capture?.followed && capture.response === undefined ? capture.finish() : undefined;
  if (capture) Object.assign(capture, STOPPED);
  const { deleteCookies } = await import('./cookie.ts'); // few pages need it
  deleteCookies();
  void inFlight?.then(deleteCookies); // a first-party handler may set them with its response
}

/** No click, now or later: one in flight is not stored, since its link no longer counts as followed. */
const STOPPED: Capture = { followed: undefined, getClickId: () => null, finish: () => undefined, arrive() {} };
