import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { database } from '@/prisma/client';
import { permutations } from '@/tests/support/permutations';
import { type StripeApi, startStripeApi } from '@/tests/support/stripe-api';
import { idOf, priceOf, sessionOf, subscriptionOf } from '@/tests/support/stripe-objects';

let stripe: StripeApi;
let { fulfil, refreshSubscription } = {} as typeof import('./fulfil');
let { findEntitlement } = {} as typeof import('./holdings');

beforeAll(async () => {
  stripe = await startStripeApi();
  vi.stubEnv('NEXT_PUBLIC_SVC_PROGRAM_ID', '123');
  vi.stubEnv('NEXT_PUBLIC_SVC_BASE_URL', 'https://svc.example.com');
  vi.stubEnv('STRIPE_SECRET_KEY', 'sk_test_fulfil');
  vi.stubEnv('STRIPE_API_URL', stripe.url);
  vi.resetModules();
  ({ fulfil, refreshSubscription } = await import('./fulfil'));
  ({ findEntitlement } = await import('./holdings'));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  vi.resetModules();
  await stripe.stop();
});

const event = (type: string, object: object, created = 1_780_000_000) =>
  ({ id: idOf('evt'), type, created, data: { object } }) as unknown as Stripe.Event;
/** The paid session of a subscription. */
const subscriptionSession = (subscription: string, customer: string, metadata: object = {}) => ({
  ...{ id: idOf('cs'), mode: 'subscription', subscription, customer, payment_status: 'paid' },
  metadata: { plan: 'studio_monthly', ...metadata },
});

/** Runs a statement whenever the purchase with this payment is about to be stored, until the test ends. */
async function beforePurchase(payment: string, statement: string): Promise<void> {
  onTestFinished(async () => {
    await database().$executeRaw`DROP FUNCTION IF EXISTS before_purchase CASCADE`;
  });
  await database().$executeRawUnsafe(
    `CREATE FUNCTION before_purchase() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN NEW; END $$`,
  );
  await database().$executeRawUnsafe(
    `CREATE TRIGGER before_purchase BEFORE INSERT ON shop_purchases FOR EACH ROW
      WHEN (NEW.payment_intent_id = '${payment}') EXECUTE FUNCTION before_purchase()`,
  );
}

test('an event of a connected account is acknowledged, and Stripe is asked nothing', async () => {
  const id = idOf('sub');
  const connected = event('customer.subscription.updated', subscriptionOf(id, idOf('cus')));
  await fulfil({ ...connected, account: 'acct_connected' });
  expect(stripe.requests.filter(({ path }) => path.includes(id))).toEqual([]);
  expect(await database().shopSubscription.findUnique({ where: { id } })).toBeNull();
});

