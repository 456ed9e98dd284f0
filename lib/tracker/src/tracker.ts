import type { Capture, CaptureConfig } from './capture.ts';

/** What `TrackerScript`, `TrackerProvider` and the script tag take. */
export type TrackerConfig = Omit<CaptureConfig, 'clickUrl'> & {
  /** The service's address without `/api/v1`, or the path of your first-party handler. Default: the page's own origin. */
  baseUrl?: string | undefined;
  /** `required`: nothing is stored or sent before `consent()`. */
  consent?: 'required' | undefined;
  /** Says on the console what the tracker does, and why it does nothing. */
  debug?: boolean | undefined;
};

/** The tracker in the browser, as `useTracker()` gives it. */
export type Tracker = {
  /**
   * The click ID from the cookie `svc_click_id`, or null where there is none (contract §4). Never throws.
   * @example
   * ```ts
   * import { whenLoaded } from '@svc/tracker';
   *
   * void whenLoaded().then((tracker) => console.info(tracker.getClickId() ?? 'not referred'));
   * ```
   */
  getClickId(): string | null;

  /**
   * Resolves with the click ID once a click in flight is done, after 2 s at the latest, and tries a failed click again.
   * Never rejects.
   * @example
   * ```ts
   * import { whenLoaded } from '@svc/tracker';
   *
   * const clickId = await whenLoaded().then((tracker) => tracker.whenReady());
   * ```
   */
  whenReady(): Promise<string | null>;

  /**
   * Sends a browser lead (contract §4), in addition to your server's `trackLead`. Call it only on the page on which a new
   * user lands after registration. It reads the click ID itself, waits for a click in flight and never rejects; without a
   * click it sends nothing, since the service could record nothing. A repeat on the same page sends nothing either.
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

/** `provisional: true`: the program waits for the lead call of your server. */
export type SignupResult = { ok: boolean; provisional: boolean };

const READY_WITHIN_MS = 2000;

export function createTracker(capture: Capture, config: TrackerConfig): Tracker {
  const getClickId = () => capture.getClickId(); // replaced when consent is withdrawn
  const whenReady = () => Promise.race([capture.finish(), timeout()]).then(getClickId);

  const signup = (userId: string, email: string) =>
    import('./signup.ts') // one page needs it
      .then(({ signUpOnce }) => signUpOnce(config, userId, email, whenReady))
      .catch(() => ({ ok: false, provisional: false }));

  return { getClickId, whenReady, signup };
}

/** What a form waits at most. */
export const timeout = () => new Promise<void>((resolve) => setTimeout(resolve, READY_WITHIN_MS));
