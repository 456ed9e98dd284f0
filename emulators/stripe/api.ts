// Stripe's API: authentication, form parsing, idempotency and errors. What each route does is in routes/.
import { createHash } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import Stripe from 'stripe';
import { hasNull } from '../core/database';
import type { Emulator } from '../core/emulator';
import { isSameSecret } from '../core/guard';
import { createId } from '../core/ids';
import { warnNotCovered } from '../core/trace-http';
import { changeAccount, readAccount } from './account';
import { ApiError, invalidRequest, notCovered } from './errors';
import { expandPaths } from './expand';
import { inOlderShape, isApiVersion, isBeforeBasil } from './older-shapes';
import { parseForm } from './parameters';
import type { Route } from './route';
import { catalogRoutes } from './routes/catalog';
import { checkoutSessionRoutes } from './routes/checkout-sessions';
import { couponRoutes } from './routes/coupons';
import { customerRoutes } from './routes/customers';
import { disputeRoutes } from './routes/disputes';
import { invoiceRoutes } from './routes/invoices';
import { paymentMethodRoutes } from './routes/payment-methods';
import { paymentRoutes } from './routes/payments';
import { portalRoutes } from './routes/portal';
import { subscriptionRoutes } from './routes/subscriptions';
import { testClockRoutes } from './routes/test-clocks';
import { webhookRoutes } from './routes/webhooks';
import type { Store } from './store';

const MAX_BODY_BYTES = 256 * 1024;

/** Unknown routes get a 404 response. */
export const routes: Route[] = [
  ...catalogRoutes,
  ...couponRoutes,
  ...customerRoutes,
  ...checkoutSessionRoutes,
  ...paymentRoutes,
  ...paymentMethodRoutes,
  ...disputeRoutes,
  ...subscriptionRoutes,
  ...invoiceRoutes,
  ...portalRoutes,
  ...testClockRoutes,
  ...webhookRoutes,
];

type Reply = { status: number; body: string };

/** A Stripe API with the routes that it covers, by default those of `/v1`. Every other route is unknown. */
export function stripeApi(emulator: Emulator, covered: readonly Route[] = routes): Hono {
  const app = new Hono();
  const tooLarge = new ApiError(413, { type: 'invalid_request_error', message: 'The request is too large.' });
  app.use(bodyLimit({ maxSize: MAX_BODY_BYTES, onError: (c) => c.json({ error: tooLarge.body }, 413) }));
  for (const route of covered) {
    app.on(route.method, route.path, (c) =>
      respond(emulator, c, (...request) => reply(emulator, c, route, ...request)),
    );
  }
  app.all('*', (c) => respond(emulator, c, () => Promise.reject(unrecognized(c))));
  return app;
}

async function respond(
  emulator: Emulator,
  c: Context,
  work: (requestId: string, version: string) => Promise<Reply & { replayed: string | null }>,
): Promise<Response> {
  const requestId = createId('req', 14);
  const headers = new Headers({
    'content-type': 'application/json',
    'request-id': requestId,
    'stripe-version': Stripe.API_VERSION,
  });
  try {
    authorize(c.req.header('authorization'), emulator.secrets.stripeSecretKey);
    if (c.req.header('stripe-account')) throw notCovered('connected accounts (Stripe-Account)');
    const version = c.req.header('stripe-version') ?? Stripe.API_VERSION;
    if (!isApiVersion(version)) throw invalidRequest(`Invalid Stripe API version: ${version}`);
    // Newer ones have the SDK's shapes.
    if (isBeforeBasil(version)) headers.set('stripe-version', version);
    const { status, body, replayed } = await work(requestId, version);
    const key = c.req.header('idempotency-key');
    if (key && c.req.method !== 'GET') headers.set('idempotency-key', key);
    if (replayed) {
      headers.set('idempotent-replayed', 'true');
      headers.set('original-request', replayed);
    }
    return new Response(body, { status, headers });
  } catch (error) {
    if (error instanceof ApiError) return Response.json({ error: error.body }, { status: error.status, headers });
    console.error(`The Stripe emulator failed at ${c.req.method} ${c.req.path} (${requestId}).`, error);
    const message = 'The Stripe emulator failed. Its log has the details.';
    return Response.json({ error: { type: 'api_error', message } }, { status: 500, headers });
  }
}

