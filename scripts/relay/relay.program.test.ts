// The relay against the emulators, whose own deliveries are switched off. What it posts is verified by the providers' SDKs.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClerkClient } from '@clerk/backend';
import { verifyWebhook } from '@clerk/backend/webhooks';
import type Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectStripe } from '@/lib/integration/stripe/client';
import { startEmulators } from '../emulators.mjs';
import { type Environment, VARIABLES } from '../local-env.mjs';
import { freePort } from '../ports.mjs';
import { stripeEndpoints } from '../webhook-endpoints.mjs';
import type { Checkpoint } from './checkpoint';
import { clerkTargets, stripeTargets } from './endpoints';
import { ownEvents } from './ownership';
import { Relay, type Source } from './relay';
import { listNewUsers, listStripeEvents } from './sources';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

const CLERK = '/api/webhooks/clerk';
const SHOP = '/api/webhooks/stripe';
const SECRETS = {
  CLERK_WEBHOOK_SIGNING_SECRET: `whsec_${Buffer.from('the secret of Clerk here').toString('base64')}`,
  STRIPE_WEBHOOK_SECRET: 'whsec_shop',
  SVC_STRIPE_WEBHOOK_SECRET: 'whsec_service', // part: service
};

type Received = { path: string; headers: Headers; body: string };

/** The app: it receives, and responds as a test says. */
let received: Received[] = [];
let respond: (post: Received) => number | Promise<number> = () => 200;
const app = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const post = { path: request.url ?? '', headers, body };
  response.writeHead(await respond(post)).end();
  received.push(post);
});

/** The way to the emulators, which a test can close. */
let refusals: Array<{ status: number; retryAfter?: string }> = [];
let asked = 0;
const gate = createServer(async (request, response) => {
  asked += 1;
  const refusal = refusals.shift();
  if (refusal) {
    const headers = refusal.retryAfter === undefined ? {} : { 'retry-after': refusal.retryAfter };
    response.writeHead(refusal.status, headers).end('{}');
    return;
  }
  const { authorization = '' } = request.headers;
  const answer = await fetch(`${emulated.EMULATORS_URL}${request.url}`, { headers: { authorization } });
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
});

const urlOf = (server: typeof app) => `http://localhost:${(server.address() as AddressInfo).port}`;

let stopEmulators: () => Promise<void>;
let emulated: Record<string, string> = {};
let stripe: Stripe;

beforeAll(async () => {
  for (const server of [app, gate]) await once(server.listen(0, 'localhost'), 'listening');
  const ports = { port: 9, appPort: 9, emulatorsPort: await freePort('localhost') };
  const options = { appUrl: urlOf(app), ports, directory: 'memory://', isRecorded: false };
  const blanks = Object.fromEntries(VARIABLES.map((name) => [name, undefined]));
  ({ variables: emulated, stop: stopEmulators } = await startEmulators({ ...process.env, ...blanks }, options));
  const off = { method: 'POST', body: '{"mode":"off"}', headers: { 'content-type': 'application/json' } };
  expect((await fetch(`${emulated.EMULATORS_URL}/control/deliveries`, off)).ok).toBe(true);
  stripe = connectStripe(emulated.STRIPE_SECRET_KEY ?? '', emulated.STRIPE_API_URL);
});
afterAll(async () => {
  for (const server of [app, gate]) server.close();
  await stopEmulators();
});

const relays: Relay[] = [];
afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.stop()));
  received = [];
  refusals = [];
  respond = () => 200;
});

const env: Environment = { ...SECRETS };
const stripeApi = () => ({ url: urlOf(gate), key: emulated.STRIPE_SECRET_KEY ?? '' });
const clerkApi = () => ({ url: `${urlOf(gate)}/clerk`, key: emulated.CLERK_SECRET_KEY ?? '' });
const TYPES = [...new Set(stripeEndpoints(env).flatMap(({ events }) => events))]; // Stripe takes twenty

const stripeSource = (isOwnCustomer: (id: string) => Promise<boolean>): Source => {
  const isOwn = ownEvents(stripeApi(), { isOwnCustomer, programId: 'prg_demo' });
  return {
    name: 'Stripe',
    endpoints: stripeTargets(env, urlOf(app)),
    list: (since) => listStripeEvents(stripeApi(), TYPES, since),
    isOwn: ({ body }) => isOwn(body),
  };
};
const clerkSource = (): Source => ({
  name: 'Clerk',
  endpoints: clerkTargets(env, urlOf(app)),
  list: (since) => listNewUsers(clerkApi(), since),
  isOwn: async () => true,
});

