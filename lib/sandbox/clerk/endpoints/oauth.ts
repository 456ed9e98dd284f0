// "Continue with …": the browser visits the provider and comes back to /v1/oauth_callback, as with Clerk. The provider is
// a page of ours, app/(sandbox)/sandbox/clerk-oauth.
import 'server-only';
import { createHash } from 'node:crypto';
import { COOKIE_SUFFIX, isSecure, refreshClient } from '../browser';
import type { Call } from '../call';
import { changeUser } from '../change-user';
import { clientUatCookies } from '../cookies';
import { decideOauth, type OauthOutcome, type OauthPurpose } from '../domain/decide-oauth';
import { visitExpiresAt } from '../domain/oauth-provider';
import { clerkErrors } from '../errors';
import { readEmail } from '../fields';
import { findUserByOauth } from '../oauth-visits';
import { connectAccount } from '../queries/external-accounts';
import { findOpenOauthFlow, updateOauthFlow } from '../queries/oauth-flows';
import { completeSignIn } from '../queries/sign-ins';
import { updateSignUp } from '../queries/sign-ups';
import type { ClientRecord, OauthFlowRecord } from '../records';
import { finishSignUp } from './sign-ups';

/** POST /v1/oauth_callback: the person has chosen on the consent page. Answers with the way on, never a page of its own. */
export async function finishOauth(call: Call): Promise<Response> {
  const flow = await requireOpenFlow(call);
  const emailAddress = readEmail(call.form);
  const isGranted = call.form.text('decision') === 'allow' && emailAddress !== null;
  const providerUserId = emailAddress ? createHash('sha256').update(emailAddress).digest('hex').slice(0, 21) : null;
  const proven = await updateOauthFlow(flow.id, {
    ...(isGranted && { providerUserId, emailAddress }),
    firstName: call.form.text('first_name'),
    lastName: call.form.text('last_name'),
  });
  const { client, purpose } = readPurpose(call, flow);
  const owner = isGranted ? await findUserByOauth(proven) : null;
  const signedInId = client.session?.user.id ?? null;
  const isFinished = await apply(
    call,
    client,
    proven,
    decideOauth({ purpose, isGranted, ownerId: owner?.id ?? null, signedInId }),
  );
  const { session } = await refreshClient(call);
  call.cookies.push(...clientUatCookies(session?.createdAt ?? null, COOKIE_SUFFIX, isSecure(call)));
  const location = isFinished ? flow.completeUrl : flow.redirectUrl;
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
}

/** The visit named by `state`: of this browser, open, and not too old. It can be finished once. */
async function requireOpenFlow(call: Call): Promise<OauthFlowRecord> {
  const flow = await findOpenOauthFlow(call.form.required('state'));
  const isOwn = flow !== null && flow.clientId === call.client?.id;
  if (!isOwn || call.now > visitExpiresAt(flow)) throw clerkErrors.notFound('Visit');
  return flow;
}

function readPurpose(call: Call, flow: OauthFlowRecord): { client: ClientRecord; purpose: OauthPurpose } {
  const { client } = call;
  if (!client) throw clerkErrors.notFound('Visit');
  if (client.signIn?.oauthFlow?.id === flow.id) return { client, purpose: 'sign_in' };
  if (client.signUp?.oauthFlow?.id === flow.id) return { client, purpose: 'sign_up' };
  return { client, purpose: 'connect' };
}

/** Carries the outcome out; true where the person is where they wanted to be. */
async function apply(call: Call, client: ClientRecord, flow: OauthFlowRecord, outcome: OauthOutcome): Promise<boolean> {
  switch (outcome.kind) {
    case 'failed':
    case 'transferable':
      await updateOauthFlow(flow.id, { status: outcome.kind, errorCode: outcome.errorCode });
      return false;
    case 'sign_in':
      await updateOauthFlow(flow.id, { status: 'verified' });
      await completeSignIn(client.id, client.signIn?.id ?? '', outcome.userId, call.now, flow);
      return true;
    case 'sign_up':
      await updateOauthFlow(flow.id, { status: 'verified' });
      await updateSignUp(client.signUp?.id ?? '', {
        emailAddress: flow.emailAddress,
        firstName: flow.firstName,
        lastName: flow.lastName,
      });
      return finishSignUp(call);
    case 'connect':
      await updateOauthFlow(flow.id, { status: 'verified' });
      await changeUser(call, outcome.userId, {}, (tx) => connectAccount(tx, outcome.userId, flow, call.now));
      return false; // back to the account page
    default:
      return outcome satisfies never;
  }
}