describe('plan, status and period from events in any order, with duplicates', () => {
  test('every order of a subscription’s events ends with what Stripe has', async () => {
    const [id, customer] = [idOf('sub'), idOf('cus')];
    const session = subscriptionSession(id, customer);
    const events = [
      event('checkout.session.completed', session),
      event('customer.subscription.created', subscriptionOf(id, customer, { status: 'incomplete' })),
      event('customer.subscription.updated', subscriptionOf(id, customer)),
      event('customer.subscription.deleted', subscriptionOf(id, customer, { status: 'canceled' })),
    ];
    stripe.put('subscriptions', subscriptionOf(id, customer, { status: 'canceled' }));
    for (const order of permutations(events)) {
      await database().shopSubscription.deleteMany({ where: { id } });
      for (const each of [...order, ...order]) await fulfil(each);
      const row = await database().shopSubscription.findUniqueOrThrow({ where: { id } });
      expect(row).toMatchObject({ status: 'canceled', plan: 'studio_monthly', stripeCustomerId: customer });
      expect(row.currentPeriodEnd?.toISOString()).toBe('2026-06-27T20:26:40.000Z');
    }
    expect(await database().shopPurchase.findMany({ where: { stripeCustomerId: customer } })).toEqual([]); // none is for ever
  });

  test.each(['paused', 'resumed'])('%s makes the shop ask for the subscription, too', async (change) => {
    const id = idOf('sub');
    stripe.put('subscriptions', subscriptionOf(id, idOf('cus'), { status: 'paused' }));
    await fulfil(event(`customer.subscription.${change}`, { id }));
    expect(await database().shopSubscription.findUnique({ where: { id } })).toMatchObject({ status: 'paused' });
  });

  test('a result that was asked for earlier and arrives later does not overwrite the newer one', async () => {
    const [id, customer] = [idOf('sub'), idOf('cus')];
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const asked = new Promise<void>((resolve) => {
      stripe.hold(({ path }) => {
        if (path !== `subscriptions/${id}`) return undefined;
        resolve();
        return held;
      });
    });
    stripe.put('subscriptions', subscriptionOf(id, customer, { status: 'incomplete' }));
    const slow = fulfil(event('customer.subscription.created', { id }));
    await asked;
    stripe.hold(() => undefined);
    stripe.put('subscriptions', subscriptionOf(id, customer));
    await fulfil(event('customer.subscription.updated', { id }));
    letGo();
    await slow;
    expect((await database().shopSubscription.findUniqueOrThrow({ where: { id } })).status).toBe('active');
  });

  test('50 parallel events of one subscription draw 50 fencing tokens', async () => {
    const [id, customer] = [idOf('sub'), idOf('cus')];
    stripe.put('subscriptions', subscriptionOf(id, customer));
    await Promise.all(Array.from({ length: 50 }, () => fulfil(event('customer.subscription.updated', { id }))));
    const { last } = await database().shopFencingToken.findUniqueOrThrow({ where: { objectId: id } });
    expect(last).toBe(50n);
    const row = await database().shopSubscription.findUniqueOrThrow({ where: { id } });
    expect([row.fencingToken, row.status]).toEqual([50n, 'active']);
  });

  test('a subscription on an old price of a plan keeps the plan, though the lookup key has moved on', async () => {
    const [id, customer] = [idOf('sub'), idOf('cus')];
    const price = { ...priceOf('studio_monthly'), lookup_key: null };
    stripe.put('subscriptions', subscriptionOf(id, customer, { items: { data: [{ price }] } }));
    await fulfil(event('customer.subscription.updated', { id }));
    expect((await database().shopSubscription.findUniqueOrThrow({ where: { id } })).plan).toBe('studio_monthly');
  });

  test('a price that was created by hand names its plan by its lookup key, and any other names none', async () => {
    const [id, customer] = [idOf('sub'), idOf('cus')];
    const planWith = async (price: object) => {
      stripe.put('subscriptions', subscriptionOf(id, customer, { items: { data: [{ price }] } }));
      await fulfil(event('customer.subscription.updated', { id }));
      return (await database().shopSubscription.findUniqueOrThrow({ where: { id } })).plan;
    };
    expect(await planWith({ lookup_key: 'studio_yearly', metadata: {} })).toBe('studio_yearly');
    expect(await planWith({ lookup_key: null, metadata: {} })).toBeNull();
  });

  test('a change to a plan that only a newer version has is not acknowledged, and the customer keeps the plan that is stored', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue();
    const [id, stripeCustomerId, userId] = [idOf('sub'), idOf('cus'), idOf('user')];
    await database().shopCustomer.create({ data: { userId, stripeCustomerId } });
    const change = (plan: string, fields: { status?: string } = {}) => {
      const items = { data: [{ price: { lookup_key: null, metadata: {} } }, { price: priceOf(plan) }] };
      stripe.put(
        'subscriptions',
        subscriptionOf(id, stripeCustomerId, { items, metadata: { svc_customer_key: userId }, ...fields }),
      );
      return fulfil(event('customer.subscription.updated', { id }));
    };
    await change('studio_monthly');
    await expect(change('studio_gold')).rejects.toThrow('unknown plan');
    expect(error.mock.calls.flat().join()).toContain('plan="studio_gold"');
    expect(await findEntitlement(userId)).toMatchObject({ plan: 'studio_monthly', status: 'active' });
    await expect(change('studio_gold', { status: 'unpaid' })).rejects.toThrow('unknown plan');
    expect(await findEntitlement(userId)).toMatchObject({ plan: 'studio_monthly', status: 'unpaid' });
    await refreshSubscription(id); // as a backfill does
    await change('studio_yearly'); // once plans.ts has it
    expect((await findEntitlement(userId))?.plan).toBe('studio_yearly');
    await change('studio_gold', { status: 'canceled' });
    expect((await findEntitlement(userId))?.status).toBe('ended');
    expect(error).toHaveBeenCalledTimes(2);
    error.mockRestore();
  });

  test.each([
    ['of a user from before the integration, whose plan is stored, is not acknowledged', true],
    ['of another app that shares the account is ignored', false],
  ])('a change to an unknown plan %s', async (_, isStored) => {
    const error = vi.spyOn(console, 'error').mockReturnValue();
    const [id, customer] = [idOf('sub'), idOf('cus')];
    const change = (plan: string, metadata = {}) => {
      const items = { data: [{ price: priceOf(plan) }] };
      stripe.put('subscriptions', subscriptionOf(id, customer, { items, metadata }));
      return fulfil(event('customer.subscription.updated', { id }));
    };
    if (isStored) {
      await change('studio_monthly');
      await expect(change('studio_gold')).rejects.toThrow('unknown plan');
    } else await change('studio_gold', { svc_customer_key: idOf('user') });
    expect(error).toHaveBeenCalledTimes(isStored ? 1 : 0);
    error.mockRestore();
  });

  test.each([
    [
      'beside an add-on the plan’s item counts, and what a period costs is unknown',
      [{ lookup_key: null, metadata: {} }],
      null,
    ],
    ['a price has up to twelve digits', [], 999_999_999_999n],
  ])('%s', async (_, addOns, amount) => {
    const [id, customer] = [idOf('sub'), idOf('cus')];
    const plan = { ...priceOf('studio_yearly'), unit_amount: 999_999_999_999, currency: 'idr' };
    const data = [...addOns, plan].map((price) => ({ price }));
    stripe.put('subscriptions', subscriptionOf(id, customer, { currency: 'idr', items: { data } }));
    await fulfil(event('customer.subscription.updated', { id }));
    const row = await database().shopSubscription.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ plan: 'studio_yearly', amount, currency: 'idr' });
  });

  test('where one plan is asked for, no grant of another counts', async () => {
    const [userId, customer] = [idOf('user'), idOf('cus')];
    const grant = { plan: 'studio_monthly', status: 'active', renewsAt: null, endsAt: null, price: null } as const;
    const find = async (plan: string) =>
      (await findEntitlement(userId, { plan, grants: [{ ...grant, source: 'grant' }] }))?.plan ?? null;
    const both = async () => [await find('studio_monthly'), await find('studio_lifetime')];
    expect(await both()).toEqual(['studio_monthly', null]);
    await database().shopCustomer.create({ data: { userId, stripeCustomerId: customer } });
    expect(await both()).toEqual(['studio_monthly', null]);
  });

  test.each([{ cancel_at_period_end: true }, { cancel_at: 1_782_592_000 }])(
    'a subscription that ends with its period says when, whether Stripe has %j',
    async (ending) => {
      const [id, customer] = [idOf('sub'), idOf('cus')];
      stripe.put('subscriptions', subscriptionOf(id, customer, ending));
      await fulfil(event('customer.subscription.updated', { id }));
      const row = await database().shopSubscription.findUniqueOrThrow({ where: { id } });
      expect(row.cancelAt).toEqual(row.currentPeriodEnd);
    },
  );

  test('one that ended at once says when it did, although its period has not ended', async () => {
    const [id, customer] = [idOf('sub'), idOf('cus')];
    stripe.put('subscriptions', subscriptionOf(id, customer, { status: 'canceled', ended_at: 1_780_500_000 }));
    await fulfil(event('customer.subscription.deleted', { id }));
    const row = await database().shopSubscription.findUniqueOrThrow({ where: { id } });
    expect(row.cancelAt).toEqual(new Date(1_780_500_000_000));
  });

  test('five seats cost five times the price', async () => {
    const [id, customer] = [idOf('sub'), idOf('cus')];
    const seats = { price: { ...priceOf('studio_monthly'), unit_amount: 1900, currency: 'usd' }, quantity: 5 };
    stripe.put('subscriptions', subscriptionOf(id, customer, { items: { data: [seats] } }));
    await fulfil(event('customer.subscription.updated', { id }));
    expect((await database().shopSubscription.findUniqueOrThrow({ where: { id } })).amount).toBe(9500n);
  });

  test.each([{ recurring: { usage_type: 'metered' } }, { transform_quantity: { divide_by: 100, round: 'up' } }])(
    'of a price with %j the amount of a period is unknown',
    async (fields) => {
      const [id, customer] = [idOf('sub'), idOf('cus')];
      const price = { ...priceOf('studio_monthly'), unit_amount: 2, currency: 'usd', ...fields };
      stripe.put('subscriptions', subscriptionOf(id, customer, { items: { data: [{ price }] } }));
      await fulfil(event('customer.subscription.updated', { id }));
      expect((await database().shopSubscription.findUniqueOrThrow({ where: { id } })).amount).toBeNull();
    },
  );

  test.each([
    ['the subscription', { discounts: ['di_1'] }, {}, null],
    ['the item', {}, { discounts: ['di_1'] }, null],
    ['the customer', {}, {}, { id: 'di_1' }],
  ])('with a discount on %s what a period costs is unknown', async (_, ofSubscription, ofItem, discount) => {
    const [id, customer] = [idOf('sub'), idOf('cus')];
    stripe.put('customers', { id: customer, discount });
    const item = { price: { ...priceOf('studio_monthly'), unit_amount: 1900, currency: 'usd' }, ...ofItem };
    stripe.put('subscriptions', subscriptionOf(id, customer, { items: { data: [item] }, ...ofSubscription }));
    await fulfil(event('customer.subscription.updated', { id }));
    expect((await database().shopSubscription.findUniqueOrThrow({ where: { id } })).amount).toBeNull();
  });

  test('what the customer pays in a currency that Stripe converts to is unknown', async () => {
    const [id, customer] = [idOf('sub'), idOf('cus')];
    const item = { price: { ...priceOf('studio_monthly'), unit_amount: 1900, currency: 'usd' } };
    const amountIn = async (presentment_currency: string) => {
      const presented = { currency: 'usd', presentment_details: { presentment_currency } };
      stripe.put('subscriptions', subscriptionOf(id, customer, { ...presented, items: { data: [item] } }));
      await fulfil(event('customer.subscription.updated', { id }));
      return (await database().shopSubscription.findUniqueOrThrow({ where: { id } })).amount;
    };
    expect([await amountIn('eur'), await amountIn('usd')]).toEqual([null, 1900n]);
  });

  test('of a price in several currencies only the amount in its first one is known', async () => {
    const [id, customer] = [idOf('sub'), idOf('cus')];
    const price = { ...priceOf('studio_monthly'), unit_amount: 1900, currency: 'usd' };
    stripe.put('subscriptions', subscriptionOf(id, customer, { currency: 'eur', items: { data: [{ price }] } }));
    await fulfil(event('customer.subscription.updated', { id }));
    const row = await database().shopSubscription.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ plan: 'studio_monthly', amount: null, currency: 'eur' });
  });

  test('of two plans, the one that is asked for is looked at', async () => {
    const [id, customer, userId] = [idOf('sub'), idOf('cus'), idOf('user')];
    await database().shopCustomer.create({ data: { userId, stripeCustomerId: customer } });
    stripe.put('subscriptions', subscriptionOf(id, customer));
    await fulfil(event('customer.subscription.updated', { id }));
    const statusOf = async (plan?: string) => (await findEntitlement(userId, { plan }))?.status;
    expect([await statusOf(), await statusOf('studio_monthly'), await statusOf('studio_lifetime')]).toEqual([
      'active',
      'active',
      undefined,
    ]);
  });

  test('of equal entitlements the one that lasts longest counts, or was paid last', async () => {
    for (const isLatestFirst of [true, false]) {
      const [customer, userId] = [idOf('cus'), idOf('user')];
      await database().shopCustomer.create({ data: { userId, stripeCustomerId: customer } });
      const days = isLatestFirst ? [3, 2, 1, null] : [null, 1, 2, 3];
      const latest = new Date(3 * 86_400_000);
      for (const day of days) {
        const data = { stripeCustomerId: customer, plan: 'studio_monthly' };
        const currentPeriodEnd = day ? new Date(day * 86_400_000) : null;
        await database().shopSubscription.create({
          data: {
            ...data,
            id: idOf('sub'),
            status: 'canceled',
            fencingToken: 1,
            currentPeriodEnd,
            cancelAt: currentPeriodEnd,
          },
        });
      }
      expect((await findEntitlement(userId))?.endsAt).toEqual(latest);
      for (const day of days.filter((day) => day !== null)) {
        const data = { stripeCustomerId: customer, plan: `plan_${day}`, paidAt: new Date(day * 86_400_000) };
        await database().shopPurchase.create({ data: { ...data, paymentIntentId: idOf('pi') } });
      }
      expect((await findEntitlement(userId))?.plan).toBe('plan_3');
    }
  });

  test('while Stripe cannot be asked nothing is acknowledged', async () => {
    const id = idOf('sub');
    stripe.put('subscriptions', subscriptionOf(id, idOf('cus')));
    stripe.intercept(({ path }) => (path === `subscriptions/${id}` ? 503 : undefined));
    await expect(fulfil(event('customer.subscription.updated', { id }))).rejects.toThrow();
    stripe.intercept(() => undefined);
    await fulfil(event('customer.subscription.updated', { id })); // Stripe sends it again
    expect(await database().shopSubscription.findUnique({ where: { id } })).toMatchObject({ status: 'active' });
  });
});

