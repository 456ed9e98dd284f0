// Stripe's API: one request in, one response out. Mounted by app/(sandbox)/sandbox/stripe/v1; tests call it in process.
import 'server-only';
import Stripe from 'stripe';
import { changeAccount, readAccount } from './account';
import { authorise } from './api/authorise';
import { expandPaths } from './api/expand';
import { claimKey, fingerprint, keepAnswer } from './api/idempotency';
import { newId } from './api/new-id';
import { parseForm } from './api/parse-form';
import { findRoute } from './api/route';
import { routes } from './api/routes';
import { StripeFault } from './api/stripe-fault';
import type { Store } from './store';

const MAX_BODY_BYTES = 256 * 1024;

/** @param path the API's own path, `/v1/…`, wherever the API is mounted */
export async function handleStripeRequest(request: Request, path: string): Promise<Response> {
  const requestId = newId('req', 14);
  const headers = new Headers({
    'content-type': 'application/json',
    'request-id': requestId,
    'stripe-version': request.headers.get('stripe-version') ?? Stripe.API_VERSION,
  });
  try {
    const { body, replayed } = await answer(request, path, requestId);
    const key = request.headers.get('idempotency-key');
    if (key && request.method !== 'GET') headers.set('idempotency-key', key);
    if (replayed) {
      headers.set('idempotent-replayed', 'true');
      headers.set('original-request', replayed);
    }
    return new Response(body, { status: 200, headers });
  } catch (error) {
    if (error instanceof StripeFault) return Response.json({ error: error.body }, { status: error.status, headers });
    console.error(`The Stripe sandbox failed at ${request.method} ${path} (${requestId}).`, error);
    const message = 'The sandbox failed; its log says why.';
    return Response.json({ error: { type: 'api_error', message } }, { status: 500, headers });
  }
}

type Answer = { body: string; replayed: string | null };

async function answer(request: Request, path: string, requestId: string): Promise<Answer> {
  authorise(request.headers.get('authorization'));
  const { route, path: names } = findRoute(routes, request.method, path);
  const text = await readParameters(request);
  const params = parseForm(text);
  const run = async (store: Store): Promise<string> => {
    const result = await route.run(store, params, names);
    await expandPaths(store, result, Array.isArray(params.expand) ? params.expand.map(String) : []);
    return JSON.stringify(result, null, 2);
  };

  if (request.method === 'GET') return { body: await readAccount(run), replayed: null };
  const key = request.headers.get('idempotency-key');
  return changeAccount(
    async (store) => {
      const print = fingerprint(request.method, path, text);
      const replay = key ? await claimKey(store, key, { fingerprint: print, requestId }) : null;
      if (replay) return { body: replay.body, replayed: replay.requestId };
      const body = await run(store);
      if (key) await keepAnswer(store, key, body);
      return { body, replayed: null };
    },
    { id: requestId, idempotency_key: key },
  );
}

async function readParameters(request: Request): Promise<string> {
  const query = new URL(request.url).search.slice(1);
  if (request.method === 'GET') return query;
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BODY_BYTES) {
    throw new StripeFault(413, { type: 'invalid_request_error', message: 'The request is too large.' });
  }
  return (await request.text()) || query;
}
