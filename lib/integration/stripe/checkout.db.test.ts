import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findPlan, PLANS, type Plan } from '@/lib/integration/plans';
import { database } from '@/prisma/client';
import { type StripeApi, startStripeApi } from '@/tests/support/stripe-api';

let stripe: StripeApi;
let startPurchase: typeof import('./checkout').startPurchase;
let { findCustomer, updateEmail } = {} as typeof import('./customer');
let fulfil: typeof import('./fulfil').fulfil;
let findEntitlement: typeof import('./holdings').findEntitlement;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] }); // idempotency keys hold for a minute, and this test is within one
  stripe = await startStripeApi();
  vi.stubEnv('APP_URL', 'https://shop.example');
  vi.stubEnv('NEXT_PUBLIC_SVC_PROGRAM_ID', '123');
  vi.stubEnv('NEXT_PUBLIC_SVC_BASE_URL', 'https://svc.example.com');
  vi.stubEnv('STRIPE_SECRET_KEY', 'sk_test_checkout');
  vi.stubEnv('STRIPE_API_URL', stripe.url);
  vi.resetModules();
  ({ startPurchase } = await import('./checkout'));
  ({ findCustomer, updateEmail } = await import('./customer'));
  ({ fulfil } = await import('./fulfil'));
  ({ findEntitlement } = await import('./holdings'));
  for (const { name, interval } of PLANS) {
    const recurring = interval && { interval, interval_count: 1 };
    stripe.put('prices', {
      id: `price_${name}`,
      lookup_key: name,
      active: true,
      product: name.endsWith('jpy') ? 'prod_jpy' : 'prod_1',
      recurring,
    });
  }
});
afterAll(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.resetModules();
  await stripe.stop();
});

const planOf = (name: string): Plan => {
  const plan = findPlan(name);
  if (!plan) throw new Error(`There is no plan ${name}.`);
  return plan;
};
const yearly = planOf('studio_yearly');
const lifetime = planOf('studio_lifetime');

const newBuyer = (clickId: string | null = 'cust_42_1714000000000') => ({
  userId: `user_${randomUUID()}`,
  email: 'ada@example.com',
  clickId,
});
const sessionsOf = (customer: string | null) =>
  stripe
    .all<Stripe.Checkout.SessionCreateParams & { id: string; url: string }>('checkout/sessions')
    .filter((session) => session.customer === customer);
const customersOf = (userId: string) =>
  stripe.all<Stripe.Customer>('customers').filter(({ metadata }) => metadata.user_id === userId);

/** The items of a subscription to one of the plans, or to another product of the account. */
const onPlan = (lookup_key: string | null = 'studio_yearly') => ({
  items: { data: [{ price: { lookup_key, metadata: {} } }] },
});

/** The session as Stripe has it after the purchase. */
async function buy(buyer: ReturnType<typeof newBuyer>, plan: Plan) {
  const url = await startPurchase(buyer, plan);
  const session = sessionsOf(await findCustomer(buyer.userId)).find((candidate) => candidate.url === url);
  if (!session) throw new Error(`${url} is no session of the buyer.`);
  return session;
}