describe('a database that was restored to before the first purchase', () => {
  /** A user who has bought a subscription, and what Stripe sends again. */
  function aPurchase() {
    const [id, customer, userId] = [idOf('sub'), idOf('cus'), idOf('user')];
    const session = subscriptionSession(id, customer, { svc_customer_key: userId });
    stripe.put('subscriptions', subscriptionOf(id, customer));
    const events = [event('checkout.session.completed', session), event('customer.subscription.updated', { id })];
    const customerOf = async () =>
      (await database().shopCustomer.findUnique({ where: { userId } }))?.stripeCustomerId ?? null;
    return { customer, userId, events, customerOf };
  }

  test('has the user’s customer again once the events are resent, in any order', async () => {
    for (const inOrder of [true, false]) {
      const { customer, events, customerOf } = aPurchase();
      for (const each of inOrder ? events : events.toReversed()) await fulfil(each);
      for (const each of events) await fulfil(each);
      expect(await customerOf()).toBe(customer);
    }
  });

  test('keeps the user that a customer has', async () => {
    const [first, second] = [aPurchase(), aPurchase()];
    await database().shopCustomer.create({ data: { userId: first.userId, stripeCustomerId: second.customer } });
    for (const each of second.events) await fulfil(each);
    expect([await first.customerOf(), await second.customerOf()]).toEqual([second.customer, null]);
  });

  test('has the customer that pays, where a session was opened without the stored one', async () => {
    const [{ events, userId, customer, customerOf }, stored] = [aPurchase(), idOf('cus')];
    await database().shopCustomer.create({ data: { userId, stripeCustomerId: stored } });
    for (const each of events) await fulfil(each);
    expect(await customerOf()).toBe(customer);
    expect((await findEntitlement(userId))?.status).toBe('active');
  });

  test('keeps the customer that pays, and the log names both where another one does, too', async () => {
    const { events, userId, customer, customerOf } = aPurchase();
    const [stored, subscription] = [idOf('cus'), idOf('sub')];
    await database().shopCustomer.create({ data: { userId, stripeCustomerId: stored } });
    const later = { items: { data: [{ current_period_end: 1_790_000_000, price: priceOf('studio_monthly') }] } };
    stripe.put('subscriptions', subscriptionOf(subscription, stored, later));
    await fulfil(event('customer.subscription.created', { id: subscription }));
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    for (const each of events) await fulfil(each);
    const lines = warn.mock.calls.flat().filter((line) => String(line).includes(userId));
    warn.mockRestore();
    expect(lines).toEqual([expect.stringContaining(`kept="${stored}" left="${customer}"`)]);
    expect(await customerOf()).toBe(stored);
  });
});

