import type { CaptureConfig } from './capture.ts';
import { post } from './post.ts';
import type { SignupResult } from './tracker.ts';
import { browserLeadBody, readBrowserLead, withoutSlash } from './wire.ts';

/**
 * Sends one browser lead (contract §4).
 * @throws where there is no click, the service cannot be reached, or it responds with 429 or 5xx
 */
export async function sendSignup(
  { programId, baseUrl = '' }: CaptureConfig,
  userId: string,
  email: string,
  clickId: string | null,
): Promise<SignupResult> {
  if (!clickId) throw new Error('Without a click there is no lead to send.');
  const body = browserLeadBody(programId, userId, email, clickId);
  return readBrowserLead(await post(`${withoutSlash(baseUrl)}/api/v1/track/lead`, body));
}
