import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import qs from 'qs';
import type Stripe from 'stripe';

type StripeObject = { id: string; [field: string]: unknown };
type Params = Record<string, unknown>;
type Result = [status: number, body: object];

type StripeRequest = { method: string; path: string; params: Params; idempotencyKey: string | undefined };

export type StripeApi = {
  url: string;
  /** Every request, oldest first. */
  requests: StripeRequest[];
  /** The objects of a collection such as `checkout/sessions`, as Stripe has them now, oldest first. */
  all: <T = StripeObject>(collection: string) => T[];
  /** Puts an object there, without a request. */
  put: (collection: string, object: StripeObject) => void;
  /** Deletes all objects, without a request. */
  clear: () => void;
  /** A status that is returned for a request is Stripe's error for it. */
  intercept: (decide: (request: StripeRequest) => number | undefined) => void;
  /** Handles requests as they come, but sends a response only once the promise for its request resolves; rejected, it is lost. */
  hold: (wait: (request: StripeRequest) => Promise<void> | undefined) => void;
  stop: () => Promise<void>;
};

const PREFIXES: Record<string, string> = {
  customers: 'cus',
  products: 'prod',
  prices: 'price',
  'checkout/sessions': 'cs_test',
  subscriptions: 'sub',
  payment_intents: 'pi',
  disputes: 'du',
  'billing_portal/configurations': 'bpc',
  'billing_portal/sessions': 'bps',
};

/**
 * Stripe's API over HTTP, as far as the integration uses it: objects in memory, idempotency keys, lookup keys, expiry.
 * It stores what it is sent, so that a test reads back what Stripe would have.
 */
export async function startStripeApi(): Promise<StripeApi> {
  const store = new Map<string, Map<string, StripeObject>>();
  const answered = new Map<string, { fingerprint: string; result: Result }>();
  const requests: StripeRequest[] = [];
  let decide: (request: StripeRequest) => number | undefined = () => undefined;
  let wait: (request: StripeRequest) => Promise<void> | undefined = () => undefined;

  const collectionOf = (name: string) => {
    const collection = store.get(name) ?? new Map<string, StripeObject>();
    store.set(name, collection);
    return collection;
  };

  function handle({ method, path, params }: StripeRequest): Result {
    const name = Object.keys(PREFIXES).find((collection) => path === collection || path.startsWith(`${collection}/`));
    if (!name) return failure(404, 'Unrecognized request URL');
    if (method === 'POST' && isRefusedEmail(params)) {
      return failure(400, 'Invalid email address.', undefined, 'email_invalid');
    }
    const collection = collectionOf(name);
    const [id, action] = path.slice(name.length + 1).split('/');
    if (id === 'search') return search([...collection.values()], String(params.query));
    if (!id) return method === 'GET' ? list(expanded(collection, params), params) : create(name, collection, params);
    const object = collection.get(id);
    if (!object) return missing(name, id);
    if (action === 'expire') {
      if (object.status !== 'open') return failure(400, 'Only open sessions can be expired.');
      object.status = 'expired';
    } else if (method === 'DELETE') object.status = 'canceled';
    else if (method === 'POST') Object.assign(object, params);
    const isExpanded = Array.isArray(params.expand) && params.expand.includes('customer');
    const customer = isExpanded && collectionOf('customers').get(String(object.customer));
    return [200, customer ? { ...object, customer } : object];
  }

  /** `product` is what the integration expands in lists. */
  const expanded = (collection: Map<string, StripeObject>, { expand }: Params): StripeObject[] =>
    [...collection.values()].map((object) =>
      Array.isArray(expand) && expand.includes('data.product')
        ? { ...object, product: collectionOf('products').get(String(object.product)) ?? object.product }
        : object,
    );

  function create(name: string, collection: Map<string, StripeObject>, params: Params): Result {
    if (typeof params.customer === 'string' && !collectionOf('customers').has(params.customer)) {
      return missing('customer', params.customer);
    }
    if (name === 'billing_portal/sessions') {
      if (typeof params.configuration !== 'string') return failure(400, 'No configuration provided.');
      const configurations = collectionOf('billing_portal/configurations');
      if (!configurations.has(params.configuration)) return missing('configuration', params.configuration);
    }
    if (name === 'billing_portal/configurations' && portalProducts(params).length > 10) {
      return failure(400, 'Invalid products: at most 10.');
    }
    const owner = [...collection.values()].find((other) => params.lookup_key && other.lookup_key === params.lookup_key);
    if (owner && !params.transfer_lookup_key) return failure(400, 'A price already uses that lookup key.');
    if (owner) owner.lookup_key = null;
    const id = `${PREFIXES[name]}_${randomUUID()}`; // other tests store theirs in the same database
    const defaults = name === 'checkout/sessions' ? { status: 'open' } : { active: true };
    const object = { id, metadata: {}, url: `https://stripe.example/${id}`, ...defaults, ...params };
    collection.set(id, object);
    return [200, object];
  }

  const server = createServer(async (request, response) => {
    const sent = await readRequest(request);
    requests.push(sent);
    const [status, body] = structuredClone(replay(sent));
    try {
      await wait(sent);
    } catch {
      response.destroy();
      return;
    }
    response.writeHead(status, {
      ...{ 'content-type': 'application/json', 'request-id': `req_${requests.length}` },
      ...(status === 500 && { 'stripe-should-retry': 'false' }), // it would be the same response again
    });
    response.end(JSON.stringify(body));
  });

  function replay(sent: StripeRequest): Result {
    const fingerprint = JSON.stringify([sent.path, sent.params]);
    const earlier = sent.idempotencyKey ? answered.get(sent.idempotencyKey) : undefined;
    if (earlier && earlier.fingerprint !== fingerprint) return failure(400, 'Other parameters.', 'idempotency_error');
    if (earlier) return earlier.result;
    const status = decide(sent);
    const result = status ? saidByTest(status) : handle(sent);
    // What Stripe answered once it answers again, an error too, whatever has become of the object since.
    // Stripe does not store a conflict.
    if (sent.idempotencyKey && status !== 409)
      answered.set(sent.idempotencyKey, { fingerprint, result: structuredClone(result) });
    return result;
  }

  server.keepAliveTimeout = 0; // closes no idle connection at the moment that the SDK uses it again
  await once(server.listen(0, 'localhost'), 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    requests,
    all: <T>(collection: string) => [...collectionOf(collection).values()] as T[],
    put: (collection, object) => collectionOf(collection).set(object.id, object),
    clear: () => store.clear(),
    intercept: (next) => {
      decide = next;
    },
    hold: (next) => {
      wait = next;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readRequest(request: IncomingMessage): Promise<StripeRequest> {
  let text = '';
  for await (const chunk of request) text += chunk;
  const [path = '', query = ''] = (request.url ?? '').replace(/^\/v1\//, '').split('?');
  const { metadata, ...params } = qs.parse(text || query, { depth: 12 }) as Params;
  const idempotencyKey = request.headers['idempotency-key'];
  return {
    method: request.method ?? '',
    path,
    params: { ...(typed(params) as Params), ...(metadata !== undefined && { metadata }) },
    idempotencyKey: Array.isArray(idempotencyKey) ? idempotencyKey[0] : idempotencyKey,
  };
}

/** Numbers and booleans as Stripe stores them; metadata stays text. */
function typed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(typed);
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => [key, key === 'metadata' ? field : typed(field)]),
    );
  }
  if (value === 'true' || value === 'false') return value === 'true';
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
}

