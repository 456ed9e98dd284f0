import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { showPortal } from './portal';
import { actInPortal } from './portal-actions';
import { DAY, newEmail, openAccount, VISA } from './testing/account';

const { emulator, stripe, advance, subscribe, invoicesOf, eventsAbout, newPrice } = await openAccount();

const card = { number: VISA, expiry: '12 / 34', cvc: '123', name: 'Ada' };

type Features = Stripe.BillingPortal.ConfigurationCreateParams.Features;
type Proration = 'none' | 'create_prorations' | 'always_invoice';

/** A configuration as real integrations create it: with the prices that customers can change to. */
function configure(over: Features = {}, prices: Stripe.Price[] = [], proration_behavior?: Proration) {
  const products = prices.map((price) => ({ product: String(price.product), prices: [price.id] }));
  return stripe.billingPortal.configurations.create({
    features: {
      invoice_history: { enabled: true },
      payment_method_update: { enabled: true },
      subscription_cancel: { enabled: true },
      ...(products.length > 0 && {
        subscription_update: {
          enabled: true,
          default_allowed_updates: ['price'],
          products,
          ...(proration_behavior && { proration_behavior }),
        },
      }),
      ...over,
    },
  });
}

async function openPortal({ number, features, prices, proration }: Wanted = {}) {
  const paid = await subscribe(number ? { number } : {});
  const { id: configuration } = await configure(features, prices, proration);
  const session = await stripe.billingPortal.sessions.create({
    customer: paid.customer,
    configuration,
    return_url: 'http://localhost:1/account',
  });
  return { ...paid, portal: session.id, configuration };
}

type Wanted = {
  number?: string;
  features?: Features;
  prices?: Stripe.Price[];
  proration?: Proration | undefined;
};

describe('a portal configuration', () => {
  test('is required: without one and without a default, the session is refused', async () => {
    const { customer } = await subscribe();
    await expect(stripe.billingPortal.sessions.create({ customer })).rejects.toThrow(
      'No configuration provided and your test mode default configuration has not been created',
    );
  });

  test('that was created first is the default one; a session can name another', async () => {
    const [first, second] = [await configure(), await configure()];
    expect([first.is_default, second.is_default]).toEqual([true, false]);
    const { customer } = await subscribe();
    expect(await stripe.billingPortal.sessions.create({ customer, locale: 'de' })).toMatchObject({
      ...{ configuration: first.id, locale: 'de' },
    });
    expect(await stripe.billingPortal.sessions.create({ customer, configuration: second.id })).toMatchObject({
      configuration: second.id,
      url: expect.stringMatching(/^http:\/\/localhost:3001\/stripe\/portal\/bps_/),
    });
    const { data } = await stripe.billingPortal.configurations.list({ is_default: true });
    expect(data.map(({ id }) => id)).toEqual([first.id]);
  });

  test('can be changed in part; an inactive one opens no session, and the default one stays active', async () => {
    const { customer } = await subscribe();
    const { id } = await configure();
    const changed = await stripe.billingPortal.configurations.update(id, {
      business_profile: { headline: 'Acme' },
      features: { subscription_cancel: { enabled: false } },
    });
    expect(changed).toMatchObject({
      business_profile: { headline: 'Acme' },
      features: { subscription_cancel: { enabled: false }, invoice_history: { enabled: true } },
    });
    await stripe.billingPortal.configurations.update(id, { active: false });
    await expect(stripe.billingPortal.sessions.create({ customer, configuration: id })).rejects.toMatchObject({
      param: 'configuration',
    });
    const [standard] = (await stripe.billingPortal.configurations.list({ is_default: true })).data;
    await expect(stripe.billingPortal.configurations.update(standard?.id ?? '', { active: false })).rejects.toThrow(
      'deactivate the default',
    );
  });

  test('that offers plan changes needs products, and prices that belong to them', async () => {
    const update = { enabled: true, default_allowed_updates: ['price' as const] };
    await expect(configure({ subscription_update: update })).rejects.toMatchObject({
      param: 'features[subscription_update][products]',
    });
    const [one, other] = [await newPrice(), await newPrice()];
    const products = [{ product: String(one.product), prices: [other.id] }];
    await expect(configure({ subscription_update: { ...update, products } })).rejects.toThrow('belong to the product');
  });

  test('offers one price of a product for each billing interval', async () => {
    const monthly = await newPrice();
    const product = String(monthly.product);
    const offer = (...prices: Stripe.Price[]) =>
      configure({
        subscription_update: {
          enabled: true,
          default_allowed_updates: ['price'],
          products: [{ product, prices: prices.map(({ id }) => id) }],
        },
      });
    const priceEvery = (interval: 'month' | 'year', interval_count: number, currency = 'usd') =>
      stripe.prices.create({ product, currency, unit_amount: 5000, recurring: { interval, interval_count } });
    const [quarterly, yearly] = [await priceEvery('month', 3), await priceEvery('year', 1)];
    const { id } = await offer(monthly, quarterly, yearly);
    expect(await stripe.billingPortal.configurations.retrieve(id)).toMatchObject({ active: true });
    await expect(offer(monthly, await priceEvery('month', 1, 'jpy'))).rejects.toMatchObject({
      statusCode: 400,
      message: 'For each product, its price must have unique billing intervals.',
    });
  });
});