describe('§4 payment path: the three keys, read back from Stripe', () => {
  const keys = (userId: string) => ({ svc_customer_key: userId, program_id: '123' });

  test('a subscription carries them on the session and on the subscription', async () => {
    const buyer = newBuyer();
    const session = await buy(buyer, yearly);
    const three = { ...keys(buyer.userId), svc_click_id: 'cust_42_1714000000000' };
    expect(session.mode).toBe('subscription');
    expect(session.metadata).toEqual({ ...three, plan: 'studio_yearly' });
    expect(session.subscription_data).toEqual({ metadata: three, trial_period_days: 14 });
    expect(session.payment_intent_data).toBeUndefined();
  });

  test('a single payment carries them on the session and on the payment', async () => {
    const buyer = newBuyer();
    const session = await buy(buyer, lifetime);
    const three = { ...keys(buyer.userId), svc_click_id: 'cust_42_1714000000000' };
    expect(session.mode).toBe('payment');
    expect(session.metadata).toEqual({ ...three, plan: 'studio_lifetime' });
    expect(session.payment_intent_data).toEqual({ metadata: three });
    expect(session.subscription_data).toBeUndefined();
  });

  test.each([yearly, lifetime])(
    'without a click $name carries the other two, and no empty svc_click_id',
    async (plan) => {
      const buyer = newBuyer(null);
      const session = await buy(buyer, plan);
      const attribution = session.subscription_data ?? session.payment_intent_data;
      expect(session.metadata).toEqual({ ...keys(buyer.userId), plan: plan.name });
      expect(attribution?.metadata).toEqual(keys(buyer.userId));
    },
  );

  test('a plan without a trial starts none', async () => {
    const session = await buy(newBuyer(), planOf('studio_monthly'));
    expect(session.subscription_data).not.toHaveProperty('trial_period_days');
  });

  test('price, customer and addresses come from the server', async () => {
    const buyer = newBuyer();
    const session = await buy(buyer, yearly);
    expect(session).toMatchObject({
      customer: await findCustomer(buyer.userId),
      client_reference_id: buyer.userId,
      line_items: [{ price: 'price_studio_yearly', quantity: 1 }],
      allow_promotion_codes: true,
      success_url: 'https://shop.example/checkout/success?plan=studio_yearly',
      cancel_url: 'https://shop.example/checkout?plan=studio_yearly',
    });
  });

  test('an archived price is not sold, and the error says what to create', async () => {
    const monthly = stripe.all('prices').find(({ id }) => id === 'price_studio_monthly_jpy');
    Object.assign(monthly ?? {}, { active: false });
    const error = vi.spyOn(console, 'error').mockReturnValue();
    const problem =
      'Stripe has no price with the lookup key studio_monthly_jpy. Create an active one, in the mode of STRIPE_SECRET_KEY.';
    await expect(startPurchase(newBuyer(), planOf('studio_monthly_jpy'))).rejects.toThrow(problem);
    expect(error.mock.calls).toEqual([[problem]]);
    error.mockRestore();
  });
});

test.each(['customers', 'checkout/sessions'])(
  'a purchase waits while another request uses its key for %s, which Stripe refuses with 409',
  async (collection) => {
    const buyer = newBuyer();
    let refused = 0;
    stripe.intercept(({ method, path }) =>
      method === 'POST' && path === collection && refused++ < 2 ? 409 : undefined,
    );
    try {
      await buy(buyer, yearly);
    } finally {
      stripe.intercept(() => undefined);
    }
    expect(refused).toBe(3);
    expect(customersOf(buyer.userId)).toHaveLength(1);
  },
);

describe.each(['customers', 'checkout/sessions'])(
  'a response for %s that is lost after Stripe has stored the object',
  (collection) => {
    async function losing<Result>(count: number, work: () => Promise<Result>): Promise<Result> {
      let lost = 0;
      stripe.hold(({ method, path }) =>
        method === 'POST' && path === collection && lost++ < count ? Promise.reject(new Error('lost')) : undefined,
      );
      return work().finally(() => {
        stripe.hold(() => undefined);
        expect(lost).toBeGreaterThanOrEqual(count);
      });
    }

    test('is asked for again, with the same idempotency key', async () => {
      const buyer = newBuyer();
      const { customer } = await losing(1, () => buy(buyer, yearly));
      expect(customersOf(buyer.userId)).toHaveLength(1);
      expect(sessionsOf(String(customer))).toHaveLength(1);
    });

    test('in every attempt costs the purchase, and the next one is for the same customer', async () => {
      const buyer = newBuyer();
      await expect(losing(4, () => startPurchase(buyer, yearly))).rejects.toThrow();
      await buy(buyer, yearly);
      expect(customersOf(buyer.userId)).toHaveLength(1);
    });
  },
);

