import type { Capture } from './capture.ts';
import { consentGiven } from './consent.ts';
import { createTracker, type Tracker, type TrackerConfig, timeout } from './tracker.ts';

// The tracker of this page. Module state, not React state: it must outlive every component and start once.
let tracker: Tracker | null = null;
let loading: Promise<unknown> | undefined;
let requiredConsent: TrackerConfig['consent'];
let announce: (tracker: Tracker) => void;
export const loaded = new Promise<Tracker>((resolve) => {
  announce = resolve;
});

export const currentTracker = () => tracker;

/**
 * Resolves with the tracker once it has loaded; calls made before that are queued, so none is lost. It never resolves on
 * the server, on a page without a provider, or while a required consent is missing.
 * @example
 * ```ts
 * import { whenLoaded } from '@svc/tracker';
 *
 * void whenLoaded().then((tracker) => tracker.signup('user_1', '<EMAIL>'));
 * ```
 */
export const whenLoaded = (): Promise<Tracker> => loaded;

/**
 * The click ID for a form that must not lose it: waits for the tracker to load and for a click in flight, 2 s at most.
 * Never rejects; null on the server, on a page that is still prerendered, and without a click. While a required consent is
 * missing, null: at once, or after those 2 s if an earlier page has stored a click, because consent on this page may follow.
 * @example
 * ```ts
 * import { whenReady } from '@svc/tracker';
 *
 * const clickId = await whenReady();
 * const unsafeMetadata = { svc_click_id: clickId };
 * ```
 */
export async function whenReady(): Promise<string | null> {
  if (typeof window === 'undefined') return null;
  // Asynchronous, because React runs a form's effect before the provider's, which sets what is required.
  const isMissing = await Promise.race([consentGiven, true]);
  if (requiredConsent && isMissing && !hasStoredClick()) return null;
  await Promise.race([loaded.then((ready) => ready.whenReady()), timeout()]);
  return window.svcCapture?.getClickId() ?? null; // also if another copy of the package has started it
}

/** Without cookie.ts, which a bundler would otherwise include with the provider. */
function hasStoredClick(): boolean {
  try {
    return document.cookie.includes('svc_click_id=');
  } catch {
    return false; // a document without access to cookies
  }
}

/** Attaches to the inline script's click, or starts one if the script is absent. Safe to repeat: the first call counts. */
export const loadTracker = (config: TrackerConfig): Promise<unknown> =>
  // If the tracker's code cannot be loaded, the page works without it.
  (loading ??= start(config).catch((error) => config.debug && console.error(error)));

async function start(config: TrackerConfig) {
  let capture: Capture | undefined;
  const landing = location.href;
  let followedUrl = landing; // in memory only, while consent is missing
  watchAddress(() => {
    if (capture) capture.arrive(true);
    else if (partner()) followedUrl = location.href;
  });
  requiredConsent = config.consent;
  if (config.consent || !window.svcCapture)
    await (await import('./late.ts')).start(config, consentGiven, landing, () => followedUrl);
  capture = window.svcCapture as Capture;
  capture.arrive(true, followedUrl);
  addEventListener('pageshow', async (event) => {
    if (!event.persisted) return;
    await capture.finish(); // a page restored from the back/forward cache learns only after this event that its request failed
    await capture.finish();
  });
  announce((tracker = createTracker(capture, config)));
  if (config.debug) (await import('./debug.ts')).logActivity(capture, tracker, config);
}

/** The partner of the page's address. */
const partner = () => new URLSearchParams(location.search).get('aff');

/**
 * Calls back after each client-side navigation, in any router, that changes the partner. The back button is not a visit, so popstate
 * is ignored, as is what then happens on that page: a router writes the same address again, a filter or an anchor adds to it.
 */
function watchAddress(onChange: () => void): void {
  for (const method of ['pushState', 'replaceState'] as const) {
    const change = history[method];
    history[method] = (...state) => {
      const before = partner();
      change.apply(history, state);
      if (partner() !== before) onChange();
    };
  }
}