describe('a plan that is paid once', () => {
  /** A payment of 399.00 as Stripe has it, and what happens to it there. */
  function aPayment(fields: object = {}) {
    const id = idOf('pi');
    const refunds: { data: Array<{ created: number; status: string }> } = { data: [] };
    const charge = {
      ...{ id: idOf('ch'), amount: 39_900, amount_captured: 39_900, amount_refunded: 0, currency: 'usd' },
      ...{ created: 1_780_000_000, refunds },
    };
    stripe.put('payment_intents', { id, customer: idOf('cus'), latest_charge: charge, ...fields });
    const told = (type: string) => fulfil(event(type, { id: idOf('x'), payment_intent: id }));
    return {
      id,
      charge,
      told,
      pay: (created?: number) => fulfil(event('checkout.session.completed', sessionOf(id), created)),
      refund: (amount: number, type = 'charge.refunded', created = 1_780_086_400) => {
        charge.amount_refunded = amount;
        refunds.data.unshift({ created, status: 'succeeded' });
        return told(type);
      },
      dispute: (dispute: object) => {
        const fresh = {
          payment_intent: id,
          amount: 39_900,
          currency: 'usd',
          created: 1_780_200_000,
          balance_transactions: [],
        };
        stripe.put('disputes', { id: `du_${id}`, ...fresh, ...dispute });
        return told('charge.dispute.closed');
      },
      refundedAt: async () =>
        (await database().shopPurchase.findUniqueOrThrow({ where: { paymentIntentId: id } })).refundedAt,
    };
  }

  test('payment and refund end the plan in either order, at the time of the refund', async () => {
    for (const isPaidFirst of [true, false]) {
      const payment = aPayment();
      if (isPaidFirst) await payment.pay(1_780_000_000);
      await payment.refund(39_900, 'charge.refunded', 1_780_086_400);
      await payment.pay(1_780_000_000);
      await payment.told('refund.updated');
      expect(await database().shopPurchase.findUniqueOrThrow({ where: { paymentIntentId: payment.id } })).toMatchObject(
        {
          plan: 'studio_lifetime',
          paidAt: new Date(1_780_000_000_000),
          refundedAt: new Date(1_780_086_400_000),
        },
      );
    }
  });

  test('one that another customer of the user paid for belongs to the user, also where a part was refunded first', async () => {
    const [userId, stored, payment] = [idOf('user'), idOf('cus'), aPayment()];
    await database().shopCustomer.create({ data: { userId, stripeCustomerId: stored } });
    await payment.refund(10_000);
    const metadata = { plan: 'studio_lifetime', svc_customer_key: userId };
    await fulfil(event('checkout.session.completed', sessionOf(payment.id, { metadata })));
    expect(await findEntitlement(userId)).toMatchObject({ plan: 'studio_lifetime', status: 'active' });
  });

  test('the plan ends with the refund that returns the rest; one that failed returns nothing', async () => {
    const payment = aPayment();
    await payment.pay();
    await payment.refund(10_000, 'charge.refunded', 1_780_086_400);
    await payment.refund(39_900, 'charge.refunded', 1_780_172_800);
    payment.charge.refunds.data.unshift({ created: 1_780_259_200, status: 'failed' });
    await payment.told('refund.failed');
    expect(await payment.refundedAt()).toEqual(new Date(1_780_172_800_000));
  });

  test('after a partial refund the plan stays; after the rest it ends', async () => {
    const payment = aPayment();
    await payment.pay();
    await payment.refund(10_000);
    expect(await payment.refundedAt()).toBeNull();
    await payment.refund(39_900);
    expect(await payment.refundedAt()).not.toBeNull();
  });

  test('of a payment that was captured in part, what was released is no refund', async () => {
    const payment = aPayment();
    await payment.pay();
    payment.charge.amount_captured = 30_000; // Stripe counts the other 9,900 as refunded
    await payment.refund(29_900);
    expect(await payment.refundedAt()).toBeNull();
    await payment.dispute({ status: 'lost', amount: 10_000 });
    expect(await payment.refundedAt()).not.toBeNull();
  });

  test.each(['refund.failed', 'refund.updated'])(
    'a refund that comes to nothing gives the plan back: %s',
    async (type) => {
      const payment = aPayment();
      await payment.pay();
      await payment.refund(39_900);
      await payment.refund(0, type);
      expect(await payment.refundedAt()).toBeNull();
    },
  );

  test.each([
    ['lost', {}, true],
    ['lost', { amount: 39_800 }, false],
    ['lost', { amount: 36_000, currency: 'eur' }, true],
    ['appeal_needs_response', {}, true],
    ['appeal_under_review', {}, true],
    ['won', {}, false],
    ['warning_closed', {}, false],
    ['under_review', {}, false],
    ['prevented', { payment_method_details: { type: 'card', card: { case_type: 'resolution' } } }, true],
    ['prevented', { payment_method_details: { type: 'card', card: { case_type: 'block' } } }, false],
    ['prevented', { balance_transactions: [{ amount: -39_900 }] }, true],
    ['prevented', { balance_transactions: [{ amount: -39_900 }, { amount: 39_900 }] }, false],
  ])('a dispute that is %s, %j, ends the plan: %s', async (status, fields, isEnded) => {
    const payment = aPayment();
    await payment.pay();
    await payment.dispute({ status, ...fields });
    expect((await payment.refundedAt()) !== null).toBe(isEnded);
  });

  test('a part that was refunded and the rest that was lost end the plan', async () => {
    const payment = aPayment();
    await payment.pay();
    await payment.refund(30_000);
    await payment.dispute({ status: 'lost', amount: 9_900 });
    expect(await payment.refundedAt()).toEqual(new Date(1_780_200_000_000));
  });

  test('a dispute that is lost and then won gives the plan back', async () => {
    const payment = aPayment();
    await payment.pay();
    await payment.dispute({ status: 'lost' });
    await payment.dispute({ status: 'won' });
    expect(await payment.refundedAt()).toBeNull();
  });

  test('a result that arrives late overwrites none that Stripe gave later', async () => {
    const payment = aPayment();
    await payment.pay();
    let [held, letGo] = [() => {}, () => {}];
    const isHeld = new Promise<void>((resolve) => {
      held = resolve;
    });
    const mayGo = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let isFirst = true;
    stripe.hold(({ path }) => {
      if (!path.startsWith('disputes') || !isFirst) return undefined;
      isFirst = false;
      held();
      return mayGo;
    });
    const slow = payment.refund(39_900); // is asked, and hangs
    await isHeld;
    await payment.refund(0, 'refund.failed');
    letGo();
    await slow;
    stripe.hold(() => undefined);
    expect(await payment.refundedAt()).toBeNull();
  });

  test('a session that is completed before it is paid buys nothing until the money is there', async () => {
    const paymentIntentId = idOf('pi');
    const session = sessionOf(paymentIntentId, { payment_status: 'unpaid' });
    await fulfil(event('checkout.session.completed', session));
    expect(await database().shopPurchase.findUnique({ where: { paymentIntentId } })).toBeNull();
    await fulfil(event('checkout.session.async_payment_succeeded', { ...session, payment_status: 'paid' }));
    expect((await database().shopPurchase.findUniqueOrThrow({ where: { paymentIntentId } })).paidAt).not.toBeNull();
  });

  test.each([
    ['another product of the account', { metadata: {} }],
    ['a plan that does not exist', { metadata: { plan: 'studio_gold' } }],
    ['no metadata at all', { metadata: null }],
  ])('a paid session of %s entitles to nothing', async (_, fields) => {
    const paymentIntentId = idOf('pi');
    await fulfil(event('checkout.session.completed', sessionOf(paymentIntentId, fields)));
    expect(await database().shopPurchase.findUnique({ where: { paymentIntentId } })).toBeNull();
  });

  test('a paid session without a customer entitles to nothing, and the log says so', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue();
    const paymentIntentId = idOf('pi');
    const session = sessionOf(paymentIntentId, { customer: null });
    await fulfil(event('checkout.session.completed', session));
    await fulfil(event('checkout.session.completed', { ...session, mode: 'setup' }));
    expect(error.mock.calls.flat().join()).toContain(`session="${session.id}"`);
    expect(error).toHaveBeenCalledOnce();
    error.mockRestore();
    expect(await database().shopPurchase.count({ where: { paymentIntentId } })).toBe(0);
  });

  test('a user’s payment for a plan that was renamed or removed is not acknowledged, so that Stripe sends it again', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue();
    const [userId, stripeCustomerId, paymentIntentId] = [idOf('user'), idOf('cus'), idOf('pi')];
    await database().shopCustomer.create({ data: { userId, stripeCustomerId } });
    const paidFor = (plan: string, user = userId, customer = stripeCustomerId) =>
      fulfil(
        event(
          'checkout.session.completed',
          sessionOf(paymentIntentId, { customer, metadata: { plan, svc_customer_key: user } }),
        ),
      );
    await expect(paidFor('studio_gold')).rejects.toThrow('unknown plan');
    expect(error.mock.calls.flat().join()).toContain('plan="studio_gold"');
    // Of another app that shares the account, or its users, too:
    await paidFor('studio_gold', idOf('user'));
    await paidFor('studio_gold', userId, idOf('cus'));
    error.mockRestore();
    await paidFor('studio_lifetime'); // once plans.ts has the plan
    expect((await findEntitlement(userId))?.plan).toBe('studio_lifetime');
  });

  test('a session that only stores a card is no purchase', async () => {
    const session = { ...sessionOf(null), mode: 'setup', payment_status: 'no_payment_required' };
    await fulfil(event('checkout.session.completed', session));
    expect(await database().shopPurchase.findUnique({ where: { paymentIntentId: session.id } })).toBeNull();
  });

  test('a purchase whose user gets another customer at the same moment belongs to that one', async () => {
    const [userId, replaced, current, payment] = [idOf('user'), idOf('cus'), idOf('cus'), idOf('pi')];
    await database().shopCustomer.create({ data: { userId, stripeCustomerId: replaced } });
    // What the checkout of another process does, between two statements of this one.
    await beforePurchase(
      payment,
      `UPDATE shop_customers SET stripe_customer_id = '${current}' WHERE user_id = '${userId}'`,
    );
    const metadata = { plan: 'studio_lifetime', svc_customer_key: userId };
    await fulfil(event('checkout.session.completed', sessionOf(payment, { customer: replaced, metadata })));
    expect(await findEntitlement(userId)).toMatchObject({ plan: 'studio_lifetime', status: 'active' });
  });

  // On the embedded database connections share one session, so none waits for another: `npm run test:postgres` runs it.
  test.skipIf(!process.env.TEST_DATABASE_URL)(
    'and also where that replacement is committed only after the purchase is stored',
    async () => {
      const [userId, replaced, current, payment] = [idOf('user'), idOf('cus'), idOf('cus'), idOf('pi')];
      await database().shopCustomer.create({ data: { userId, stripeCustomerId: replaced } });
      await beforePurchase(payment, `PERFORM pg_advisory_xact_lock(hashtext('${payment}'))`);
      const metadata = { plan: 'studio_lifetime', svc_customer_key: userId };
      const session = sessionOf(payment, { customer: replaced, metadata });
      const patient = { timeout: 10_000 };
      let [isDone, fulfilled] = [false, Promise.resolve()];
      await database().$transaction(async (tx) => {
        const isAwaited = async () => {
          const waiting = tx.$queryRaw<object[]>`
            SELECT pid FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))`;
          return (await waiting).length > 0;
        };
        await tx.$executeRaw`SELECT pg_advisory_lock(hashtext(${payment}))`;
        try {
          fulfilled = fulfil(event('checkout.session.completed', session)).finally(() => {
            isDone = true;
          });
          await expect.poll(isAwaited, patient).toBe(true);
          const [where, data] = [{ stripeCustomerId: replaced }, { stripeCustomerId: current }];
          await tx.shopCustomer.updateMany({ where, data });
          await tx.shopPurchase.updateMany({ where, data });
        } finally {
          await tx.$executeRaw`SELECT pg_advisory_unlock(hashtext(${payment}))`;
        }
        await expect.poll(async () => isDone || (await isAwaited()), patient).toBe(true);
      });
      await fulfilled;
      expect(await findEntitlement(userId)).toMatchObject({ plan: 'studio_lifetime', status: 'active' });
    },
  );

  test('a session whose price a promotion code covers is stored under its own ID', async () => {
    const session = { ...sessionOf(null), payment_status: 'no_payment_required' };
    await fulfil(event('checkout.session.completed', session));
    expect(await database().shopPurchase.findUniqueOrThrow({ where: { paymentIntentId: session.id } })).toMatchObject({
      plan: 'studio_lifetime',
      stripeCustomerId: session.customer,
    });
  });

  test.each([
    ['payment_intent', {}],
    ['customer', { customer: null }],
    ['charge', { latest_charge: null }],
  ])('a refund without %s changes nothing', async (field, fields) => {
    const { id } = aPayment(fields);
    const payment_intent = field === 'payment_intent' ? null : id;
    await fulfil(event('charge.refunded', { id: idOf('ch'), payment_intent }));
    expect(await database().shopPurchase.findUnique({ where: { paymentIntentId: id } })).toBeNull();
  });

  test('events that are not ours change nothing', async () => {
    const [customer, subscription] = [idOf('cus'), idOf('sub')];
    stripe.put('subscriptions', subscriptionOf(subscription, customer));
    for (const of of [null, subscription]) {
      await fulfil(event('checkout.session.expired', sessionOf(idOf('pi'), { customer, subscription: of })));
    }
    const where = { stripeCustomerId: customer };
    expect(await database().shopPurchase.count({ where })).toBe(0);
    expect(await database().shopSubscription.count({ where })).toBe(0);
  });
});