describe('one Stripe customer per user', () => {
  test('whatever they buy', async () => {
    const buyer = newBuyer();
    const [first, second] = [await buy(buyer, yearly), await buy(buyer, lifetime)];
    expect(second.customer).toBe(first.customer);
    expect(customersOf(buyer.userId)).toHaveLength(1);
    expect(customersOf(buyer.userId)[0]?.email).toBe('ada@example.com');
  });

  test('under parallel first purchases', async () => {
    const buyer = newBuyer();
    await Promise.all(Array.from({ length: 10 }, () => startPurchase(buyer, lifetime)));
    expect(customersOf(buyer.userId)).toHaveLength(1);
    expect(await findCustomer(buyer.userId)).toBe(customersOf(buyer.userId)[0]?.id);
  });

  test('a user without an email address has one too', async () => {
    const buyer = { ...newBuyer(), email: undefined };
    await startPurchase(buyer, lifetime);
    expect(customersOf(buyer.userId)[0]).not.toHaveProperty('email');
  });

  test('an address that Stripe refuses costs no purchase, and a change to one changes nothing', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const buyer = { ...newBuyer(), email: 'jürgen@example.com' };
    await Promise.all(Array.from({ length: 3 }, () => startPurchase(buyer, lifetime)));
    expect(customersOf(buyer.userId)).toHaveLength(1);
    expect(customersOf(buyer.userId)[0]).not.toHaveProperty('email');
    await updateEmail({ userId: buyer.userId, email: 'juergen@example.com' });
    await updateEmail(buyer);
    expect(customersOf(buyer.userId)[0]?.email).toBe('juergen@example.com');
    expect(warn).toHaveBeenCalledWith(expect.stringContaining(buyer.userId));
    warn.mockRestore();
  });

  test.each([
    ['that Stripe does not know, as after a change of mode or account', 'cus_unknown'],
    ['that was deleted', 'cus_deleted'],
  ])('one %s is replaced, once under parallel purchases', async (_, prefix) => {
    const buyer = newBuyer();
    const stored = `${prefix}_${randomUUID()}`;
    if (prefix === 'cus_deleted') stripe.put('customers', { id: stored, deleted: true, metadata: {} });
    await database().shopCustomer.create({ data: { userId: buyer.userId, stripeCustomerId: stored } });
    const error = vi.spyOn(console, 'error').mockReturnValue();
    expect(await findCustomer(buyer.userId)).toBeNull();
    expect(error.mock.calls.length, 'an unknown one may be another account’s').toBe(prefix === 'cus_unknown' ? 1 : 0);

    await Promise.all(Array.from({ length: 5 }, () => startPurchase(buyer, lifetime)));
    const [customer] = customersOf(buyer.userId);
    expect(customersOf(buyer.userId)).toHaveLength(1);
    expect(await findCustomer(buyer.userId)).toBe(customer?.id);
    expect(sessionsOf(customer?.id ?? '')).not.toEqual([]);
    error.mockRestore();
  });

  describe('what was paid once', () => {
    /** A user who has paid for the lifetime plan, with the event that said so. */
    async function owner() {
      const buyer = newBuyer();
      const { customer } = await buy(buyer, lifetime);
      const metadata = { plan: 'studio_lifetime', svc_customer_key: buyer.userId };
      const object = {
        id: `cs_${randomUUID()}`,
        mode: 'payment',
        subscription: null,
        customer,
        payment_intent: `pi_${randomUUID()}`,
      };
      const paid = {
        type: 'checkout.session.completed',
        created: 1_780_000_000,
        data: { object: { ...object, payment_status: 'paid', metadata } },
      } as unknown as Stripe.Event;
      await fulfil(paid);
      const planOfUser = async () => (await findEntitlement(buyer.userId))?.plan;
      expect(await planOfUser()).toBe('studio_lifetime');
      return { buyer, customer: String(customer), paid, planOfUser };
    }

    test('stays when its customer was deleted at Stripe, also under parallel purchases and when its event is repeated', async () => {
      const { buyer, customer, paid, planOfUser } = await owner();
      stripe.put('customers', { id: customer, deleted: true, metadata: {} });
      await Promise.all(Array.from({ length: 5 }, () => startPurchase(buyer, yearly)));
      expect(await findCustomer(buyer.userId)).not.toBe(customer);
      expect(await planOfUser()).toBe('studio_lifetime');
      await fulfil(paid);
      expect(await planOfUser()).toBe('studio_lifetime');
    });

    test('comes to the new customer if its event arrives after the old one was deleted', async () => {
      const { buyer, customer, paid, planOfUser } = await owner();
      await database().shopPurchase.deleteMany({ where: { stripeCustomerId: customer } }); // as before the event
      stripe.put('customers', { id: customer, deleted: true, metadata: {} });
      await startPurchase(buyer, yearly);
      await fulfil(paid);
      expect(await planOfUser()).toBe('studio_lifetime');
    });

    test('does not come along from another mode or account', async () => {
      const { buyer, customer, planOfUser } = await owner();
      const other = `cus_other_${randomUUID()}`; // as if the account had no such customer
      const data = { stripeCustomerId: other };
      await database().shopCustomer.update({ where: { userId: buyer.userId }, data });
      await database().shopPurchase.updateMany({ where: { stripeCustomerId: customer }, data });
      await startPurchase(buyer, yearly);
      expect(await planOfUser()).toBeUndefined();
      expect(await database().shopPurchase.count({ where: data })).toBe(1);
    });
  });

  test('while Stripe does not respond, the stored one stays', async () => {
    const buyer = newBuyer();
    await buy(buyer, lifetime);
    const stored = await findCustomer(buyer.userId);
    stripe.intercept(({ path }) => (path.startsWith('customers/') ? 500 : undefined));
    await expect(startPurchase(buyer, lifetime)).rejects.toThrow();
    stripe.intercept(() => undefined);
    expect(await findCustomer(buyer.userId)).toBe(stored);
  });
});