/** Starts a relay. Its checkpoint is what a restart reads. */
function start(source: Source, from?: Checkpoint) {
  let checkpoint = from;
  const lines: string[] = [];
  const options = { checkpoint: from, pollMs: 50, firstWaitMs: 50, log: (line: string) => lines.push(line) };
  const relay = new Relay(source, {
    ...options,
    keep: (next) => {
      checkpoint = structuredClone(next);
    },
  });
  relays.push(relay);
  relay.start();
  return { relay, lines, checkpoint: () => checkpoint };
}

/** A customer who pays for a month. */
async function subscribe() {
  const product = await stripe.products.create({ name: 'Studio' });
  const recurring = { interval: 'month' } as const;
  const price = await stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 1900, recurring });
  const customer = await stripe.customers.create({ email: 'relay@example.com' });
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    default_payment_method: method.id,
  });
  return { customer: customer.id, subscription: subscription.id };
}

/** What the shop's endpoint gets when the first invoice is paid. */
const SUBSCRIBED = ['customer.subscription.created', 'customer.subscription.updated'];

/** As `expect.poll`, with the time that a busy machine takes. */
const eventually = <Value>(read: () => Value) => expect.poll(read, { timeout: 15_000, interval: 20 });

const at = (path: string) => received.filter((post) => post.path === path);
const eventsAt = (path: string) => at(path).map(({ body }) => JSON.parse(body) as Stripe.Event);
const aboutCustomer = (path: string, customer: string) =>
  eventsAt(path).filter(({ data: { object } }) => (object as { customer?: string }).customer === customer);

/** A few polls, in which what must not come would have come. */
const afterPolls = async () => {
  const before = asked;
  await eventually(() => asked).toBeGreaterThan(before + 2);
};

