import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { database } from '@/prisma/client';
import { fulfil } from './fulfil';

// Stripe's API over HTTP, with the subscriptions that a test puts there.
const subscriptions = new Map<string, () => Promise<object> | object>();
let server: Server;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const answer = await subscriptions.get(request.url?.split('/').at(-1) ?? '')?.();
    response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(answer ?? { error: { type: 'invalid_request_error', message: 'No such subscription' } }),
    );
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  vi.stubEnv('STRIPE_SECRET_KEY', 'sk_test_fulfil');
  vi.stubEnv('STRIPE_API_URL', `http://localhost:${(server.address() as AddressInfo).port}`);
});
afterAll(async () => {
  server.close();
  vi.unstubAllEnvs();
});

const idOf = (prefix: string) => `${prefix}_${randomUUID()}`;
const event = (type: string, object: object, created = 1_780_000_000) =>
  ({ id: idOf('evt'), type, created, data: { object } }) as unknown as Stripe.Event;
const subscriptionOf = (id: string, customer: string, fields: object = {}) => ({
  id,
  object: 'subscription',
  customer,
  status: 'active',
  cancel_at: null,
  cancel_at_period_end: false,
  items: { data: [{ current_period_end: 1_782_592_000, price: { lookup_key: 'studio_monthly' } }] },
  ...fields,
});

function* permutations<T>(items: T[]): Generator<T[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries()) {
    for (const rest of permutations(items.toSpliced(index, 1))) yield [item, ...rest];
  }
}

describe('plan, status and period from events in any order, with duplicates', () => {
  test('every order of a subscription’s events ends with what Stripe has', async () => {
    const [id, customer] = [idOf('sub'), idOf('cus')];
    const session = { id: idOf('cs'), subscription: id, customer, payment_status: 'paid' };
    const events = [
      event('checkout.session.completed', session),
      event('customer.subscription.created', subscriptionOf(id, customer, { status: 'incomplete' })),
      event('customer.subscription.updated', subscriptionOf(id, customer)),
      event('customer.subscription.deleted', subscriptionOf(id, customer, { status: 'canceled' })),
    ];
    subscriptions.set(id, () => subscriptionOf(id, customer, { status: 'canceled' }));
    for (const order of permutations(events)) {
      await database().shopSubscription.deleteMany({ where: { id } });
      for (const each of [...order, ...order]) await fulfil(each);
      const row = await database().shopSubscription.findUniqueOrThrow({ where: { id } });
      expect(row).toMatchObject({ status: 'canceled', plan: 'studio_monthly', stripeCustomerId: customer });
      expect(row.currentPeriodEnd?.toISOString()).toBe('2026-06-27T20:26:40.000Z');
    }
  });

  test('an answer that was asked for earlier and arrives later does not overwrite the newer one', async () => {
    const [id, customer] = [idOf('sub'), idOf('cus')];
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const asked = new Promise<void>((resolve) => {
      subscriptions.set(id, async () => {
        resolve();
        await held;
        return subscriptionOf(id, customer, { status: 'incomplete' });
      });
    });
    const slow = fulfil(event('customer.subscription.created', { id }));
    await asked;
    subscriptions.set(id, () => subscriptionOf(id, customer));
    await fulfil(event('customer.subscription.updated', { id }));
    letGo();
    await slow;
    expect((await database().shopSubscription.findUniqueOrThrow({ where: { id } })).status).toBe('active');
  });

  test('a subscription that ends with its period says when', async () => {
    const [id, customer] = [idOf('sub'), idOf('cus')];
    subscriptions.set(id, () => subscriptionOf(id, customer, { cancel_at_period_end: true }));
    await fulfil(event('customer.subscription.updated', { id }));
    const row = await database().shopSubscription.findUniqueOrThrow({ where: { id } });
    expect(row.cancelAt).toEqual(row.currentPeriodEnd);
  });

  test('while Stripe cannot be asked nothing is acknowledged', async () => {
    await expect(fulfil(event('customer.subscription.updated', { id: idOf('sub') }))).rejects.toThrow();
  });
});

describe('a plan that is paid once', () => {
  const sessionOf = (paymentIntent: string | null, fields: object = {}) => ({
    id: idOf('cs'),
    subscription: null,
    customer: idOf('cus'),
    payment_intent: paymentIntent,
    payment_status: 'paid',
    metadata: { plan: 'studio_lifetime' },
    ...fields,
  });
  const chargeOf = (paymentIntent: string, refunded: boolean) => ({
    id: idOf('ch'),
    customer: idOf('cus'),
    payment_intent: paymentIntent,
    refunded,
  });

  test('payment and refund end in one state, whichever comes first', async () => {
    const paymentIntentId = idOf('pi');
    const events = [
      event('checkout.session.completed', sessionOf(paymentIntentId), 1_780_000_000),
      event('charge.refunded', chargeOf(paymentIntentId, true), 1_780_086_400),
    ];
    const ends = [];
    for (const order of permutations(events)) {
      await database().shopPurchase.deleteMany({ where: { paymentIntentId } });
      for (const each of [...order, ...order]) await fulfil(each);
      const row = await database().shopPurchase.findUniqueOrThrow({ where: { paymentIntentId } });
      ends.push([row.plan, row.paidAt?.getTime(), row.refundedAt?.getTime()]);
    }
    expect(ends).toEqual([
      ['studio_lifetime', 1_780_000_000_000, 1_780_086_400_000],
      ['studio_lifetime', 1_780_000_000_000, 1_780_086_400_000],
    ]);
  });

  test('after a partial refund the plan stays', async () => {
    const paymentIntentId = idOf('pi');
    await fulfil(event('checkout.session.completed', sessionOf(paymentIntentId)));
    await fulfil(event('charge.refunded', chargeOf(paymentIntentId, false)));
    expect(await database().shopPurchase.findUniqueOrThrow({ where: { paymentIntentId } })).toMatchObject({
      refundedAt: null,
    });
  });

  test('a session that is completed before it is paid buys nothing until the money is there', async () => {
    const paymentIntentId = idOf('pi');
    const session = sessionOf(paymentIntentId, { payment_status: 'unpaid' });
    await fulfil(event('checkout.session.completed', session));
    expect(await database().shopPurchase.findUnique({ where: { paymentIntentId } })).toBeNull();
    await fulfil(event('checkout.session.async_payment_succeeded', { ...session, payment_status: 'paid' }));
    expect((await database().shopPurchase.findUniqueOrThrow({ where: { paymentIntentId } })).paidAt).not.toBeNull();
  });

  test('events that are not ours change nothing', async () => {
    await expect(fulfil(event('invoice.paid', { id: idOf('in') }))).resolves.toBeUndefined();
  });
});
