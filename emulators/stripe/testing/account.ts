// For tests: a separate account in memory, the real SDK in front of it, and customers who pay. Every response is
// checked against the schemas made from the SDK's types, so that each test also tests the shape of the responses.
import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import Stripe from 'stripe';
import { afterAll, expect } from 'vitest';
import type { Config } from '../../core/config';
import { IN_MEMORY } from '../../core/database';
import { openEmulator } from '../../core/emulator';
import { giveBackDatabase, takeDatabase } from '../../core/testing/spare-database';
import { changeAccount } from '../account';
import { completeSession } from '../checkout/pay';
import { enterSession } from '../checkout/plan';
import { advanceClock, type ClockChange, stripeApi } from '../index';
import { schemaProblems } from '../schema/validate';

export const METADATA = { click: 'clk_1', customer_key: 'user_1', program_id: 'prg_demo' };
export const DAY = 86_400;
export const SUCCESS_URL = 'http://localhost:1/done';
export const VISA = '4242424242424242';

/** A response that the SDK's own types would not allow. */
class SchemaMismatch extends Error {}

export const newEmail = (): string => `${randomUUID()}@example.com`;

type Wanted = {
  email?: string;
  number?: string;
  account?: string;
  trialDays?: number;
  amount?: number;
  coupon?: string;
  promotionCode?: string;
  interval?: 'month' | 'year';
};

export type Account = Awaited<ReturnType<typeof openAccount>>;

/** Opens an account for the tests of one file; afterwards, it is closed and all of its events are checked. */
export async function openAccount(over: Partial<Config> = {}) {
  const database = await takeDatabase();
  const config: Config = {
    appUrl: 'http://localhost:1',
    url: 'http://localhost:3001',
    directory: IN_MEMORY,
    clerkWebhook: null,
    stripeWebhooks: [],
    appName: 'Acme',
    ...over,
  };
  const emulator = await openEmulator(config, { database });
  const app = new Hono().route('/v1', stripeApi(emulator));

  async function send(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    const { pathname } = new URL(request.url);
    const response = await app.fetch(request);
    const body = (await response.clone().json()) as { deleted?: true };
    const problems = response.ok && !body.deleted ? schemaProblems(body) : [];
    if (problems.length > 0) throw new SchemaMismatch(`${request.method} ${pathname}\n${problems.join('\n')}`);
    return response;
  }

  const clientFor = (key: string): Stripe => {
    const httpClient = Stripe.createFetchHttpClient(send as typeof fetch);
    return new Stripe(key, { httpClient, telemetry: false, maxNetworkRetries: 0 });
  };
  const stripe = clientFor(emulator.secrets.stripeSecretKey);

  afterAll(async () => {
    for await (const event of stripe.events.list({ limit: 100 })) expect(event.object).toBe('event');
    await emulator.close();
    giveBackDatabase(database);
  }, 60_000);

  /** A price with its own product. */
  async function newPrice({ amount = 1900, currency = 'usd', interval = 'month' as 'month' | 'year' } = {}) {
    const product = await stripe.products.create({ name: `Studio ${interval}` });
    return stripe.prices.create({ product: product.id, currency, unit_amount: amount, recurring: { interval } });
  }

  /** Pays a session as the hosted page does; `number: null` if no card is asked for. */
  const pay = (
    session: string,
    email: string,
    { number = VISA, account, country }: { number?: string | null; account?: string; country?: string } = {},
  ): Promise<void> =>
    changeAccount(emulator, async (store) =>
      completeSession(store, await enterSession(store, session), {
        email,
        name: 'Ada',
        country,
        card: number && !account ? { number, expMonth: 12, expYear: 2034 } : null,
        ...(account && { bank: { routingNumber: '110000000', accountNumber: account } }),
      }),
    );

  /** A new customer with a subscription of their own, paid in Checkout. */
  async function subscribe({ email = newEmail(), trialDays, amount, interval, ...wanted }: Wanted = {}) {
    const { coupon, promotionCode, ...means } = wanted;
    const price = await newPrice({ ...(amount && { amount }), ...(interval && { interval }) });
    const { id } = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer_email: email,
      line_items: [{ price: price.id, quantity: 1 }],
      success_url: SUCCESS_URL,
      metadata: METADATA,
      subscription_data: { metadata: METADATA, ...(trialDays && { trial_period_days: trialDays }) },
      ...(coupon && { discounts: [{ coupon }] }),
      ...(promotionCode && { discounts: [{ promotion_code: promotionCode }] }),
    });
    await pay(id, email, means);
    const session = await stripe.checkout.sessions.retrieve(id);
    return { email, session, price, subscription: String(session.subscription), customer: String(session.customer) };
  }

  /** A one-time payment, and its intent. */
  async function buy({ amount = 39_900, currency = 'usd', number = VISA } = {}) {
    const email = newEmail();
    const { id } = await stripe.checkout.sessions.create({
      mode: 'payment',
      customer_email: email,
      line_items: [{ price_data: { currency, unit_amount: amount, product_data: { name: 'Lifetime' } }, quantity: 1 }],
      success_url: SUCCESS_URL,
      metadata: METADATA,
      payment_intent_data: { metadata: METADATA },
    });
    await pay(id, email, { number });
    const session = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] });
    return { email, session, paymentIntent: session.payment_intent as Stripe.PaymentIntent };
  }

  /** A subscription's invoices, newest first, with the fields that tests look at. */
  async function invoicesOf(subscription: string) {
    const { data } = await stripe.invoices.list({ subscription });
    return data.map((invoice) => ({
      reason: invoice.billing_reason,
      total: invoice.total,
      status: invoice.status,
      metadata: invoice.parent?.subscription_details?.metadata,
    }));
  }

  /** The newest events about an object, oldest first. */
  async function eventsAbout(id: string) {
    const { data } = await stripe.events.list({ limit: 100 });
    return data.filter(({ data: { object } }) => (object as { id?: string }).id === id).reverse();
  }

  const typesAbout = async (id: string) => (await eventsAbout(id)).map(({ type }) => type as string);

  const advance = (customer: string, change: ClockChange | number) =>
    advanceClock(emulator, { customer, ...(typeof change === 'number' ? { advance_seconds: change } : change) });

  return {
    ...{ emulator, app, stripe, clientFor, newPrice, pay, subscribe, buy },
    ...{ invoicesOf, eventsAbout, typesAbout, advance },
  };
}