describe('paying one checkout expires the other open ones', () => {
  const metadata = { plan: 'studio_lifetime' };
  const stateOf = (id: string) =>
    stripe.all<Stripe.Checkout.Session>('checkout/sessions').find((s) => s.id === id)?.status;

  /** A paid session and what else the customer has. */
  function openSessions() {
    const customer = idOf('cus');
    const session = (fields: object = {}) => {
      const id = idOf('cs');
      stripe.put('checkout/sessions', { id, customer, status: 'open', created: 1_779_999_000, metadata, ...fields });
      return id;
    };
    const paid = session({ status: 'complete' });
    const completed = {
      id: paid,
      customer,
      subscription: null,
      payment_intent: idOf('pi'),
      payment_status: 'paid',
      metadata,
    };
    return { session, completed, customer };
  }

  test('of the same customer, and of this shop', async () => {
    const { session, completed } = openSessions();
    const [open, complete] = [session(), session({ status: 'complete' })];
    const [others, foreign] = [session({ customer: idOf('cus') }), session({ metadata: { seats: '3' } })];
    await fulfil(event('checkout.session.completed', completed));
    await fulfil(event('checkout.session.completed', completed));
    expect([open, complete, others, foreign].map(stateOf)).toEqual(['expired', 'complete', 'open', 'open']);
    expect(stateOf(completed.id)).toBe('complete');
  });

  test('also where a subscription was bought, and where a bank debit is still on its way', async () => {
    const first = openSessions();
    const [open, subscription] = [first.session(), idOf('sub')];
    stripe.put('subscriptions', subscriptionOf(subscription, first.customer));
    await fulfil(event('checkout.session.completed', { ...first.completed, subscription }));
    const second = openSessions();
    const other = second.session();
    await fulfil(event('checkout.session.completed', { ...second.completed, payment_status: 'unpaid' }));
    expect([open, other].map(stateOf)).toEqual(['expired', 'expired']);
  });

  test('one that was opened after the payment stays open, however late the event arrives', async () => {
    const { session, completed } = openSessions();
    const [same, later] = [session({ created: 1_780_000_000 }), session({ created: 1_780_000_001 })];
    await fulfil(event('checkout.session.completed', completed, 1_780_000_000));
    expect([same, later].map(stateOf)).toEqual(['expired', 'open']);
  });

  test('one that is paid at the same moment stays as it is', async () => {
    const { session, completed } = openSessions();
    const [racing, open] = [session(), session()];
    stripe.hold(({ path, params }) => {
      if (path === 'checkout/sessions' && params.customer === completed.customer) {
        stripe.put('checkout/sessions', { id: racing, customer: completed.customer, status: 'complete', metadata });
      }
      return undefined;
    });
    await fulfil(event('checkout.session.completed', completed));
    stripe.hold(() => undefined);
    expect([racing, open].map(stateOf)).toEqual(['complete', 'expired']);
  });

  test('while Stripe cannot be asked nothing is acknowledged', async () => {
    const { completed } = openSessions();
    stripe.intercept(({ path }) => (path === 'checkout/sessions' ? 503 : undefined));
    await expect(fulfil(event('checkout.session.completed', completed))).rejects.toThrow();
    stripe.intercept(() => undefined);
  });

  test('a checkout of another product expires none', async () => {
    const { session, completed } = openSessions();
    const open = session();
    await fulfil(event('checkout.session.completed', { ...completed, metadata: {} }));
    expect(stateOf(open)).toBe('open');
  });
});

