import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { click, newCustomer, serverLead, signStripe } from '../support/calls';
import { signClerk } from '../support/sign-clerk';
import { renderErrors, type SuiteApp, startSuiteApp } from './suite-app';

// Inputs that have the structure of real ones and values that break parsers, on every public route and page query. Whatever is
// sent, the app answers for it: no 5xx, no page that failed to render, and no connection that ends without a response.
// FUZZ_INPUTS=50000 is the proof.

const INPUTS = Number(process.env.FUZZ_INPUTS ?? 2500);
const AT_ONCE = 16;

let app: SuiteApp;
let knownClick: string;
let knownCustomer: string;

beforeAll(async () => {
  app = await startSuiteApp();
  knownClick = String((await click(app.url)).body.click_id);
  knownCustomer = newCustomer();
  expect((await serverLead(app.url, knownCustomer, knownClick)).status).toBe(200);
});
afterAll(() => app?.end());

const ODD_TEXTS = [
  ...['', ' ', '\0', 'a\0b', '\ud83d', '\u202e', '%00', '__proto__', '{}', '=1+1'],
  ...["' OR 1=1 --", '../../etc/passwd', 'https://[', 'javascript:alert(1)', '2026-13-45'],
  ...['9'.repeat(400), '1e999', '-0', 'NaN'],
];
const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  { weight: 2, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  fc.string({ minLength: 255, maxLength: 70_000 }),
);
const odd = fc.oneof(
  { weight: 4, arbitrary: oddText },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<unknown> },
  {
    weight: 1,
    arbitrary: fc.constantFrom(null, true, -1, 0, 1.5, 2 ** 53, 1e308, -(2 ** 63), [], {}, [
      [[]],
    ]) as fc.Arbitrary<unknown>,
  },
);
/** A value that the app knows, or an odd one. */
const orKnown = (...known: unknown[]) =>
  fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: odd });

type Input = {
  path: string;
  method?: string;
  body?: string | Uint8Array;
  headers?: Record<string, string>;
  /** The headers that sign the body. They name the time, so they are made when it is sent. */
  sign?: (body: string) => Record<string, string>;
};

const KEYS = ['SVC_API_KEY', 'SVC_OPEN_API_KEY'];
const authorization = fc
  .oneof(
    fc.constantFrom(...KEYS.map((name) => `Bearer ${process.env[name]}`)),
    fc.constantFrom('', 'Bearer', 'Basic eDp5', 'Bearer x'),
  )
  .map((value) => (value ? { authorization: value } : {}));
const contentType = fc.constantFrom(
  'application/json',
  'text/plain',
  'application/json; charset=utf-16',
  'multipart/form-data',
  '',
);

const encoded = (value: unknown) => {
  const text = typeof value === 'string' ? value : String(JSON.stringify(value));
  return encodeURIComponent(Buffer.from(text.slice(0, 2000)).toString());
};
const queryString = (names: string[]) =>
  fc
    .array(fc.tuple(fc.constantFrom(...names, '__proto__', 'constructor'), orKnown('lead', 'true', '10', '1')), {
      maxLength: 5,
    })
    .map((pairs) => pairs.map(([name, value]) => `${name}=${encoded(value)}`).join('&'));

