// Opt-in consent: with `consent="required"` nothing is stored or sent before `consent()`.

let grant: () => void;
export const consentGiven = new Promise<void>((resolve) => {
  grant = resolve;
});

/**
 * Says that the visitor agrees to the tracker's cookies; call it on every page load once they did, as consent managers do.
 * The click then starts, with the partner link the visitor arrived by, as long as no page without it was loaded in between.
 * Safe to repeat. After `withdrawConsent()` on a page where the tracker had started, it starts again with the next page load.
 * Without `consent="required"` on the provider or the script tag it has no effect.
 * @example
 * ```tsx
 * 'use client';
 * import { consent } from '@svc/tracker';
 *
 * export const Accept = () => <button onClick={consent}>Accept cookies</button>;
 * ```
 */
export function consent(): void {
  if (globalThis.svcCapture?.isStopped) globalThis.svcCapture = undefined; // the visitor said no before
  grant();
}