describe('every write of a purchase carries an idempotency key', () => {
  test('of its own meaning, and none of them shows a user or an email address', async () => {
    const before = stripe.requests.length;
    await buy(newBuyer(), lifetime);
    const writes = stripe.requests.slice(before).filter(({ method }) => method === 'POST');
    expect(writes.every(({ idempotencyKey }) => idempotencyKey && !/stripe-node-retry/.test(idempotencyKey))).toBe(
      true,
    );
    expect(writes.map(({ idempotencyKey }) => idempotencyKey).join()).not.toMatch(/user_|@/);
  });

  test('a request that is sent twice at once is one session', async () => {
    const buyer = newBuyer();
    await buy(buyer, lifetime);
    const before = sessionsOf(await findCustomer(buyer.userId)).length;
    let [asked, letGo] = [0, () => {}];
    const bothAsked = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    stripe.hold(({ method, path }) => {
      if (method !== 'GET' || path !== 'checkout/sessions') return undefined;
      if (++asked === 2) letGo();
      return bothAsked;
    });
    const urls = await Promise.all([startPurchase(buyer, yearly), startPurchase(buyer, yearly)]);
    stripe.hold(() => undefined);
    expect(new Set(urls).size).toBe(1);
    expect(sessionsOf(await findCustomer(buyer.userId))).toHaveLength(before + 1);
  });

  test('after an error, which Stripe replays for its idempotency key, the customer can buy a minute later', async () => {
    const buyer = newBuyer();
    stripe.intercept(({ method, path }) => (method === 'POST' && path === 'checkout/sessions' ? 500 : undefined));
    await expect(startPurchase(buyer, lifetime)).rejects.toThrow();
    stripe.intercept(() => undefined);
    await expect(startPurchase(buyer, lifetime)).rejects.toThrow('As the test said.');
    vi.advanceTimersByTime(60_000);
    expect((await buy(buyer, lifetime)).mode).toBe('payment');
  });

  test('a purchase after an earlier session is a session of its own', async () => {
    const buyer = newBuyer();
    const [first, second] = [await buy(buyer, lifetime), await buy(buyer, lifetime)];
    expect(second.id).not.toBe(first.id);
  });
});