/** A body of JSON, sometimes broken: cut off, with bytes that are not UTF-8, or with a field twice. */
const jsonBody = (fields: Record<string, fc.Arbitrary<unknown>>, requiredKeys: string[]) =>
  fc
    .tuple(
      fc.record(fields, { requiredKeys }),
      fc.dictionary(oddText, odd, { maxKeys: 2 }),
      fc.integer({ min: 0, max: 19 }),
      fc.nat(),
    )
    .map(([known, unknown, breakage, seed]) => {
      const text = JSON.stringify({ ...unknown, ...known });
      if (breakage === 0) return text.slice(0, seed % text.length);
      if (breakage === 1) return Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe, seed % 256])]);
      if (breakage === 2)
        return `${text.slice(0, -1)}${text.length > 2 ? ',' : ''}"__proto__":{"x":1},"customer_key":1}`;
      if (breakage === 3) return `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
      return text;
    });

const post = (
  path: string,
  fields: () => Record<string, fc.Arbitrary<unknown>>,
  requiredKeys: string[] = [],
): fc.Arbitrary<Input> =>
  fc
    .tuple(
      fc.constant(null).chain(() => jsonBody(fields(), requiredKeys)),
      authorization,
      contentType,
    )
    .map(([body, auth, type]) => ({
      path,
      method: 'POST',
      body,
      headers: { ...auth, ...(type && { 'content-type': type }) },
    }));

const additional = fc.record(
  { test_mode: orKnown(true, false), program_id: orKnown('prg_demo') },
  { requiredKeys: [] },
);
const customer = () => orKnown(knownCustomer, 'user_new');

const get = (path: string, names: string[]): fc.Arbitrary<Input> =>
  fc.tuple(queryString(names), authorization).map(([query, headers]) => ({ path: `${path}?${query}`, headers }));

const form = (path: string): fc.Arbitrary<Input> =>
  fc
    .tuple(queryString(['plan', 'resumed', 'price']), fc.constantFrom('same-origin', 'cross-site'))
    .map(([body, site]) => ({
      path,
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': site },
    }));

const webhook = (path: string, header: string): fc.Arbitrary<Input> =>
  fc.tuple(fc.string({ maxLength: 200 }), fc.stringMatching(/^[\x20-\x7e]{0,120}$/)).map(([body, signature]) => ({
    path,
    method: 'POST',
    body,
    headers: { [header]: signature, 'svix-id': 'msg_1', 'svix-timestamp': '1' },
  }));

/** Signed as its provider signs it, so that its content is read. */
const signed = (sign: NonNullable<Input['sign']>, ...request: Parameters<typeof post>) =>
  post(...request).map(({ body, ...input }): Input => ({ ...input, body: Buffer.from(body ?? '').toString(), sign }));

/** The fields that a user can influence vary; `type`, `data` and the user's ID are always as Clerk sends them. */
const clerkEvent = () => ({
  type: fc.constantFrom('user.created', 'user.updated'),
  data: fc.record(
    {
      id: fc.constantFrom(knownCustomer, 'user_fuzzed'),
      unsafe_metadata: fc.oneof(odd, fc.record({ svc_click_id: orKnown(knownClick) })),
      email_addresses: fc.array(fc.record({ id: odd, email_address: orKnown('ada@example.com') })),
      primary_email_address_id: odd,
      created_at: orKnown(1_700_000_000_000),
    },
    { requiredKeys: ['id'] },
  ),
});

const metadata = () =>
  fc.oneof(
    odd,
    fc.record({
      program_id: orKnown('prg_demo'),
      svc_customer_key: orKnown(knownCustomer),
      svc_click_id: orKnown(knownClick),
    }),
  );
const stripeEvent = () => ({
  id: orKnown('evt_1'),
  object: fc.constant('event'),
  type: orKnown(
    ...['checkout.session.completed', 'invoice.paid', 'payment_intent.succeeded', 'invoice_payment.paid'],
    ...['charge.refunded', 'refund.failed', 'charge.dispute.closed'],
  ),
  account: orKnown(undefined),
  livemode: orKnown(false, true),
  created: orKnown(1_700_000_000),
  data: fc.oneof(
    odd,
    fc.record({
      object: fc.record(
        {
          id: orKnown('in_fuzzed'),
          ...{ object: orKnown('invoice', 'charge'), mode: orKnown('payment'), payment_status: orKnown('paid') },
          ...{
            amount_paid: orKnown(1900),
            amount_received: orKnown(1900),
            amount_total: orKnown(1900),
            amount: orKnown(5),
          },
          ...{ amount_refunded: orKnown(5), currency: orKnown('usd'), created: orKnown(1_700_000_000) },
          ...{ payment_intent: orKnown('pi_fuzzed'), invoice: orKnown('in_fuzzed'), charge: orKnown('ch_fuzzed') },
          ...{ status: orKnown('paid', 'succeeded'), billing_reason: orKnown('subscription_cycle') },
          ...{ metadata: metadata(), lines: odd, payment: odd, subscription: odd },
          parent: fc.oneof(odd, fc.record({ subscription_details: fc.record({ metadata: metadata() }) })),
        },
        { requiredKeys: [] },
      ),
    }),
  ),
});
const signStripeForService = (body: string) => signStripe(body, process.env.SVC_STRIPE_WEBHOOK_SECRET ?? '');

const EVENT_FILTERS = ['kind', 'mode', 'test', 'partner', 'customer', 'click', 'from', 'to', 'cursor', 'format'];

/** The pages, with the names of their queries. */
const PAGES: Array<[path: string, names: string[]]> = [
  ['/', ['aff', 'x']],
  ['/pricing', ['aff']],
  ['/dashboard', ['range', 'from', 'to']],
  ['/dashboard/events', EVENT_FILTERS],
  ['/dashboard/customers', ['q', 'cursor']],
  ['/dashboard/partners', ['cursor', 'sort', 'range', 'from', 'to']],
  ['/checkout', ['plan', 'resume', 'problem']],
  ['/sign-up', ['plan', 'redirect_url']],
];

const inputs: fc.Arbitrary<Input> = fc.oneof(
  post('/api/v1/track/click', () => ({
    affiliate_url: orKnown('https://shop.example/?aff=ada'),
    program_id: orKnown('prg_demo', 'prg_open'),
    existing_click_id: orKnown(knownClick),
    page_url: odd,
    referrer_url: odd,
  })),
  post('/api/v1/track/lead', () => ({
    customer_key: customer(),
    click_id: orKnown(knownClick),
    email: orKnown('ada@example.com'),
    program_id: orKnown('prg_demo', 'prg_open'),
    additional_data: fc.oneof(additional, odd),
  })),
  post('/api/v1/track/sale', () => ({
    customer_key: customer(),
    amount_cents: orKnown(1900),
    transaction_id: orKnown('in_1'),
    currency: orKnown('usd', 'jpy'),
    subscription_id: odd,
    is_recurring: orKnown(true),
    additional_data: fc.oneof(additional, odd),
  })),
  get('/api/v1/events', ['kind', 'test', 'customer', 'cursor', 'limit']),
  fc
    .tuple(odd, authorization)
    .map(([id, headers]) => ({ path: `/api/v1/customers/${encoded(id) || 'x'}/email`, method: 'DELETE', headers })),
  fc
    .tuple(odd, fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'))
    .map(([path, method]) => ({ path: `/api/v1/${encoded(path)}`, method })),
  webhook('/api/v1/webhooks/stripe', 'stripe-signature'),
  webhook('/api/webhooks/stripe', 'stripe-signature'),
  webhook('/api/webhooks/clerk', 'svix-signature'),
  signed(signClerk, '/api/webhooks/clerk', clerkEvent, ['type', 'data']),
  signed(signStripeForService, '/api/v1/webhooks/stripe', stripeEvent),
  form('/api/checkout'),
  form('/api/billing'),
  form('/api/bank-transfer'), // part: demo
  get('/api/cron/outbox', ['x']),
  get('/api/metrics', ['x']),
  ...PAGES.map(([path, names]) => get(path, names)),
  get('/dashboard/events/export', EVENT_FILTERS),
  fc.tuple(odd).map(([id]) => ({ path: `/dashboard/customers/${encoded(id) || 'x'}` })),
);

const FAILED_PAGE = 'and a page with the error';

/** @returns the status; of a page that failed to render, a text with it */
async function send({ path, method = 'GET', body, headers = {}, sign }: Input): Promise<number | string> {
  const response = await fetch(app.url + path, {
    method,
    headers: { ...headers, ...sign?.(String(body)), connection: 'close' }, // a connection that is used again may be closed at that moment, whatever is sent
    redirect: 'manual',
    ...(body !== undefined && { body: body as BodyInit }),
  });
  const [digest] = renderErrors(await response.text());
  return digest === undefined ? response.status : `${response.status} ${FAILED_PAGE} ${digest}`;
}

type Results = { problems: string[]; statuses: Map<number, number> };

async function sendAll(inputs: Input[]): Promise<Results> {
  const [problems, statuses]: [string[], Map<number, number>] = [[], new Map()];
  const all = inputs.length;
  let repeated = 0;
  const worker = async () => {
    for (let input = inputs.pop(); input; input = inputs.pop()) {
      const attempt = () =>
        send(input as Input).catch((error: Error) => `no response: ${error.message}, ${error.cause}`);
      const first = await attempt();
      // 503 and a failed page may say that the database was busy, which sixteen at once may make it: then they are few, and
      // another attempt succeeds.
      const isRepeated = first === 503 || String(first).includes(FAILED_PAGE);
      if (isRepeated) repeated++;
      const status = isRepeated ? await attempt() : first;
      if (typeof status === 'number') statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (typeof status === 'string' || status >= 500)
        problems.push(`${status} ${JSON.stringify(input).slice(0, 2000)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  console.info({ ...Object.fromEntries(statuses), repeated });
  expect(repeated).toBeLessThanOrEqual(Math.ceil(all / 100));
  return { problems, statuses };
}

test('no page fails on an odd value, in any part of its query', async () => {
  const queries = PAGES.flatMap(([path, names]) => names.map((name) => `${path}?${name}=`));
  const paths = [...queries, '/dashboard/customers/'].flatMap((path) => ODD_TEXTS.map((text) => path + encoded(text)));
  const { problems } = await sendAll(paths.map((path) => ({ path })));
  expect(problems.slice(0, 3)).toEqual([]);
});

test(`none of ${INPUTS} inputs gets a 5xx, a page that failed or no response`, async () => {
  const seed = process.env.FUZZ_SEED && { seed: Number(process.env.FUZZ_SEED) };
  const { problems, statuses } = await sendAll(fc.sample(inputs, { numRuns: INPUTS, ...seed }));
  expect(problems.slice(0, 3)).toEqual([]);
  // The inputs are near enough to real ones that some are accepted, and far enough that others are refused.
  for (const status of [200, 400, 401])
    expect(statuses.get(status) ?? 0, `responses with ${status}`).toBeGreaterThan(INPUTS / 100);
  await vi.waitUntil(async () => (await fetch(`${app.url}/readyz`)).ok, { timeout: 30_000 });
});
