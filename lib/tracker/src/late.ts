// Starts the click on a page without the inline script, or once a required consent is given. A separate module, so that other
// pages do not load it.
import { startCapture as start } from './capture.ts';
import type { TrackerConfig } from './tracker.ts';
import { trackUrl } from './wire.ts';

export async function startCapture(
  { baseUrl = '', consent, debug, ...config }: TrackerConfig,
  consentGiven: Promise<void>,
  landing: string,
): Promise<void> {
  if (consent) {
    logWaiting(debug);
    await consentGiven;
  }
  start({ ...config, clickUrl: trackUrl(baseUrl, 'click') });
  // The address may have changed meanwhile: a landing page that was reloaded, or gone back to, is no visit. `capture.ts` asks the same
  // of the browser: shared, it would cost bytes of every page.
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (navigation && navigation.type !== 'navigate') window.svcCapture?.arrive(false, landing);
}

/** A click before consent is a configuration error, so it is logged without `debug`, too. */
function logWaiting(debug: boolean | undefined): void {
  if (window.svcCapture && !window.svcCapture.isStopped) {
    console.error('[@svc/tracker] The inline script does not wait: set consent="required" on TrackerScript too.');
  } else if (debug) console.info('[@svc/tracker] Waiting for consent().');
}