/** Newest first, in pages, with the filters that equal a field; `lookup_keys`, `created` and the status of subscriptions do not. */
function list(
  objects: StripeObject[],
  { limit = 10, starting_after, lookup_keys, created, expand: _expand, ...filters }: Params,
): Result {
  if (Array.isArray(lookup_keys) && lookup_keys.length > 10) return failure(400, 'Invalid lookup_keys: at most 10.');
  const { status, ...equal } = filters;
  const listed = (object: StripeObject) =>
    status === undefined ? object.status !== 'canceled' : status === 'all' || status === object.status;
  const matching = objects
    .filter((object) => listed(object) && Object.entries(equal).every(([field, value]) => object[field] === value))
    .filter((object) => !Array.isArray(lookup_keys) || lookup_keys.includes(object.lookup_key))
    .filter((object) => !created || Number(object.created ?? 0) >= Number((created as { gte: number }).gte));
  const rest = matching.reverse().slice(matching.findIndex(({ id }) => id === starting_after) + 1);
  const data = rest.slice(0, Number(limit));
  return [
    200,
    { object: 'list', data, has_more: data.length < rest.length, url: '' } satisfies Stripe.ApiList<StripeObject>,
  ];
}

/** One clause, as the integration sends it: `metadata['key']:'value'`. Case is ignored. */
function search(objects: StripeObject[], query: string): Result {
  const [, key, text] = /^metadata\['(\w+)'\]:'((?:[^'\\]|\\.)*)'$/.exec(query) ?? [];
  if (!key || text === undefined) return failure(400, 'The search query cannot be parsed.');
  const value = text.replace(/\\(.)/g, '$1').toLowerCase();
  const valueIn = ({ metadata = {} }: StripeObject) => (metadata as Record<string, string | undefined>)[key];
  const data = objects.filter((object) => valueIn(object)?.toLowerCase() === value);
  return [200, { object: 'search_result', data, has_more: false, next_page: null, url: '' }];
}

/** Stripe refuses addresses with other characters than those of ASCII. */
const isRefusedEmail = ({ email }: Params): boolean => typeof email === 'string' && /[^ -~]/.test(email);

const portalProducts = ({ features }: Params): unknown[] =>
  (features as Stripe.BillingPortal.ConfigurationCreateParams.Features).subscription_update?.products || [];

const failure = (status: number, message: string, type = 'invalid_request_error', code?: string): Result => [
  status,
  { error: { type, message, ...(code && { code }) } },
];

const saidByTest = (status: number) =>
  failure(status, 'As the test said.', 'invalid_request_error', status === 404 ? 'resource_missing' : undefined);

const missing = (kind: string, id: string) =>
  failure(404, `No such ${kind}: '${id}'`, 'invalid_request_error', 'resource_missing');
