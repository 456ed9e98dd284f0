import fc from 'fast-check';
import Stripe from 'stripe';
import { afterAll, beforeAll, expect, onTestFailed, test, vi } from 'vitest';
import { createId } from '@/lib/service/ids';
import { closeDatabases, database } from '@/prisma/client';
// biome-ignore lint/style/noRestrictedImports: a test of the emulators, removed with them
import { schemaProblems } from '../../emulators/stripe/schema/validate';
import { startEmulators } from '../../scripts/emulators.mjs';
import { freePort } from '../../scripts/ports.mjs';
import { stripeEndpoints } from '../../scripts/webhook-endpoints.mjs';
import { deliver } from '../support/payment-events';
import { aProgram } from '../support/program';
import { startTestDatabase } from '../support/test-database';
import { unique } from '../support/unique';

// Random lives of customers at the Stripe emulator, through the real SDK. Every event of them has the shape of the SDK's types. They
// reach the service shuffled and doubled; then the service's sales are those of the emulator's books: its invoices, PaymentIntents,
// charges and disputes. The emulator pays an invoice with one payment; stripe-histories.ts writes the events of several.

const CUSTOMERS = Number(process.env.EMULATOR_CUSTOMERS ?? 12);
/** Decides the lives and the order of the events; a red run prints it. */
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);

const CHANGES = ['renew', 'change', 'refund', 'credit note', 'lost dispute'] as const;

type Life = {
  way: 'subscription' | 'payment' | 'capture';
  cents: number;
  tax: { percentage: number; inclusive: boolean };
  creditCents: number;
  later: Array<{ do: (typeof CHANGES)[number]; cents: number }>;
};

const lives: fc.Arbitrary<Life> = fc.record({
  way: fc.constantFrom('subscription', 'subscription', 'payment', 'capture'),
  cents: fc.integer({ min: 500, max: 20_000 }),
  tax: fc.record({ percentage: fc.constantFrom(0, 7, 19, 20), inclusive: fc.boolean() }),
  creditCents: fc.constantFrom(0, 0, 700, 30_000),
  later: fc.array(
    fc.record({
      do: fc.constantFrom(...CHANGES),
      cents: fc.integer({ min: 1, max: 20_000 }),
    }),
    { maxLength: 4 },
  ),
});

/** One life for each change, which nothing may refuse. */
const certain: Life[] = CHANGES.map((change) => ({
  ...{ way: 'subscription', cents: 2_000, tax: { percentage: 19, inclusive: false }, creditCents: 0 },
  later: [{ do: change, cents: 300 }],
}));

let emulators: Awaited<ReturnType<typeof startEmulators>>;
let service: Awaited<ReturnType<typeof startTestDatabase>>;
let stripe: Stripe;

beforeAll(async () => {
  service = await startTestDatabase();
  await closeDatabases();
  vi.stubEnv('DATABASE_URL', service.url);
  const env = { ...process.env, STRIPE_SECRET_KEY: '', CLERK_SECRET_KEY: '', NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: '' };
  const ports = { port: 0, appPort: 0, emulatorsPort: await freePort('localhost') };
  emulators = await startEmulators(env, {
    appUrl: 'http://localhost:1',
    ports,
    directory: 'memory://',
    isRecorded: false,
  });
  const { STRIPE_API_URL = '', STRIPE_SECRET_KEY = '' } = emulators.variables;
  const { hostname, port } = new URL(STRIPE_API_URL);
  stripe = new Stripe(STRIPE_SECRET_KEY, { host: hostname, port, protocol: 'http', telemetry: false });
});
afterAll(async () => {
  await closeDatabases();
  vi.unstubAllEnvs();
  await Promise.all([emulators?.stop(), service?.stop()]);
});

/**
 * Lives one life. What Stripe refuses, as a refund of what was refunded already, did not happen.
 * @returns the customer, and what happened later
 */
async function live({ way, cents, tax, creditCents, later }: Life, metadata: Record<string, string>) {
  const { id: customer } = await stripe.customers.create({
    email: `${unique('c')}@example.com`,
    balance: -creditCents,
  });
  const card = later.some((one) => one.do === 'lost dispute') ? 'pm_card_createDispute' : 'pm_card_visa';
  const { id: payment_method } = await stripe.paymentMethods.attach(card, { customer });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: payment_method } });
  const newPrice = async (unit_amount: number) => {
    const { id: product } = await stripe.products.create({ name: 'Plan' });
    return (await stripe.prices.create({ product, currency: 'usd', unit_amount, recurring: { interval: 'month' } })).id;
  };
  let subscription: Stripe.Subscription | undefined;
  if (way === 'subscription') {
    const rate = await stripe.taxRates.create({ display_name: 'VAT', ...tax });
    const items = [{ price: await newPrice(cents), tax_rates: [rate.id] }];
    subscription = await stripe.subscriptions.create({ customer, items, metadata });
  } else {
    const capture_method = way === 'capture' ? 'manual' : 'automatic';
    const once = {
      amount: cents,
      currency: 'usd',
      customer,
      payment_method,
      confirm: true,
      metadata,
      off_session: true,
    };
    const intent = await stripe.paymentIntents.create({ ...once, capture_method });
    if (way === 'capture') await stripe.paymentIntents.capture(intent.id, { amount_to_capture: Math.ceil(cents / 3) });
  }
  const step = async (one: Life['later'][number]) => {
    const [charge] = (await stripe.charges.list({ customer, limit: 1 })).data;
    const [invoice] = (await stripe.invoices.list({ customer, limit: 1 })).data;
    if (one.do === 'renew' && subscription) return advance({ to_next_renewal: true, customer }).then(() => true);
    if (one.do === 'change' && subscription) {
      const items = [{ id: subscription.items.data[0]?.id ?? '', price: await newPrice(one.cents + 500) }];
      return stripe.subscriptions.update(subscription.id, { items, proration_behavior: 'always_invoice' });
    }
    if (one.do === 'refund' && charge) return stripe.refunds.create({ charge: charge.id, amount: one.cents });
    if (one.do === 'credit note' && invoice) {
      return stripe.creditNotes.create({ invoice: invoice.id, amount: one.cents, refund_amount: one.cents });
    }
    const [dispute] = charge ? (await stripe.disputes.list({ charge: charge.id })).data : [];
    if (one.do === 'lost dispute' && dispute) return stripe.disputes.close(dispute.id);
  };
  const happened: string[] = [];
  for (const one of later) {
    const result = await step(one).catch((error) => {
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
    });
    if (result) happened.push(one.do);
  }
  return { customer, happened };
}

