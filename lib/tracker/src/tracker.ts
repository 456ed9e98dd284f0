import type { Capture, TrackerConfig } from './capture.ts';
import { post } from './post.ts';
import { browserLeadBody, readBrowserLead } from './wire.ts';

/** The tracker in the browser, as `useTracker()` gives it. */
export type Tracker = {
  /** The click ID from the cookie `svc_click_id`, or null where there is none. */
  getClickId(): string | null;

  /**
   * Resolves with the click ID once a click in flight is done, after 2 s at the latest, and tries a failed click again.
   * Never rejects.
   */
  whenReady(): Promise<string | null>;

  /**
   * Sends a browser lead (contract §4), in addition to your server's `trackLead`. Call it only on the page on which a new
   * user lands after registration. It reads the click ID itself, waits for a click in flight and never rejects; without a
   * click it sends nothing, since the service could record nothing. A repeat on the same page sends nothing either.
   */
  signup(userId: string, email: string): Promise<SignupResult>;
};

/** `provisional: true`: the program waits for the lead call of your server. */
export type SignupResult = { ok: boolean; provisional: boolean };

export const READY_WITHIN_MS = 2000;

export function createTracker(capture: Capture, { programId, baseUrl = '' }: TrackerConfig): Tracker {
  const { getClickId } = capture;
  const signups: Record<string, Promise<SignupResult>> = Object.create(null);

  const whenReady = () => Promise.race([capture.finish(), timeout(READY_WITHIN_MS)]).then(getClickId);

  const sendLead = async (userId: string, email: string) => {
    const clickId = await whenReady();
    if (!clickId) throw clickId;
    const body = browserLeadBody(programId, userId, email, clickId);
    return readBrowserLead(await post(`${baseUrl}/api/v1/track/lead`, body));
  };

  const signup = (userId: string, email: string) =>
    (signups[userId] ??= sendLead(userId, email).catch(() => {
      delete signups[userId]; // nothing was recorded: a later call may try again
      return { ok: false, provisional: false };
    }));

  return { getClickId, whenReady, signup };
}

export const timeout = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