describe('a plan that is paid once is not sold twice', () => {
  const SHOWN = 'https://shop.example/checkout/success?plan=studio_lifetime';

  /** A customer whose payment page is completed, with the payment in this state. */
  async function payer(status: Stripe.PaymentIntent.Status, fields: object = {}) {
    const buyer = newBuyer();
    const { customer } = await buy(buyer, lifetime);
    const id = `pi_${randomUUID()}`;
    const session = { id: `cs_${randomUUID()}`, customer, status: 'complete', metadata: { plan: lifetime.name } };
    stripe.put('checkout/sessions', { ...session, payment_intent: { id, status }, ...fields });
    const store = (purchase: object) =>
      database().shopPurchase.create({
        data: { paymentIntentId: id, stripeCustomerId: String(customer), ...purchase },
      });
    return { buyer, store };
  }
  const paidAt = new Date(1_780_000_000_000);

  test.each(['succeeded', 'processing'] as const)(
    'whose payment is %s comes to the page that says so, before its event arrives',
    async (status) => {
      const { buyer } = await payer(status);
      expect(await startPurchase(buyer, lifetime)).toBe(SHOWN);
      expect((await buy(buyer, yearly)).mode).toBe('subscription'); // another plan is sold
    },
  );

  test('nor where the plan is stored and its session is not the customer’s, as after a replaced customer', async () => {
    const { buyer, store } = await payer('succeeded', { customer: 'cus_replaced' });
    await store({ plan: lifetime.name, paidAt });
    expect(await startPurchase(buyer, lifetime)).toBe('https://shop.example/account');
  });

  test('nor after a partial refund that arrived before its payment', async () => {
    const { buyer, store } = await payer('succeeded');
    await store({});
    expect(await startPurchase(buyer, lifetime)).toBe(SHOWN);
  });

  test.each([
    ['a refund', { plan: lifetime.name, paidAt, refundedAt: paidAt }],
    ['a refund that arrived before its payment', { refundedAt: paidAt }],
  ])('after %s it is sold again', async (_, purchase) => {
    const { buyer, store } = await payer('succeeded');
    await store(purchase);
    expect((await buy(buyer, lifetime)).mode).toBe('payment');
  });

  test.each([
    ['a bank debit that failed', 'requires_payment_method', {}],
    ['a payment for another product', 'succeeded', { metadata: { seats: '3' } }],
    ['another customer’s payment', 'succeeded', { customer: 'cus_other' }],
  ] as const)('%s is no purchase', async (_, status, fields) => {
    const { buyer } = await payer(status, fields);
    expect((await buy(buyer, lifetime)).mode).toBe('payment');
  });
});

describe('a trial is free once', () => {
  const DAY = 86_400;
  /** A buyer whose subscription has ended. */
  async function returning(subscription: { trial_start: number | null }) {
    const buyer = newBuyer();
    const { customer } = await buy(buyer, lifetime);
    stripe.put('subscriptions', {
      id: `sub_${randomUUID()}`,
      customer,
      status: 'canceled',
      ...onPlan(),
      ...subscription,
    });
    return buyer;
  }

  test('a customer who had one pays at once', async () => {
    const session = await buy(await returning({ trial_start: 20_000 * DAY }), yearly);
    expect(session.mode).toBe('subscription');
    expect(session.subscription_data).not.toHaveProperty('trial_period_days');
  });

  test('a customer whose ended subscription had none gets theirs', async () => {
    const session = await buy(await returning({ trial_start: null }), yearly);
    expect(session.subscription_data).toHaveProperty('trial_period_days', 14);
  });
});

