import type { Capture, TrackerConfig } from './capture.ts';
import { createTracker, READY_WITHIN_MS, type Tracker, timeout } from './tracker.ts';

// The tracker of this page. Module state, not React's: it must outlive every component and start once.
let tracker: Tracker | null = null;
let loading: Promise<void> | undefined;
let announce: (tracker: Tracker) => void;
const loaded = new Promise<Tracker>((resolve) => {
  announce = resolve;
});

export const currentTracker = () => tracker;

/**
 * Resolves with the tracker once it has loaded; until then your calls wait in line, so that none is lost. It never
 * resolves on the server, nor in a page without a provider.
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
 * Never rejects; null on the server, and where there is no click.
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
  await Promise.race([loaded.then((ready) => ready.whenReady()), timeout(READY_WITHIN_MS)]);
  return tracker?.getClickId() ?? null;
}

/** Attaches to the inline script's click, or starts it where the script is absent. Safe to repeat. */
export const loadTracker = (config: TrackerConfig): Promise<void> =>
  // Where the tracker's code cannot be loaded, the page works on without it.
  (loading ??= start(config).catch(() => {}));

async function start(config: TrackerConfig) {
  if (!window.svcCapture) (await import('./capture.ts')).startCapture(config);
  const capture = window.svcCapture as Capture;
  watchAddress(capture);
  announce((tracker = createTracker(capture, config)));
}

/** A visit that loads no page. The back button is none, so popstate is left alone. */
function watchAddress(capture: Capture) {
  for (const method of ['pushState', 'replaceState'] as const) {
    const change = history[method];
    history[method] = (...state) => {
      change.apply(history, state);
      capture.arrive(true);
    };
  }
  // A page from the back/forward cache may have been left before its click was answered.
  addEventListener('pageshow', (event) => event.persisted && capture.finish());
}