async function reply(emulator: Emulator, c: Context, route: Route, requestId: string, version: string) {
  const { method, path } = c.req;
  const query = new URL(c.req.url).search.slice(1);
  const text = method === 'GET' ? query : (await c.req.text()) || query;
  if (hasNull(c.req.url) || hasNull(text)) throw invalidRequest('A parameter has a null character.');
  const params = parseForm(text);
  const run = async (store: Store): Promise<Reply> => {
    store.apiVersion = version;
    const result = await route.run(store, params, c.req.param());
    if (store.failure) return { status: store.failure.status, body: toJson({ error: store.failure.body }) };
    await expandPaths(store, result, Array.isArray(params.expand) ? params.expand.map(String) : []);
    return { status: 200, body: toJson(isBeforeBasil(version) ? await inOlderShape(store, result) : result) };
  };
  if (method === 'GET') return { ...(await readAccount(emulator, run)), replayed: null };
  const key = c.req.header('idempotency-key') ?? null;
  const fingerprint = createHash('sha256').update(`${method} ${path}\n${text}`).digest('hex');
  try {
    return await changeAccount(
      emulator,
      async (store) => {
        const earlier = key ? await findReply(store, key, fingerprint) : null;
        if (earlier) return earlier;
        const made = await run(store);
        if (key) await keepReply(store, key, { fingerprint, requestId, ...made });
        return { ...made, replayed: null };
      },
      { id: requestId, idempotency_key: key },
    );
  } catch (error) {
    // The payment was refused and its effects were rolled back; the response is kept.
    if (key && error instanceof ApiError && error.status === 402) {
      const refused = { status: error.status, body: toJson({ error: error.body }) };
      await changeAccount(emulator, (store) => keepReply(store, key, { fingerprint, requestId, ...refused }));
    }
    throw error;
  }
}

/**
 * The response to the first request with this key. Transactions run one at a time, so a second request sees all of the first
 * one; a request with a wrong parameter leaves no key, because its transaction rolls back. Stripe forgets a key after a day.
 */
async function findReply({ sql }: Store, key: string, fingerprint: string) {
  await sql("DELETE FROM idempotency_key WHERE created_at < now() - interval '1 day'");
  const [earlier] = await sql<{ fingerprint: string; request_id: string; status: number; body: string }>(
    'SELECT fingerprint, request_id, status, body FROM idempotency_key WHERE key = $1',
    [key],
  );
  if (!earlier) return null;
  if (earlier.fingerprint !== fingerprint) {
    throw new ApiError(400, {
      type: 'idempotency_error',
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    });
  }
  return { status: earlier.status, body: earlier.body, replayed: earlier.request_id };
}

const keepReply = ({ sql }: Store, key: string, made: Reply & { fingerprint: string; requestId: string }) =>
  sql(
    'INSERT INTO idempotency_key (key, fingerprint, request_id, status, body) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING',
    [key, made.fingerprint, made.requestId, made.status, made.body],
  );

/** Only this instance's secret key gives access to the API: as a bearer token, or as the user name of basic authentication. */
function authorize(header: string | undefined, secretKey: string): void {
  const [scheme = '', value = ''] = (header ?? '').split(' ');
  const isBasic = scheme.toLowerCase() === 'basic';
  const given = isBasic ? Buffer.from(value, 'base64').toString().split(':')[0] : value;
  if (!given) {
    throw new ApiError(401, {
      type: 'invalid_request_error',
      message: 'You did not provide an API key. Provide it in the Authorization header, using Bearer auth.',
    });
  }
  if (!isSameSecret(given, secretKey)) {
    throw new ApiError(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' });
  }
}

const toJson = (value: unknown): string => JSON.stringify(value, null, 2);

/** The SDK treats any body without `error` as success, so an unknown URL must respond in Stripe's error shape. */
function unrecognized(c: Context): ApiError {
  const route = `${c.req.method}: ${c.req.path}`;
  warnNotCovered('Stripe', route);
  return new ApiError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${route}). The Stripe emulator does not cover it, or Stripe has no such route.`,
  });
}
