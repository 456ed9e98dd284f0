// The Backend API's sessions and tokens: what servers and test helpers ask for.
import { Hono } from 'hono';
import { type Call, type Endpoints, json, pathId } from '../call';
import { clerkErrors } from '../errors';
import type { Form } from '../form';
import { isActive, type Session, statusOf } from '../objects/session';
import { appOrigin } from '../origins';
import { issueSessionToken, issueTicket, publicJwks, TOKEN_SECONDS } from '../session-token';
import { newId } from '../store';
import { readPage } from '../user-list';

const DAY_SECONDS = 86_400;
const TICKET_SECONDS = 30 * DAY_SECONDS;
const LONGEST_SECONDS = 3_650 * DAY_SECONDS;

export function backendSessionRoutes({ server }: Endpoints): Hono {
  return new Hono()
    .get('/jwks', server(readJwks))
    .get('/sessions', server(listSessions))
    .get('/sessions/:id', server(readSession))
    .post('/sessions/:id/revoke', server(revokeSession))
    .post('/sessions/:id/tokens', server(createSessionToken))
    .post('/sign_in_tokens', server(createSignInToken))
    .post('/testing_tokens', server(createTestingToken));
}

/** The key that plain `clerkMiddleware()` checks session tokens with. */
const readJwks = ({ emulator }: Call) => json(publicJwks(emulator));

const LIST_PARAMETERS = ['user_id', 'status', 'limit', 'offset', 'paginated'];
const STATUSES = ['abandoned', 'active', 'ended', 'expired', 'pending', 'removed', 'replaced', 'revoked'];

/** A user's sessions, newest first: those with the given status, or all, including ended ones. */
async function listSessions({ request, store, now }: Call): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const unknown = [...query.keys()].find((name) => !LIST_PARAMETERS.includes(name));
  if (unknown) throw clerkErrors.notCovered(`the filter ${unknown}`, unknown);
  const userId = query.get('user_id');
  if (!userId) throw clerkErrors.missing('user_id');
  const status = query.get('status');
  if (status !== null && !STATUSES.includes(status)) throw clerkErrors.formatInvalid('status');
  const { limit, offset } = readPage(query);
  const sessions = await store.sessionsOf(userId, status, now);
  const data = sessions.slice(offset, offset + limit);
  return json(query.get('paginated') === 'true' ? { data, total_count: sessions.length } : data);
}

async function readSession(call: Call): Promise<Response> {
  const session = await namedSession(call);
  return json({ ...session, status: statusOf(session, call.now) });
}

async function revokeSession(call: Call): Promise<Response> {
  const session = await namedSession(call);
  if (session.status !== 'active') return json(session);
  const revoked: Session = { ...session, status: 'revoked', updated_at: call.now };
  await call.store.save('session', revoked);
  return json(revoked);
}

/** With a lifetime that the caller chooses: this is how a test gets an expired token. */
async function createSessionToken(call: Call): Promise<Response> {
  const { emulator, form, now } = call;
  const session = await namedSession(call);
  if (!isActive(session, now)) throw clerkErrors.notFound('Active session');
  const lifetimeSeconds = readSeconds(form, TOKEN_SECONDS);
  const origin = appOrigin(emulator.config, undefined);
  const user = await call.store.find('user', session.user_id);
  if (!user) throw clerkErrors.notFound('User');
  const jwt = await issueSessionToken(emulator, { session, user }, { origin, now, lifetimeSeconds });
  return json({ object: 'token', jwt });
}

/** A ticket, for signing in with the strategy of that name. */
async function createSignInToken({ emulator, form, store, now }: Call): Promise<Response> {
  const user = await store.find('user', form.required('user_id'));
  if (!user) throw clerkErrors.notFound('User');
  const id = newId('sit');
  const token = await issueTicket(emulator, { id, userId: user.id }, now, readSeconds(form, TICKET_SECONDS));
  return json({
    object: 'sign_in_token',
    id,
    user_id: user.id,
    token,
    status: 'pending',
    url: `${emulator.config.url}/clerk/sign-in?__clerk_ticket=${token}`,
    created_at: now,
    updated_at: now,
  });
}

/** Nothing here keeps bots out, so any token will do. */
const createTestingToken = ({ now }: Call) =>
  json({ object: 'testing_token', token: newId('tst'), expires_at: Math.floor(now / 1000) + DAY_SECONDS });

async function namedSession(call: Call): Promise<Session> {
  const session = await call.store.find('session', pathId(call));
  if (!session) throw clerkErrors.notFound('Session');
  return session;
}

function readSeconds(form: Form, fallback: number): number {
  const seconds = form.integer('expires_in_seconds') ?? fallback;
  if (seconds < 1 || seconds > LONGEST_SECONDS) throw clerkErrors.formatInvalid('expires_in_seconds');
  return seconds;
}
