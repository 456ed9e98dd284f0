import 'server-only';
import { handshake, makeClient, readClient, signOut } from './endpoints/client';
import { readEnvironment } from './endpoints/environment';
import { readJwks } from './endpoints/jwks';
import { createToken, endOwnSession, readSession, removeOwnSession, touch } from './endpoints/sessions';
import { attemptFirstFactor, prepareFirstFactor, readSignIn, startSignIn } from './endpoints/sign-ins';
import { attemptVerification, changeSignUp, prepareVerification, readSignUp, startSignUp } from './endpoints/sign-ups';
import { countUsers, listUsers, mergeUserMetadata, readUser, removeUser, updateUser } from './endpoints/users';
import type { Caller, Handler, Route } from './router';

const route =
  (caller: Caller) =>
  (method: string, pattern: string, handle: Handler): Route => ({ method, pattern, caller, handle });

const browser = route('browser');
const server = route('server');

/** All that the sandbox answers. A path that is missing here is not faithful yet: see README.md. */
export const ROUTES: readonly Route[] = [
  browser('GET', '/v1/environment', readEnvironment),
  browser('PATCH', '/v1/environment', readEnvironment),

  browser('GET', '/v1/client', readClient),
  browser('PUT', '/v1/client', makeClient),
  browser('POST', '/v1/client', makeClient),
  browser('DELETE', '/v1/client', signOut),
  browser('DELETE', '/v1/client/sessions', signOut),
  browser('GET', '/v1/client/handshake', handshake),

  browser('GET', '/v1/client/sessions/:id', readSession),
  browser('POST', '/v1/client/sessions/:id/touch', touch),
  browser('POST', '/v1/client/sessions/:id/tokens', createToken),
  browser('POST', '/v1/client/sessions/:id/end', endOwnSession),
  browser('POST', '/v1/client/sessions/:id/remove', removeOwnSession),

  browser('POST', '/v1/client/sign_ups', startSignUp),
  browser('GET', '/v1/client/sign_ups/:id', readSignUp),
  browser('PATCH', '/v1/client/sign_ups/:id', changeSignUp),
  browser('POST', '/v1/client/sign_ups/:id/prepare_verification', prepareVerification),
  browser('POST', '/v1/client/sign_ups/:id/attempt_verification', attemptVerification),

  browser('POST', '/v1/client/sign_ins', startSignIn),
  browser('GET', '/v1/client/sign_ins/:id', readSignIn),
  browser('POST', '/v1/client/sign_ins/:id/prepare_first_factor', prepareFirstFactor),
  browser('POST', '/v1/client/sign_ins/:id/attempt_first_factor', attemptFirstFactor),

  server('GET', '/v1/jwks', readJwks),
  server('GET', '/v1/users', listUsers),
  server('GET', '/v1/users/count', countUsers),
  server('GET', '/v1/users/:id', readUser),
  server('PATCH', '/v1/users/:id', updateUser),
  server('PATCH', '/v1/users/:id/metadata', mergeUserMetadata),
  server('DELETE', '/v1/users/:id', removeUser),
];
