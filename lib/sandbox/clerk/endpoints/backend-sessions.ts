// The Backend API's sessions and tokens: what servers and test helpers ask for.
import 'server-only';
import type { Answer } from '../answer';
import type { Call } from '../call';
import { clerkErrors } from '../errors';
import type { Form } from '../form';
import { createId } from '../ids';
import { endSession, findSession, listActiveSessions } from '../queries/sessions';
import { findUser } from '../queries/users';
import type { SessionRecord } from '../records';
import { backendSessionResource } from '../resources/session';
import { issueSessionToken, TOKEN_SECONDS } from '../session-token';
import { issueTicket } from '../sign-in-ticket';

const DAY_SECONDS = 86_400;
const TICKET_SECONDS = 30 * DAY_SECONDS;

async function namedSession({ params }: Call): Promise<SessionRecord> {
  const session = await findSession(params.id ?? '');
  if (!session) throw clerkErrors.notFound('Session');
  return session;
}

export async function listSessions({ query }: Call): Promise<Answer> {
  const userId = query.get('user_id');
  if (!userId) throw clerkErrors.missing('user_id');
  return { body: (await listActiveSessions(userId)).map(backendSessionResource) };
}

export async function readBackendSession(call: Call): Promise<Answer> {
  return { body: backendSessionResource(await namedSession(call)) };
}

export async function revokeSession(call: Call): Promise<Answer> {
  const session = await namedSession(call);
  await endSession(session.id, 'revoked');
  return { body: backendSessionResource({ ...session, status: 'revoked' }) };
}

/** POST /v1/sessions/:id/tokens, with a lifetime of one's own: how a test gets a token that has expired. */
export async function createSessionToken(call: Call): Promise<Answer> {
  const session = await namedSession(call);
  if (session.status !== 'active') throw clerkErrors.notFound('Active session');
  const lifetimeSeconds = readSeconds(call.form, TOKEN_SECONDS);
  const subject = { id: session.id, userId: session.user.id, verifiedAt: session.verifiedAt };
  return {
    body: { object: 'token', jwt: await issueSessionToken(subject, { origin: null, now: call.now, lifetimeSeconds }) },
  };
}

/** POST /v1/sign_in_tokens: a ticket for the strategy of that name. */
export async function createSignInToken(call: Call): Promise<Answer> {
  const user = await findUser(call.form.required('user_id'));
  if (!user) throw clerkErrors.notFound('User');
  const token = await issueTicket(user.id, call.now, readSeconds(call.form, TICKET_SECONDS));
  const at = call.now.getTime();
  const id = createId('sit');
  return {
    body: { object: 'sign_in_token', id, user_id: user.id, token, status: 'pending', created_at: at, updated_at: at },
  };
}

/** POST /v1/testing_tokens: nothing here keeps bots out, so any token will do. */
export const createTestingToken = ({ now }: Call): Answer => ({
  body: { object: 'testing_token', token: createId('tst'), expires_at: Math.floor(now.getTime() / 1000) + DAY_SECONDS },
});

function readSeconds(form: Form, fallback: number): number {
  const seconds = form.integer('expires_in_seconds') ?? fallback;
  if (seconds < 1 || seconds > 10 * 365 * DAY_SECONDS) throw clerkErrors.formatInvalid('expires_in_seconds');
  return seconds;
}
