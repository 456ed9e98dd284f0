import type { Capture, CaptureConfig } from './capture.ts';
import type { SignupResult } from './signup.ts';

/** The options of `TrackerScript`, `TrackerProvider` and the script tag. */
export type TrackerConfig = Omit<CaptureConfig, 'clickUrl'> & {
  /** The service's address without `/api/v1`, or the path of your first-party handler. Default: the page's own origin. */
  baseUrl?: string | undefined;
  /** `required`: nothing is stored or sent before `consent()`. */
  consent?: 'required' | undefined;
  /** Logs what the tracker does, and why it does nothing. */
  debug?: boolean | undefined;
};

/** The tracker in the browser, as returned by `useTracker()`. */
export type Tracker = {
  /**
   * The click ID from the cookie `svc_click_id`, or null if there is none (contract §4). Where cookies are refused, that of this page's
   * click. Never throws.
   * @example
   * ```ts
   * import { whenLoaded } from '@svc/tracker';
   *
   * void whenLoaded().then((tracker) => console.info(tracker.getClickId() ?? 'not referred'));
   * ```
   */
  getClickId(): string | null;

  /**
   * Resolves with the click ID, or null, once a click in flight has finished, within 2 s; retries a failed click. Never rejects.
   * @example
   * ```ts
   * import { whenLoaded } from '@svc/tracker';
   *
   * const clickId = await whenLoaded().then((tracker) => tracker.whenReady());
   * ```
   */
  whenReady(): Promise<string | null>;

  /**
   * Sends a browser lead (contract §4), in addition to your server's `trackLead`. Call it only on the page that a new
   * user sees after registration. It reads the click ID itself, waits for a click in flight and never rejects. Without a click,
   * or when repeated on the same page once the service has accepted or refused it, it sends nothing.
   * @example
   * ```ts
   * import { whenLoaded } from '@svc/tracker';
   *
   * const lead = await whenLoaded().then((tracker) => tracker.signup('user_1', '<EMAIL>'));
   * if (lead.provisional) console.info('Settled by trackLead on the server.');
   * ```
   */
  signup(userId: string, email: string): Promise<SignupResult>;
};

/** How long a form waits at most. */
const READY_WITHIN_MS = 2000;

export function createTracker(capture: Capture, config: TrackerConfig): Tracker {
  const getClickId = () => capture.getClickId(); // looked up each time: withdrawing consent replaces it
  const whenReady = () => Promise.race([capture.finish(), timeout()]).then(getClickId);

  const signup = (userId: string, email: string) =>
    import('./signup.ts') // one page needs it
      .then(({ signUpOnce }) => signUpOnce(config, userId, email, whenReady))
      .catch(() => ({ ok: false, provisional: false }));

  return { getClickId, whenReady, signup };
}

export const timeout = () => new Promise<void>((resolve) => setTimeout(resolve, READY_WITHIN_MS));