describe('paying a subscription cancels what else the customer ordered and still has to pay', () => {
  const metadata = { plan: 'studio_monthly' };

  /** A customer's subscriptions. */
  function openOrders() {
    const customer = idOf('cus');
    const subscription = (status: string, fields: object = {}) => {
      const object = { ...subscriptionOf(idOf('sub'), customer), status, created: 1_780_000_000, ...fields };
      stripe.put('subscriptions', object);
      return object;
    };
    return { customer, subscription };
  }
  const statusesOf = (...objects: { status: string }[]) => objects.map(({ status }) => status);
  const completed = (customer: string, fields: object) =>
    event('checkout.session.completed', { id: idOf('cs'), customer, metadata, payment_status: 'paid', ...fields });

  test('a subscription whose bank account is being verified, and none to another product', async () => {
    const { customer, subscription } = openOrders();
    const [paid, verified] = [subscription('active'), subscription('incomplete')];
    const other = { items: { data: [{ price: { lookup_key: null, metadata: {} } }] } };
    const [running, foreign] = [subscription('canceled'), subscription('incomplete', other)];
    for (let repeat = 0; repeat < 2; repeat++) {
      await fulfil(completed(customer, { mode: 'subscription', subscription: paid.id }));
    }
    expect(statusesOf(paid, verified, running, foreign)).toEqual(['active', 'canceled', 'canceled', 'incomplete']);
  });

  test('one that was ordered after the payment stays, however late the event arrives', async () => {
    const { customer, subscription } = openOrders();
    const [paid, later] = [subscription('canceled'), subscription('incomplete', { created: 1_780_000_001 })];
    await fulfil(completed(customer, { mode: 'subscription', subscription: paid.id }));
    expect(later.status).toBe('incomplete');
  });

  test('as long as it is not paid itself it cancels nothing', async () => {
    const { customer, subscription } = openOrders();
    const [own, earlier] = [subscription('incomplete'), subscription('incomplete')];
    await fulfil(completed(customer, { mode: 'subscription', subscription: own.id, payment_status: 'unpaid' }));
    await fulfil(completed(customer, { mode: 'setup', payment_status: 'no_payment_required', payment_intent: null }));
    expect(statusesOf(own, earlier)).toEqual(['incomplete', 'incomplete']);
    const later = event(
      'checkout.session.async_payment_succeeded',
      completed(customer, { mode: 'subscription', subscription: own.id }).data.object,
    );
    await fulfil(later);
    expect(statusesOf(own, earlier)).toEqual(['incomplete', 'canceled']);
  });

  test('what was paid at the same moment stays as it is, and while Stripe cannot be asked nothing is acknowledged', async () => {
    const { customer, subscription } = openOrders();
    const [paid, racing] = [subscription('active'), subscription('incomplete')];
    const answerWith = (status: number) =>
      stripe.intercept(({ method, path }) =>
        method === 'DELETE' && path === `subscriptions/${racing.id}` ? status : undefined,
      );
    answerWith(400);
    await fulfil(completed(customer, { mode: 'subscription', subscription: paid.id }));
    answerWith(503);
    await expect(fulfil(completed(customer, { mode: 'subscription', subscription: paid.id }))).rejects.toThrow();
    stripe.intercept(() => undefined);
    expect(racing.status).toBe('incomplete');
  });
});