describe('a second subscription would charge twice', () => {
  const portals = () =>
    stripe.all<Stripe.BillingPortal.SessionCreateParams & { url: string }>('billing_portal/sessions');

  async function subscriber() {
    const buyer = newBuyer();
    const { customer } = await buy(buyer, yearly);
    for (const status of ['active', 'canceled']) {
      stripe.put('subscriptions', { id: `sub_${randomUUID()}`, customer, status, ...onPlan() });
    }
    return { buyer, customer };
  }

  test('so a subscriber who chooses a subscription is sent to the billing portal', async () => {
    const { buyer, customer } = await subscriber();
    const url = await startPurchase(buyer, planOf('studio_monthly'));
    expect(portals().find((portal) => portal.url === url)).toMatchObject({
      customer,
      return_url: 'https://shop.example/account?from=billing',
    });
  });

  test.each([
    ['that was bought here', true],
    ['from before the integration, whose plan is stored', false],
  ])('one %s stays one on a plan that only a newer version has: no second one, no second trial', async (_, isKeyed) => {
    const [buyer, returning] = [newBuyer(), newBuyer()];
    const put = async (of: typeof buyer, fields: { status: string; trial_start: number | null }) => {
      const { customer } = await buy(of, lifetime);
      const id = `sub_${randomUUID()}`;
      const items = { data: [{ price: { lookup_key: 'studio_gold', metadata: { plan: 'studio_gold' } } }] };
      const metadata = isKeyed ? { svc_customer_key: of.userId } : {};
      stripe.put('subscriptions', { id, customer, items, metadata, ...fields });
      const row = { id, stripeCustomerId: String(customer), plan: 'studio_monthly', status: 'active', fencingToken: 1 };
      if (!isKeyed) await database().shopSubscription.create({ data: row });
    };
    await put(buyer, { status: 'active', trial_start: null });
    const url = await startPurchase(buyer, yearly);
    expect(portals().map((portal) => portal.url)).toContain(url);
    await put(returning, { status: 'canceled', trial_start: 1_700_000_000 });
    expect((await buy(returning, yearly)).subscription_data).not.toHaveProperty('trial_period_days');
  });

  test('a session that was created after another one was paid is expired, and its buyer sent to the billing portal', async () => {
    const buyer = newBuyer();
    const customer = String((await buy(buyer, lifetime)).customer);
    stripe.intercept(({ method, path }) => {
      const subscription = {
        id: `sub_${customer}`,
        customer,
        status: 'active',
        trial_start: null,
        metadata: {},
        ...onPlan(),
      };
      if (method === 'POST' && path === 'checkout/sessions') stripe.put('subscriptions', subscription);
      return undefined;
    });
    const url = await startPurchase(buyer, yearly);
    stripe.intercept(() => undefined);
    expect(portals().map((portal) => portal.url)).toContain(url);
    const sessions = stripe
      .all<Stripe.Checkout.Session>('checkout/sessions')
      .filter((each) => each.customer === customer);
    expect(sessions.map(({ mode, status }) => `${mode} ${status}`)).toContain('subscription expired');
  });

  test('a subscription to another product of the account is none, and its trial is not that of the plan', async () => {
    const buyer = newBuyer();
    const { customer } = await buy(buyer, lifetime);
    const other = { customer, status: 'active', trial_start: 1_700_000_000, ...onPlan(null) };
    stripe.put('subscriptions', { id: `sub_${randomUUID()}`, ...other });
    const session = await buy(buyer, yearly);
    expect(session.subscription_data).toHaveProperty('trial_period_days', 14);
  });

  test('and one who chooses a lifetime plan is sent to the payment page', async () => {
    const { buyer } = await subscriber();
    expect((await buy(buyer, lifetime)).mode).toBe('payment');
  });

  test('the portal needs no default that was saved in the dashboard: its configuration is created once and named', async () => {
    const { buyer } = await subscriber();
    await startPurchase(buyer, yearly);
    await startPurchase(buyer, yearly);
    const configurations = stripe.all<Stripe.BillingPortal.Configuration>('billing_portal/configurations');
    expect(configurations).toHaveLength(1);
    expect(new Set(portals().map(({ configuration }) => configuration))).toEqual(new Set([configurations[0]?.id]));
    expect(configurations[0]?.features).toMatchObject({
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true, mode: 'at_period_end' },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price'],
        products: [{ product: 'prod_1', prices: ['price_studio_monthly', 'price_studio_yearly'] }],
      },
    });
  });

  test('a plan with a new price gets a new configuration', async () => {
    const { buyer } = await subscriber();
    const old = stripe.all('prices').find(({ id }) => id === 'price_studio_monthly');
    Object.assign(old ?? {}, { active: false, lookup_key: null });
    const recurring = { interval: 'month', interval_count: 1 };
    stripe.put('prices', { id: 'price_new', lookup_key: 'studio_monthly', active: true, product: 'prod_1', recurring });
    const url = await startPurchase(buyer, yearly);
    const used = portals().find((portal) => portal.url === url)?.configuration;
    const configuration = stripe.all('billing_portal/configurations').find(({ id }) => id === used);
    expect(JSON.stringify(configuration)).toContain('price_new');
    expect(JSON.stringify(configuration)).not.toContain('"price_studio_monthly"');
  });
});
