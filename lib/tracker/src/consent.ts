// Opt-in consent: with `consent="required"` nothing is stored or sent before `consent()`.

let grant: () => void;
export const consentGiven = new Promise<void>((resolve) => {
  grant = resolve;
});

/**
 * Tells the tracker that the visitor accepts its cookies. Call it on every page load once they have, as consent managers do.
 * The click then starts, with the partner link the visitor arrived by, unless another page was loaded in between.
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
  if (globalThis.svcCapture?.isStopped) globalThis.svcCapture = undefined; // the visitor declined before
  grant();
}