describe('a customer who pays twice, which Stripe does not prevent, is logged', () => {
  /** What is logged as an error while the customer's sessions are completed. */
  async function logOf(customer: string, sessions: object[]) {
    const error = vi.spyOn(console, 'error').mockReturnValue();
    for (const session of sessions) {
      await fulfil(
        event('checkout.session.completed', { id: idOf('cs'), customer, payment_status: 'paid', ...session }),
      );
    }
    const lines = error.mock.calls.flat().filter((line) => String(line).includes(customer));
    error.mockRestore();
    return lines;
  }
  const lifetime = (payment: string) => ({
    ...{ mode: 'payment', subscription: null, payment_intent: payment, metadata: { plan: 'studio_lifetime' } },
  });
  /** A payment as Stripe has it. */
  function aPayment(customer: string, { refunded = 0 } = {}) {
    const id = idOf('pi');
    const amounts = { amount: 39_900, amount_captured: 39_900, amount_refunded: refunded, currency: 'usd' };
    const charge = { id: idOf('ch'), ...amounts, created: 1_780_000_000, refunds: { data: [] } };
    stripe.put('payment_intents', { id, customer, latest_charge: charge });
    return id;
  }

  test('a card, and then the voucher that was ordered before it', async () => {
    const customer = idOf('cus');
    const [card, voucher] = [aPayment(customer), aPayment(customer)];
    expect(await logOf(customer, [lifetime(card), lifetime(card)])).toEqual([]);
    const [line] = await logOf(customer, [lifetime(voucher)]);
    expect(line).toContain('fulfil: a customer pays twice');
    expect(line).toContain(card);
    expect(line).toContain(voucher);
  });

  test('also where the second payment is made as another Stripe customer of the user', async () => {
    const [userId, customer, other] = [idOf('user'), idOf('cus'), idOf('cus')];
    await database().shopCustomer.create({ data: { userId, stripeCustomerId: customer } });
    const metadata = { plan: 'studio_lifetime', svc_customer_key: userId };
    const paid = (id: string, payer: string) => ({ ...lifetime(id), customer: payer, metadata });
    const [first, second] = [aPayment(customer), aPayment(other)];
    const [line] = await logOf(customer, [paid(first, customer), paid(second, other)]);
    expect(line).toContain(first);
    expect(line).toContain(second);
  });

  test('but not where Stripe has refunded the first payment, though its event is late', async () => {
    const customer = idOf('cus');
    const [first, second] = [aPayment(customer, { refunded: 39_900 }), aPayment(customer)];
    expect(await logOf(customer, [lifetime(first), lifetime(second)])).toEqual([]);
  });

  test('nor where a promotion code has covered the price', async () => {
    const customer = idOf('cus');
    const free = { ...lifetime(''), payment_intent: null, payment_status: 'no_payment_required' };
    expect(await logOf(customer, [free, { ...free, id: idOf('cs') }, lifetime(aPayment(customer))])).toEqual([]);
  });

  test.each([
    ['active', 1],
    ['canceled', 0],
  ])('two subscriptions, of which the first is %s at Stripe by then', async (status, lines) => {
    const [customer, first, second] = [idOf('cus'), idOf('sub'), idOf('sub')];
    stripe.put('subscriptions', subscriptionOf(first, customer));
    expect(await logOf(customer, [subscriptionSession(first, customer)])).toEqual([]);
    stripe.put('subscriptions', subscriptionOf(first, customer, { status }));
    stripe.put('subscriptions', subscriptionOf(second, customer));
    expect(await logOf(customer, [subscriptionSession(second, customer)])).toHaveLength(lines);
  });
});