async function advance(change: object): Promise<void> {
  const response = await fetch(`${emulators.variables.EMULATORS_URL}/control/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(change),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
}

/** `transaction ID, amount, refunded` of each payment of a customer, from what the emulator says of it now. */
async function booksOf(customer: string): Promise<string[]> {
  const charges = await stripe.charges.list({ customer, limit: 100 }).autoPagingToArray({ limit: 1000 });
  const disputes = await stripe.disputes.list({ limit: 100 }).autoPagingToArray({ limit: 1000 });
  const returnedOf = (intents: unknown[]) =>
    charges
      .filter(({ payment_intent, status }) => status === 'succeeded' && intents.includes(payment_intent))
      .map(({ id, amount, amount_captured, amount_refunded }) => {
        const lost = disputes.filter(({ charge, status }) => charge === id && status === 'lost');
        return amount_refunded - (amount - amount_captured) + lost.reduce((sum, dispute) => sum + dispute.amount, 0);
      })
      .reduce((sum, cents) => sum + cents, 0);
  const line = (id: string, paid: number, net: number, total: number, intents: unknown[]) => {
    const debt = Math.max(0, paid - total); // of an earlier invoice, collected with this one
    const amount = Math.floor(((paid - debt) * net * 2 + total) / (total * 2)) + debt;
    return amount > 0 ? [`${id} ${amount} ${Math.floor((amount * Math.min(returnedOf(intents), paid)) / paid)}`] : [];
  };
  const invoices = await stripe.invoices
    .list({ customer, status: 'paid', limit: 100, expand: ['data.payments'] })
    .autoPagingToArray({ limit: 1000 });
  const byInvoice = invoices.flatMap(({ id, amount_paid, total, total_taxes, payments }) => {
    const tax = (total_taxes ?? []).reduce((sum, one) => sum + one.amount, 0);
    const intents = (payments?.data ?? []).map(({ payment }) => payment.payment_intent);
    return amount_paid > 0 ? line(id ?? '', amount_paid, total - tax, total, intents) : [];
  });
  const ofInvoices = new Set(
    invoices.flatMap(({ payments }) => payments?.data.map((one) => one.payment.payment_intent)),
  );
  const { data: intents } = await stripe.paymentIntents.list({ customer, limit: 100 });
  const alone = intents.filter(({ id, amount_received }) => amount_received > 0 && !ofInvoices.has(id));
  return [...byInvoice, ...alone.flatMap(({ id, amount_received: paid }) => line(id, paid, paid, paid, [id]))];
}

const [, endpoint] = stripeEndpoints({}); // the service's

test(`after the random lives of ${CUSTOMERS} customers of the emulator, the sales and refunds are those of its books`, async () => {
  onTestFailed(() => console.error(`SEED=${SEED} lives the same lives again.`));
  const { programId } = await aProgram();
  const books: string[] = [];
  const sampled = fc.sample(lives, { numRuns: CUSTOMERS, seed: SEED });
  for (const life of [...certain, ...sampled]) {
    const customerKey = unique('user');
    await database().lead.create({
      data: { id: createId('led'), programId, test: false, customerKey, settledBy: 'server', createdAt: new Date() },
    });
    const { customer, happened } = await live(life, { program_id: programId, svc_customer_key: customerKey });
    if (certain.includes(life)) expect(happened).toEqual(life.later.map((one) => one.do));
    books.push(...(await booksOf(customer)));
  }
  const events = await stripe.events.list({ limit: 100 }).autoPagingToArray({ limit: 10_000 });
  expect(events.flatMap((event) => schemaProblems(event).map((problem) => `${event.type}: ${problem}`))).toEqual([]);
  const received = events.filter(({ type }) => endpoint?.events.some((event) => event === type));
  const twice = fc.shuffledSubarray([...received, ...received], { minLength: received.length * 2 });
  const [shuffled = []] = fc.sample(twice, { numRuns: 1, seed: SEED });
  for (const event of shuffled) {
    expect(await deliver(event)).toMatchObject({ ok: true }); // taken from the API, and signed here
  }
  const sales = await database().sale.findMany({ where: { programId } });
  const recorded = sales.map((sale) => `${sale.transactionId} ${sale.amountCents} ${sale.refundedCents}`);
  expect(recorded.sort()).toEqual(books.sort());
  const charged = [...certain, ...sampled].filter(
    ({ way, creditCents }) => way !== 'subscription' || creditCents === 0,
  );
  expect(books.length).toBeGreaterThanOrEqual(charged.length); // a credit may pay for all of a subscription
}, 600_000);
