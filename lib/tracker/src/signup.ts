import { browserLeadBody, isPage, parseBody, postInit, readLead, trackUrl } from './wire.ts';

// Loaded on the first sign-up, which few pages have.

/**
 * `ok: false`: no record is confirmed, because there is no click, or the service refused or did not respond. `provisional: true`: the lead
 * counts once your server reports it.
 */
export type SignupResult = { ok: boolean; provisional: boolean };

type Service = { programId: string; baseUrl?: string | undefined };

/** What this page has sent, by user ID. */
const signups: Record<string, Promise<SignupResult>> = Object.create(null);

/** `Tracker.signup`, except that it rejects if the service did not respond or failed; a later call then retries. */
export const signUpOnce = (
  service: Service,
  userId: string,
  email: string,
  whenReady: () => Promise<string | null>,
): Promise<SignupResult> =>
  (signups[userId] ??= whenReady()
    .then((clickId) => sendSignup(service, userId, email, clickId))
    .catch((error) => {
      delete signups[userId];
      throw error;
    }));

/**
 * Sends one browser lead (contract §4).
 * @throws if there is no click, the service cannot be reached, or it responds with 429, 5xx or a page
 */
async function sendSignup(
  { programId, baseUrl = '' }: Service,
  userId: string,
  email: string,
  clickId: string | null,
): Promise<SignupResult> {
  if (!clickId) throw new Error('Without a click there is no lead to send.');
  const body = browserLeadBody(programId, userId, email, clickId);
  const response = await fetch(trackUrl(baseUrl, 'lead'), postInit(body));
  const text = await response.text();
  if (response.status > 428 || isPage(text)) throw response;
  // The status decides (contract §4): the body may be empty or any text.
  return { ok: response.ok, provisional: response.ok && readLead(parseBody(text) ?? {}).provisional };
}