describe('Stripe', () => {
  test("an event reaches each endpoint that takes it once, signed with that endpoint's secret", async () => {
    const { customer } = await subscribe();
    start(stripeSource(async (id) => id === customer));
    await eventually(() => aboutCustomer(SHOP, customer).map(({ type }) => type)).toEqual(SUBSCRIBED);
    await afterPolls();
    expect(aboutCustomer(SHOP, customer)).toHaveLength(SUBSCRIBED.length);
    for (const { body, headers } of at(SHOP)) {
      const signature = headers.get('stripe-signature') ?? '';
      stripe.webhooks.constructEvent(body, signature, SECRETS.STRIPE_WEBHOOK_SECRET);
      expect(() => stripe.webhooks.constructEvent(body, signature, 'whsec_other')).toThrow();
    }
  });

  // part: service
  test("the tracking service's endpoint gets the payment, signed with its own secret", async () => {
    const { customer } = await subscribe();
    const service = '/api/v1/webhooks/stripe';
    start(stripeSource(async (id) => id === customer));
    await eventually(() =>
      aboutCustomer(service, customer)
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['invoice.paid', 'payment_intent.succeeded']);
    for (const { body, headers } of at(service)) {
      const signature = headers.get('stripe-signature') ?? '';
      stripe.webhooks.constructEvent(body, signature, SECRETS.SVC_STRIPE_WEBHOOK_SECRET);
    }
    expect(aboutCustomer(SHOP, customer).map(({ type }) => type)).toEqual(SUBSCRIBED);
  });
  // end: service

  test('the events of other customers in a shared account are ignored, and so are refunds of their charges', async () => {
    const [own, other] = [await subscribe(), await subscribe()];
    for (const { customer } of [other, own]) {
      const [charge] = (await stripe.charges.list({ customer })).data;
      await stripe.refunds.create({ charge: charge?.id ?? '', amount: 100 });
    }
    start(stripeSource(async (id) => id === own.customer));
    await eventually(() => aboutCustomer(SHOP, own.customer).map(({ type }) => type)).toContain('charge.refunded');
    await afterPolls();
    const foreign = received.filter(({ body }) => body.includes(other.customer) || body.includes(other.subscription));
    expect(foreign).toEqual([]);
  });

  test('what belongs to a customer that Stripe no longer knows is ignored, and holds up nothing', async () => {
    const isOwn = ownEvents(stripeApi(), { isOwnCustomer: async () => true, programId: 'prg_demo' });
    const refund = { data: { object: { object: 'refund', charge: 'ch_gone' } } };
    expect(await isOwn(JSON.stringify(refund))).toBe(false);
  });

  test('a payment without a customer is told by its program', async () => {
    const isOwn = ownEvents(stripeApi(), { isOwnCustomer: async () => false, programId: 'prg_demo' });
    const paid = (program_id: string) => JSON.stringify({ data: { object: { metadata: { program_id } } } });
    expect(await isOwn(paid('prg_demo'))).toBe(true);
    expect(await isOwn(paid('prg_other'))).toBe(false);
  });

  test('a restart posts nothing again, and what has happened in between', async () => {
    const first = await subscribe();
    const second = { customer: '' };
    const source = () => stripeSource(async (id) => id === first.customer || id === second.customer);
    const run = start(source());
    await eventually(() => aboutCustomer(SHOP, first.customer)).toHaveLength(SUBSCRIBED.length);
    await run.relay.stop();
    received = [];
    second.customer = (await subscribe()).customer;
    start(source(), run.checkpoint());
    await eventually(() => aboutCustomer(SHOP, second.customer)).toHaveLength(SUBSCRIBED.length);
    await afterPolls();
    expect(aboutCustomer(SHOP, first.customer)).toEqual([]);
  });

  test('an endpoint that fails gets the event again, and holds up no other', async () => {
    respond = ({ path }) => (path === SHOP ? 500 : 200);
    const { customer } = await subscribe();
    const { lines } = start(stripeSource(async (id) => id === customer));
    await eventually(() => aboutCustomer(SHOP, customer).length).toBeGreaterThan(2 * SUBSCRIBED.length);
    await eventually(() => aboutCustomer('/api/v1/webhooks/stripe', customer).length).toBeGreaterThan(0); // part: service
    expect(lines.filter((line) => line.includes('Retrying'))).toHaveLength(SUBSCRIBED.length);
    respond = () => 200;
    await eventually(() => lines.filter((line) => line.includes(`to ${SHOP}: 200`))).toHaveLength(SUBSCRIBED.length);
    const count = aboutCustomer(SHOP, customer).length;
    await afterPolls();
    expect(aboutCustomer(SHOP, customer)).toHaveLength(count);
  });

  test('what an endpoint has not taken before a restart, it gets after it', async () => {
    respond = ({ path }) => (path === SHOP ? 503 : 200);
    const { customer } = await subscribe();
    const source = () => stripeSource(async (id) => id === customer);
    const run = start(source());
    await eventually(() => aboutCustomer(SHOP, customer).length).toBeGreaterThan(0);
    await run.relay.stop();
    const taken = new Set(received.filter(({ path }) => path !== SHOP).map(({ body }) => body));
    received = [];
    respond = () => 200;
    start(source(), run.checkpoint());
    await eventually(() => aboutCustomer(SHOP, customer)).toHaveLength(SUBSCRIBED.length);
    await afterPolls();
    expect(received.filter(({ body }) => taken.has(body))).toEqual([]);
  });

  test('a stop does not wait for an endpoint that hangs, and the next run posts the event again', async () => {
    let release = () => {};
    const hanging = new Promise<number>((resolve) => {
      release = () => resolve(200);
    });
    let posts = 0;
    respond = ({ path }) => {
      if (path !== SHOP) return 200;
      posts += 1;
      return hanging;
    };
    const { customer } = await subscribe();
    const source = () => stripeSource(async (id) => id === customer);
    const run = start(source());
    await eventually(() => posts).toBeGreaterThan(0);
    const stoppedAt = Date.now();
    await run.relay.stop();
    expect(Date.now() - stoppedAt).toBeLessThan(8_000);
    release();
    respond = () => 200;
    start(source(), run.checkpoint());
    await eventually(() => aboutCustomer(SHOP, customer)).toHaveLength(1 + SUBSCRIBED.length);
  });

  test('a renewal on a test clock, whose events are in the future, arrives, and later events still do', async () => {
    const clock = await stripe.testHelpers.testClocks.create({ frozen_time: Math.floor(Date.now() / 1000) });
    const onClock = await stripe.customers.create({ test_clock: clock.id, email: 'clock@example.com' });
    const customers = new Set([onClock.id]);
    start(stripeSource(async (id) => customers.has(id)));
    const month = clock.frozen_time + 40 * 86_400;
    const [price] = (await stripe.prices.list({ active: true, limit: 1 })).data;
    const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: onClock.id });
    const items = [{ price: price?.id ?? '' }];
    await stripe.subscriptions.create({ customer: onClock.id, items, default_payment_method: method.id });
    await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: month });
    const ofFuture = () => aboutCustomer(SHOP, onClock.id).filter(({ created }) => created > clock.frozen_time);
    await eventually(() => ofFuture().map(({ type }) => type)).toEqual(['customer.subscription.updated']);
    const { customer } = await subscribe();
    customers.add(customer);
    await eventually(() => aboutCustomer(SHOP, customer)).toHaveLength(SUBSCRIBED.length);
  });

  test('after 429 it waits as long as it is told, and continues', async () => {
    refusals = [{ status: 429, retryAfter: '1' }];
    const { customer } = await subscribe();
    const startedAt = Date.now();
    const { lines } = start(stripeSource(async (id) => id === customer));
    await eventually(() => aboutCustomer(SHOP, customer)).toHaveLength(SUBSCRIBED.length);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(1_000);
    expect(lines.join('\n')).toContain('429: too many requests. Polling again in 1 s.');
    expect(lines.join('\n')).toContain('polling works again');
  });

  test('an outage of the provider is waited for, and said once', async () => {
    refusals = Array.from({ length: 3 }, () => ({ status: 500 }));
    const { customer } = await subscribe();
    const { lines } = start(stripeSource(async (id) => id === customer));
    await eventually(() => aboutCustomer(SHOP, customer)).toHaveLength(SUBSCRIBED.length);
    expect(lines.filter((line) => line.includes('responds with 500'))).toHaveLength(1);
  });
});

