// Starts the click on a page without the inline script, or once a required consent is given. A separate module, so that other
// pages do not load it.
import { startCapture } from './capture.ts';
import type { TrackerConfig } from './tracker.ts';
import { trackUrl } from './wire.ts';

/** @param followedUrl the last partner's link that was followed on this page, or else the landing page's address */
export async function start(
  { baseUrl = '', consent, debug, ...config }: TrackerConfig,
  consentGiven: Promise<void>,
  landing: string,
  followedUrl: () => string,
): Promise<void> {
  if (consent) {
    logWaiting(debug);
    await consentGiven;
  }
  const isFollowed = followedUrl() !== landing;
  startCapture(
    { ...config, clickUrl: trackUrl(baseUrl, 'click') },
    isFollowed ? followedUrl() : linkOf(landing),
    isFollowed,
  );
}

/**
 * The landing page's address or, if a router or an effect has removed the partner's link from it before the provider's effect ran, the
 * one that the document was loaded with. In older versions of Firefox the entry is named "document".
 */
function linkOf(landing: string): string {
  if (new URL(landing).searchParams.has('aff')) return landing;
  const [navigation] = performance.getEntriesByType('navigation');
  return new URL(navigation?.name || landing, landing).href;
}

/** A click before consent is a configuration error, so it is logged without `debug`, too. */
function logWaiting(debug: boolean | undefined): void {
  if (window.svcCapture && !window.svcCapture.isStopped) {
    console.error('[@svc/tracker] The inline script does not wait: set consent="required" on TrackerScript too.');
  } else if (debug) console.info('[@svc/tracker] Waiting for consent().');
}
