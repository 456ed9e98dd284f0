import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { cors } from 'hono/cors';
import { methodOverride } from 'hono/method-override';
import { hasNull } from '../core/database';
import type { Emulator } from '../core/emulator';
import { isLocalAddress } from '../core/guard';
import { warnNotCovered } from '../core/trace-http';
import { createEndpoints, errorJson, json } from './call';
import { ClerkError, clerkErrors } from './errors';
import { allowedOrigins } from './origins';
import { accountlessRoutes } from './routes/accountless';
import { backendSessionRoutes } from './routes/backend-sessions';
import { backendUserRoutes } from './routes/backend-users';
import { clientRoutes } from './routes/client';
import { emailAddressRoutes } from './routes/email-addresses';
import { meRoutes } from './routes/me';
import { oauthRoutes } from './routes/oauth';
import { pageRoutes } from './routes/pages';
import { signInRoutes } from './routes/sign-ins';
import { signUpRoutes } from './routes/sign-ups';
import { scriptRoutes } from './scripts';
import { publicJwks } from './session-token';

const BODY_LIMIT_BYTES = 64 * 1024;

/** All of Clerk: both APIs, the scripts, the Account Portal and the OAuth provider. Mount it at /clerk. */
export function clerkApp(emulator: Emulator): Hono {
  const api = clerkApi(emulator);
  return new Hono()
    .route('/', scriptRoutes())
    .route('/', pageRoutes(emulator))
    .get('/.well-known/jwks.json', () => json(publicJwks(emulator)))
    .all('/v1/*', ({ req }) => api.fetch(req.raw));
}

/** The Frontend API and the Backend API. It takes its paths from /v1 on, wherever it is mounted. */
export function clerkApi(emulator: Emulator): Hono {
  const endpoints = createEndpoints(emulator);
  const api = new Hono({ getPath: pathFromVersion });
  const origins = allowedOrigins(emulator.config);
  // A page on another port of this machine can read why it is refused: the app was opened at the wrong address.
  const mayRead = (origin: string) => origins.includes(origin) || isLocalAddress(origin);
  api.use(cors({ origin: (origin) => (mayRead(origin) ? origin : null), credentials: true }));
  api.use(bodyLimit({ maxSize: BODY_LIMIT_BYTES, onError: () => errorJson(clerkErrors.bodyTooLarge()) }));
  api.use(methodOverride({ app: api, query: '_method' })); // browsers send every verb as a simple POST
  api.use(async ({ req }, next) => {
    if (hasNull(req.url)) throw clerkErrors.notFound('Resource');
    await next();
  });
  api.onError((error) => {
    if (error instanceof ClerkError) return errorJson(error);
    throw error;
  });
  api.notFound(({ req }) => {
    const route = `${req.method} ${new URL(req.url).pathname}`;
    warnNotCovered('Clerk', route);
    return errorJson(clerkErrors.routeNotCovered(route));
  });
  return api
    .route('/v1', clientRoutes(endpoints))
    .route('/v1/client/sign_ups', signUpRoutes(endpoints))
    .route('/v1/client/sign_ins', signInRoutes(endpoints))
    .route('/v1', oauthRoutes(endpoints))
    .route('/v1/me', meRoutes(endpoints))
    .route('/v1/me/email_addresses', emailAddressRoutes(endpoints))
    .route('/v1/accountless_applications', accountlessRoutes(endpoints))
    .route('/v1/users', backendUserRoutes(endpoints))
    .route('/v1', backendSessionRoutes(endpoints));
}

function pathFromVersion({ url }: Request): string {
  const { pathname } = new URL(url);
  return pathname.slice(pathname.indexOf('/v1')).replace(/\/+$/, ''); // clerk-js ends some paths with a slash
}
