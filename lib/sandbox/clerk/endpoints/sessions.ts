import 'server-only';
import type { Answer } from '../answer';
import { answerBrowser, refreshClient } from '../browser';
import type { Call } from '../call';
import { clerkErrors } from '../errors';
import { type EndedStatus, endClientSession, touchSession } from '../queries/sessions';
import type { SessionRecord } from '../records';
import { sessionResource, tokenResource } from '../resources/session';

/** The session named in the path, which must be this browser's. */
function ownSession({ client, params }: Call): SessionRecord {
  if (!client?.session || client.session.id !== params.id) throw clerkErrors.notFound('Session');
  return client.session;
}

export async function readSession(call: Call): Promise<Answer> {
  return answerBrowser(call, await sessionResource(ownSession(call), call.origin, call.now));
}

/** clerk-js touches the session when a tab gets the focus. */
export async function touch(call: Call): Promise<Answer> {
  await touchSession(ownSession(call).id, call.now);
  await refreshClient(call);
  return readSession(call);
}

/** A fresh token, which clerk-js asks for before the last one expires. Answered bare, without the envelope. */
export async function createToken(call: Call): Promise<Answer> {
  return { body: await tokenResource(ownSession(call), call.origin, call.now) };
}

const end = (status: EndedStatus) => async (call: Call) => {
  const session = { ...ownSession(call), status };
  await endClientSession(session.clientId, status, call.now);
  await refreshClient(call);
  return answerBrowser(call, await sessionResource(session, call.origin, call.now));
};

export const endOwnSession = end('ended');
export const removeOwnSession = end('removed');
