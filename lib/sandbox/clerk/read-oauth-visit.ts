import 'server-only';
import { OAUTH_PROVIDER, visitExpiresAt } from './domain/oauth-provider';
import { findOpenOauthFlow } from './queries/oauth-flows';

const VISIT_ID = /^oau_\w+$/;

/** What the provider's consent page shows, or null where there is no visit to consent to. */
export async function readOauthVisit(
  state: string,
  now: Date,
): Promise<{ state: string; providerName: string } | null> {
  const flow = VISIT_ID.test(state) ? await findOpenOauthFlow(state) : null;
  return flow && now <= visitExpiresAt(flow) ? { state, providerName: OAUTH_PROVIDER.name } : null;
}
