// The browser and its session, which clerk-js keeps up to date.
import { Hono } from 'hono';
import { clientJson, endSession, type SignedIn } from '../browser';
import {
  type BrowserCall,
  type Endpoints,
  ensureClient,
  json,
  pathId,
  redirect,
  refresh,
  respond,
  setClientUat,
  tokenOf,
} from '../call';
import { sessionCookies } from '../cookies';
import { clerkErrors } from '../errors';
import { environmentJson } from '../objects/environment';
import { type EndedStatus, sessionJson } from '../objects/session';
import { appOrigin, resolveRedirect } from '../origins';

export function clientRoutes({ browser }: Endpoints): Hono {
  return new Hono()
    .get('/environment', browser(readEnvironment))
    .patch('/environment', browser(readEnvironment))
    .get('/client', browser(readClient))
    .put('/client', browser(makeClient))
    .post('/client', browser(makeClient))
    .delete('/client', browser(signOut))
    .delete('/client/sessions', browser(signOut))
    .get('/client/handshake', browser(handshake))
    .get('/client/sessions/:id', browser(readSession))
    .post('/client/sessions/:id/touch', browser(touchSession))
    .post('/client/sessions/:id/tokens', browser(createToken))
    .post('/client/sessions/:id/end', browser(endOwnSession('ended')))
    .post('/client/sessions/:id/remove', browser(endOwnSession('removed')));
}

/** Without the envelope. */
const readEnvironment = ({ emulator, clerkUrl }: BrowserCall) => json(environmentJson(emulator.config, clerkUrl));

async function readClient(call: BrowserCall): Promise<Response> {
  const { browser, clerkUrl, now } = call;
  return respond(call, browser && clientJson(browser, { clerkUrl, token: await tokenOf(call), now }));
}

async function makeClient(call: BrowserCall): Promise<Response> {
  await ensureClient(call);
  return readClient(call);
}

async function signOut(call: BrowserCall): Promise<Response> {
  if (call.browser) {
    await endSession(call.store, call.browser.client, 'removed', call.now);
    await refresh(call);
  }
  return readClient(call);
}

/** A page load whose session token has expired is redirected here by the app's server, and back with a fresh one. */
async function handshake(call: BrowserCall): Promise<Response> {
  const { emulator, request, cookies } = call;
  const target = resolveRedirect(emulator.config, request.query('redirect_url') ?? '/');
  if (!target) throw clerkErrors.urlInvalid('redirect_url');
  const origin = appOrigin(emulator.config, new URL(target).origin);
  cookies.push(...sessionCookies(emulator, await tokenOf({ ...call, origin })));
  setClientUat(call);
  return redirect(target, 307);
}

/** The session in the path, which must be this browser's. */
function ownSession(call: BrowserCall): SignedIn {
  const signedIn = call.browser?.signedIn;
  if (signedIn?.session.id !== pathId(call)) throw clerkErrors.notFound('Session');
  return signedIn;
}

async function readSession(call: BrowserCall): Promise<Response> {
  const { session, user } = ownSession(call);
  return respond(call, sessionJson(session, user, await tokenOf(call), call.now));
}

/** clerk-js touches the session when a tab gets the focus. */
async function touchSession(call: BrowserCall): Promise<Response> {
  const { session } = ownSession(call);
  await call.store.save('session', { ...session, last_active_at: call.now, updated_at: call.now });
  await refresh(call);
  return readSession(call);
}

/** A fresh token, which clerk-js asks for before the last one expires. Without the envelope. */
async function createToken(call: BrowserCall): Promise<Response> {
  ownSession(call);
  return json({ object: 'token', jwt: await tokenOf(call) });
}

const endOwnSession = (status: EndedStatus) => async (call: BrowserCall) => {
  const { session, user } = ownSession(call);
  await endSession(call.store, await ensureClient(call), status, call.now);
  await refresh(call);
  return respond(call, sessionJson({ ...session, status }, user, null, call.now));
};