describe('the billing portal', () => {
  test('shows the plan, its card and the invoices', async () => {
    const { portal, email } = await openPortal();
    expect(await showPortal(emulator, portal)).toMatchObject({
      email,
      returnUrl: 'http://localhost:1/account',
      subscriptions: [
        { status: 'active', method: { kind: 'visa', last4: '4242' }, price: { amount: 1900, interval: 'month' } },
      ],
      invoices: [{ total: 1900, status: 'paid' }],
    });
    expect(await showPortal(emulator, 'bps_none')).toBeNull();
  });

  test('shows the card that pays, also where it is the customer’s and not the subscription’s', async () => {
    const { id: customer } = await stripe.customers.create({ email: newEmail() });
    const { id: method } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method } });
    await stripe.subscriptions.create({ customer, items: [{ price: (await newPrice()).id }] });
    const { id: configuration } = await configure();
    const { id } = await stripe.billingPortal.sessions.create({ customer, configuration });
    expect((await showPortal(emulator, id))?.subscriptions).toMatchObject([{ method: { last4: '4242' } }]);
  });

  test('cancels a subscription at the end of its period by date, and resumes it', async () => {
    const { portal, subscription, customer } = await openPortal();
    const { items } = await stripe.subscriptions.retrieve(subscription);
    const end = items.data[0]?.current_period_end ?? 0;
    await actInPortal(emulator, portal, { action: 'cancel_at_period_end', subscription });
    const ending = { cancel_at: end, cancel_at_period_end: false, canceled_at: expect.any(Number) };
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject(ending);
    const endsAt = new Date(end * 1000).toISOString();
    expect(await showPortal(emulator, portal)).toMatchObject({ subscriptions: [{ endsAt }] });
    await stripe.subscriptions.update(subscription, { cancel_at_period_end: false });
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject(ending);
    await actInPortal(emulator, portal, { action: 'resume', subscription });
    const running = { cancel_at: null, cancel_at_period_end: false, canceled_at: null };
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject(running);
    expect(await showPortal(emulator, portal)).toMatchObject({ subscriptions: [{ endsAt: null }] });
    const updates = (await eventsAbout(subscription)).filter(({ type }) => type === 'customer.subscription.updated');
    expect(updates[0]?.data.previous_attributes).toMatchObject({ cancel_at: null });
    expect(updates[0]?.data.previous_attributes).not.toHaveProperty('cancel_at_period_end');
    await advance(customer, 32 * DAY);
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
  });

  test('ends what it has canceled when the period ends, without another invoice', async () => {
    const { portal, subscription, customer } = await openPortal();
    await actInPortal(emulator, portal, { action: 'cancel_at_period_end', subscription });
    expect(await advance(customer, { to_next_renewal: true })).toBeNull();
    await advance(customer, 32 * DAY);
    const ended = await stripe.subscriptions.retrieve(subscription);
    expect(ended).toMatchObject({ status: 'canceled', ended_at: ended.cancel_at });
    expect(await invoicesOf(subscription)).toHaveLength(1);
  });

  test('takes back what the API has canceled', async () => {
    const { portal, subscription } = await openPortal();
    await stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
    await actInPortal(emulator, portal, { action: 'resume', subscription });
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({
      cancel_at: null,
      cancel_at_period_end: false,
    });
  });

  const FIRST = 'subscription_create 1900';

  test.each([
    [undefined, { invoices: [FIRST], pending: [] }],
    ['none', { invoices: [FIRST], pending: [] }],
    ['create_prorations', { invoices: [FIRST], pending: [4900, -1900] }],
    ['always_invoice', { invoices: ['subscription_update 3000', FIRST], pending: [] }],
  ] as const)('changes the plan with the proration of its configuration: %s', async (proration, expected) => {
    const dearer = await newPrice({ amount: 4900 });
    const { portal, subscription, customer } = await openPortal({ prices: [dearer], proration });
    expect(await showPortal(emulator, portal)).toMatchObject({
      subscriptions: [{ otherPrices: [{ id: dearer.id, amount: 4900 }] }],
    });
    await actInPortal(emulator, portal, { action: 'change_plan', subscription, price: dearer.id });
    const { items } = await stripe.subscriptions.retrieve(subscription);
    expect(items.data[0]?.price.id).toBe(dearer.id);
    const invoices = (await invoicesOf(subscription)).map(({ reason, total }) => `${reason} ${total}`);
    const pending = (await stripe.invoiceItems.list({ customer })).data.map(({ amount }) => amount);
    expect({ invoices, pending }).toEqual(expected);
  });

  test.each([
    ['end_trial', undefined, { status: 'active', paid: [0, 4900] }],
    ['continue_trial', 'continue_trial', { status: 'trialing', paid: [0] }],
  ] as const)('with %s a change of plan does that to a trial', async (behavior, given, expected) => {
    const dearer = await newPrice({ amount: 4900 });
    const paid = await subscribe({ trialDays: 7 });
    const { id: configuration, features } = await configure({
      subscription_update: {
        ...{ enabled: true, default_allowed_updates: ['price'] },
        products: [{ product: String(dearer.product), prices: [dearer.id] }],
        ...(given && { trial_update_behavior: given }),
      },
    });
    expect(features.subscription_update.trial_update_behavior).toBe(behavior);
    const { id } = await stripe.billingPortal.sessions.create({ customer: paid.customer, configuration });
    await actInPortal(emulator, id, { action: 'change_plan', subscription: paid.subscription, price: dearer.id });
    const { status, items } = await stripe.subscriptions.retrieve(paid.subscription);
    const invoices = await invoicesOf(paid.subscription);
    expect({ status, paid: invoices.map(({ total }) => total).toSorted((a, b) => a - b) }).toEqual(expected);
    expect(items.data[0]?.price.id).toBe(dearer.id);
  });

  test('charges an overdue invoice to a new card', async () => {
    const { portal, subscription, customer } = await openPortal({ number: '4000000000000341' });
    await advance(customer, 32 * DAY);
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'past_due' });
    await actInPortal(emulator, portal, { ...card, action: 'replace_card', subscription, number: '4000000000000002' });
    expect(await showPortal(emulator, portal)).toMatchObject({
      notice: { tone: 'danger', field: 'number', subscription },
    });
    await actInPortal(emulator, portal, { ...card, action: 'replace_card', subscription });
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
    expect((await invoicesOf(subscription))[0]).toMatchObject({ reason: 'subscription_cycle', status: 'paid' });
    const message = 'This subscription is now paid with the card ending in 4242.'; // others keep theirs
    expect(await showPortal(emulator, portal)).toMatchObject({ notice: { message } });
  });

  test('leaves the subscriptions of other customers alone', async () => {
    const [mine, other] = [await openPortal(), await openPortal()];
    await actInPortal(emulator, mine.portal, { action: 'cancel_now', subscription: other.subscription });
    expect(await showPortal(emulator, mine.portal)).toMatchObject({ notice: { tone: 'danger' } });
    expect(await stripe.subscriptions.retrieve(other.subscription)).toMatchObject({ status: 'active' });
  });

  test('refuses what its configuration does not offer', async () => {
    const other = await newPrice({ amount: 4900 });
    const { portal, subscription } = await openPortal({
      features: { subscription_cancel: { enabled: false }, payment_method_update: { enabled: false } },
    });
    expect(await showPortal(emulator, portal)).toMatchObject({
      allows: { cancel: false, cancelAtPeriodEnd: false, changePlan: false, replaceCard: false },
    });
    const actions = [
      { action: 'cancel_now', subscription },
      { action: 'cancel_at_period_end', subscription },
      { action: 'change_plan', subscription, price: other.id },
      { ...card, action: 'replace_card', subscription },
    ];
    for (const fields of actions) {
      await actInPortal(emulator, portal, fields);
      expect(await showPortal(emulator, portal)).toMatchObject({
        notice: { message: expect.stringContaining('configuration') },
      });
    }
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({
      status: 'active',
      cancel_at_period_end: false,
    });
  });

  test('returns to a complete address only', async () => {
    const relative = stripe.billingPortal.sessions.create({ customer: 'cus_none', return_url: '/account' });
    await expect(relative).rejects.toMatchObject({ code: 'url_invalid', param: 'return_url' });
  });
});