describe('Clerk', () => {
  const newUser = async () => {
    const { users } = createClerkClient({
      apiUrl: emulated.CLERK_API_URL ?? '',
      secretKey: emulated.CLERK_SECRET_KEY ?? '',
    });
    const emailAddress = [`relay${Date.now()}@example.com`];
    return users.createUser({ emailAddress, skipPasswordRequirement: true, unsafeMetadata: { svc_click_id: 'clk_1' } });
  };

  test('a new user arrives once as user.created with the metadata, verified by Clerk’s own SDK', async () => {
    const { id } = await newUser();
    const run = start(clerkSource());
    const posts = () => at(CLERK).filter(({ body }) => body.includes(id));
    await eventually(posts).toHaveLength(1);
    const [post] = posts();
    const request = new Request('http://localhost', {
      method: 'POST',
      body: post?.body ?? '',
      headers: post?.headers ?? {},
    });
    const event = await verifyWebhook(request, { signingSecret: SECRETS.CLERK_WEBHOOK_SIGNING_SECRET });
    expect(event).toMatchObject({ type: 'user.created', data: { id, unsafe_metadata: { svc_click_id: 'clk_1' } } });
    await afterPolls();
    await run.relay.stop();
    start(clerkSource(), run.checkpoint());
    const next = await newUser();
    await eventually(() => at(CLERK).filter(({ body }) => body.includes(next.id))).toHaveLength(1);
    expect(posts()).toHaveLength(1);
  });
});

test('the emulators themselves deliver nothing, and hold for each endpoint its own events', async () => {
  await subscribe();
  const response = await fetch(`${emulated.EMULATORS_URL}/control/deliveries?limit=500`);
  type Delivery = { url: string; event_type: string; attempts: unknown[] };
  const { data } = (await response.json()) as { data: Delivery[] };
  expect(data.flatMap(({ attempts }) => attempts)).toEqual([]);
  for (const { path, events } of stripeEndpoints(env)) {
    const types = data.filter(({ url }) => url.endsWith(path)).map(({ event_type: type }) => type);
    expect(types, path).not.toEqual([]);
    expect(
      types.filter((type) => !events.some((event) => event === type)),
      path,
    ).toEqual([]);
  }
});
