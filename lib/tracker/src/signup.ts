import { post } from './post.ts';
import type { SignupResult, TrackerConfig } from './tracker.ts';
import { browserLeadBody, readBrowserLead, trackUrl } from './wire.ts';

// Loaded with the first sign-up: few pages have one.

/** What this page has sent, by user ID. */
const signups: Record<string, Promise<SignupResult>> = Object.create(null);

/** `Tracker.signup`, except that it rejects where nothing was recorded; a later call tries again then. */
export const signUpOnce = (
  config: TrackerConfig,
  userId: string,
  email: string,
  whenReady: () => Promise<string | null>,
): Promise<SignupResult> =>
  (signups[userId] ??= whenReady()
    .then((clickId) => sendSignup(config, userId, email, clickId))
    .catch((error) => {
      delete signups[userId];
      throw error;
    }));

/**
 * Sends one browser lead (contract §4).
 * @throws where there is no click, the service cannot be reached, or it responds with 429 or 5xx
 */
async function sendSignup(
  { programId, baseUrl = '' }: TrackerConfig,
  userId: string,
  email: string,
  clickId: string | null,
): Promise<SignupResult> {
  if (!clickId) throw new Error('Without a click there is no lead to send.');
  const body = browserLeadBody(programId, userId, email, clickId);
  return readBrowserLead(await post(trackUrl(baseUrl, 'lead'), body));
}
