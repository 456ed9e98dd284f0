// The click of a page without the inline script, started late: by the provider, or by script.js, and with a required consent
// once that is given. A module of its own, so that pages with the inline script do not load it.
import { startCapture as start } from './capture.ts';
import type { TrackerConfig } from './tracker.ts';
import { trackUrl } from './wire.ts';

export async function startCapture(
  { baseUrl = '', consent, debug, ...config }: TrackerConfig,
  consentGiven: Promise<void>,
): Promise<void> {
  if (consent) {
    logWaiting(debug);
    await consentGiven;
  }
  start({ ...config, clickUrl: trackUrl(baseUrl, 'click') });
}

/** A click before consent is a configuration error, so it is logged without `debug`, too. */
function logWaiting(debug: boolean | undefined): void {
  if (window.svcCapture && !window.svcCapture.isStopped) {
    console.error('[@svc/tracker] The inline script does not wait: give TrackerScript consent="required", too.');
  } else if (debug) console.info('[@svc/tracker] Waiting for consent().');
}
