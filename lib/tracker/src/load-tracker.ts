import type { TrackerConfig } from './capture.ts';
import { createTracker, READY_WITHIN_MS, type Tracker, timeout } from './tracker.ts';

// The tracker of this page. Module state, not React's: it must outlive every component and start once.
let tracker: Tracker | null = null;
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
export async function loadTracker(config: TrackerConfig): Promise<void> {
  if (tracker) return;
  try {
    if (!window.svcCapture) (await import('./capture.ts')).startCapture(config);
    const capture = window.svcCapture;
    if (tracker || !capture) return; // another call was faster
    tracker = createTracker(capture, config);
    watchAddress(capture.arrive);
    // A page from the back/forward cache may have been left before its click was answered.
    addEventListener('pageshow', (event) => event.persisted && capture.ensureClick());
    announce(tracker);
  } catch {
    // The code of the tracker could not be loaded: the page works on without it.
  }
}

/** Client-side navigation, whatever router does it. The back button is no visit, so popstate is left alone. */
function watchAddress(arrive: (isVisit: boolean) => void) {
  for (const method of ['pushState', 'replaceState'] as const) {
    const change = history[method];
    history[method] = (...state) => {
      change.apply(history, state);
      arrive(true);
    };
  }
}
