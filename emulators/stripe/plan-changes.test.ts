import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { DAY, newEmail, openAccount } from './testing/account';

const { stripe, subscribe, advance, newPrice, typesAbout } = await openAccount();

type Update = Stripe.SubscriptionUpdateParams;

const itemsOf = async (subscription: string) => (await stripe.subscriptions.retrieve(subscription)).items.data;

/** The newest invoice's lines that are prorations, in order. */
async function prorations(subscription: string) {
  const [invoice] = (await stripe.invoices.list({ subscription })).data;
  return (invoice?.lines.data ?? []).filter((line) => !line.discountable).map(({ amount }) => amount);
}

/** Half a month into a subscription of $10, with other prices. */
async function halfway({ coupon }: { coupon?: string } = {}) {
  const { subscription, customer } = await subscribe({ amount: 1000, ...(coupon && { coupon }) });
  const [item] = await itemsOf(subscription);
  const length = (item?.current_period_end ?? 0) - (item?.current_period_start ?? 0);
  await advance(customer, length / 2);
  const update = (params: Update) => stripe.subscriptions.update(subscription, params);
  return { subscription, customer, item: item?.id ?? '', update };
}

test('before its first payment, a subscription takes metadata and nothing that changes its plan', async () => {
  const { id: customer } = await stripe.customers.create({ email: newEmail() });
  const [price, cheaper] = [await newPrice({ amount: 2000 }), await newPrice({ amount: 1000 })];
  const { id, items } = await stripe.subscriptions.create({
    ...{ customer, items: [{ price: price.id }], payment_behavior: 'default_incomplete' },
  });
  const change = { items: [{ id: items.data[0]?.id ?? '', price: cheaper.id }] };
  const billed = stripe.subscriptions.update(id, { ...change, proration_behavior: 'always_invoice' });
  await expect(billed).rejects.toMatchObject({ statusCode: 400, message: expect.stringContaining('incomplete') });
  const updated = await stripe.subscriptions.update(id, { metadata: { a: 'b' } });
  expect(updated).toMatchObject({ status: 'incomplete', metadata: { a: 'b' } });
});

describe('the items of a subscription', () => {
  test('have different prices, from the beginning and after a change', async () => {
    const { id: customer } = await stripe.customers.create({ email: newEmail(), payment_method: 'pm_card_visa' });
    const [{ id: one }, { id: other }] = [await newPrice(), await newPrice()];
    const create = (...prices: string[]) =>
      stripe.subscriptions.create({
        ...{
          customer,
          items: prices.map((price) => ({ price })),
          payment_behavior: 'default_incomplete',
          trial_period_days: 1,
        },
      });
    await expect(create(one, one)).rejects.toThrow('Cannot add multiple subscription items with the same price');
    const { id, items } = await create(one, other);
    const change = { items: [{ id: items.data[0]?.id ?? '', price: other }] };
    await expect(stripe.subscriptions.update(id, change)).rejects.toThrow('with the same price');
    const exchanged = items.data.map((item) => ({ id: item.id, price: item.price.id === one ? other : one }));
    const { items: after } = await stripe.subscriptions.update(id, { items: exchanged });
    expect(after.data.map(({ price }) => price.id)).toEqual([other, one]);
  });

  test('grow by one without an ID, of which the rest of the period is billed', async () => {
    const { subscription, customer, update } = await halfway();
    const seats = await newPrice({ amount: 200 });
    const changed = await update({ items: [{ price: seats.id, quantity: 3 }], proration_behavior: 'always_invoice' });
    expect(changed.items.data.map(({ price, quantity }) => [price.unit_amount, quantity])).toEqual([
      [1000, 1],
      [200, 3],
    ]);
    expect(await prorations(subscription)).toEqual([300]);
    await expect(update({ items: [{ price: seats.id }] })).rejects.toMatchObject({ param: 'items[0][price]' });
    await advance(customer, { to_next_renewal: true });
    const [renewal] = (await stripe.invoices.list({ subscription })).data;
    expect(renewal).toMatchObject({ billing_reason: 'subscription_cycle', total: 1600 });
  });

  test('shrink by one that is deleted, of which the rest is credited; one stays', async () => {
    const { subscription, item, update } = await halfway();
    const price = await newPrice({ amount: 200 });
    await update({ items: [{ price: price.id }], proration_behavior: 'always_invoice' });
    await update({ items: [{ id: item, deleted: true }], proration_behavior: 'always_invoice' });
    const [left] = await itemsOf(subscription);
    expect(await prorations(subscription)).toEqual([-500]);
    await expect(update({ items: [{ id: left?.id ?? '', deleted: true }] })).rejects.toThrow('at least one item');
  });

  test('are replaced by one of another interval, which begins a new period', async () => {
    const { subscription, item, update } = await halfway();
    const yearly = await newPrice({ amount: 9000, interval: 'year' });
    await update({ items: [{ id: item, deleted: true }, { price: yearly.id }] });
    const [invoice] = (await stripe.invoices.list({ subscription })).data;
    expect(invoice).toMatchObject({ billing_reason: 'subscription_update', total: 8500 });
  });

  test('can be written out', async () => {
    const { item, update } = await halfway();
    const { product } = await newPrice();
    const price_data = {
      currency: 'usd',
      product: String(product),
      unit_amount: 700,
      recurring: { interval: 'month' },
    } as const;
    const changed = await update({ items: [{ id: item, price_data }] });
    expect(changed.items.data).toMatchObject([{ id: item, price: { unit_amount: 700 } }]);
  });

  test('are resources of their own', async () => {
    const { subscription, item } = await halfway();
    const { id: price } = await newPrice({ amount: 200 });
    const added = await stripe.subscriptionItems.create({ subscription, price, quantity: 2 });
    expect(await stripe.subscriptionItems.update(added.id, { quantity: 5 })).toMatchObject({ quantity: 5 });
    expect(await stripe.subscriptionItems.retrieve(added.id)).toMatchObject({ subscription, price: { id: price } });
    const list = async () => (await stripe.subscriptionItems.list({ subscription })).data.map(({ id }) => id);
    expect(await list()).toEqual([item, added.id]);
    expect(await stripe.subscriptionItems.del(added.id)).toMatchObject({ id: added.id, deleted: true });
    expect(await list()).toEqual([item]);
    await expect(stripe.subscriptionItems.retrieve(added.id)).rejects.toMatchObject({ statusCode: 404 });
  });
});

describe('a change from free to paid', () => {
  async function free(over: Partial<Stripe.SubscriptionCreateParams> = {}) {
    const { id: customer } = await stripe.customers.create({ email: newEmail() });
    const { id: method } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    const items = [{ price: (await newPrice({ amount: 0 })).id }];
    const { id, items: created } = await stripe.subscriptions.create({
      ...{ customer, items, default_payment_method: method, ...over },
    });
    return { id, customer, item: created.data[0]?.id ?? '' };
  }
  const paid = async (item: string) => ({ items: [{ id: item, price: (await newPrice({ amount: 1000 })).id }] });

  test('begins a new period, which is invoiced at once', async () => {
    const { id, customer, item } = await free();
    await advance(customer, 10 * DAY);
    const changed = await stripe.subscriptions.update(id, await paid(item));
    const { billing_cycle_anchor: anchor, created } = changed;
    expect(anchor).toBeGreaterThanOrEqual(created + 10 * DAY);
    expect(changed.items.data).toMatchObject([{ current_period_start: anchor }]);
    const [invoice] = (await stripe.invoices.list({ subscription: id })).data;
    expect(invoice).toMatchObject({ billing_reason: 'subscription_update', total: 1000, status: 'paid' });
  });

  test('of one item among others moves them all to the new period', async () => {
    const { id, customer, item } = await free();
    const other = await stripe.subscriptionItems.create({
      ...{ subscription: id, price: (await newPrice({ amount: 0 })).id },
    });
    await advance(customer, 10 * DAY);
    const changed = await stripe.subscriptions.update(id, await paid(item));
    const { billing_cycle_anchor: anchor, created } = changed;
    expect(anchor).toBeGreaterThanOrEqual(created + 10 * DAY);
    expect(changed.items.data).toMatchObject([
      { id: item, current_period_start: anchor },
      { id: other.id, current_period_start: anchor },
    ]);
  });

  test('by an item that is added begins a new period, too', async () => {
    const { id, customer } = await free();
    await advance(customer, 10 * DAY);
    const changed = await stripe.subscriptions.update(id, {
      items: [{ price: (await newPrice({ amount: 1000 })).id }],
    });
    const { billing_cycle_anchor: anchor } = changed;
    expect(changed.items.data).toMatchObject(Array(2).fill({ current_period_start: anchor }));
    expect((await stripe.invoices.list({ subscription: id })).data[0]).toMatchObject({ total: 1000 });
  });

  test('during a trial bills nothing before it ends', async () => {
    const { id, item } = await free({ trial_period_days: 7 });
    await stripe.subscriptions.update(id, await paid(item));
    expect((await stripe.invoices.list({ subscription: id })).data).toMatchObject([{ total: 0 }]);
  });
});

describe('a proration', () => {
  test('credits what was billed, also after a change that billed nothing', async () => {
    const { subscription, item, update } = await halfway();
    const [more, most] = [await newPrice({ amount: 3000 }), await newPrice({ amount: 5000 })];
    await update({ items: [{ id: item, price: more.id }], proration_behavior: 'none' });
    await update({ items: [{ id: item, price: most.id }], proration_behavior: 'always_invoice' });
    expect(await prorations(subscription)).toEqual([-500, 2500]);
  });

  test('takes off no more than the coupon does, of all items together', async () => {
    const { id: coupon } = await stripe.coupons.create({ amount_off: 400, currency: 'usd', duration: 'forever' });
    const { subscription, item, update } = await halfway({ coupon });
    const other = await newPrice({ amount: 1000 });
    const now = { proration_behavior: 'always_invoice' } as const;
    await update({ items: [{ price: other.id }], ...now });
    expect(await prorations(subscription), 'the first item has the whole discount').toEqual([500]);
    const bigger = await newPrice({ amount: 3000 });
    await update({ items: [{ id: item, price: bigger.id }], ...now });
    expect(await prorations(subscription)).toEqual([-300, 1300]);
  });

  test('shares a percentage out as before', async () => {
    const { id: coupon } = await stripe.coupons.create({ percent_off: 10, duration: 'forever' });
    const { subscription, item, update } = await halfway({ coupon });
    const [other, bigger] = [await newPrice({ amount: 1000 }), await newPrice({ amount: 3000 })];
    const items = [{ price: other.id }, { id: item, price: bigger.id }];
    await update({ items, proration_behavior: 'always_invoice' });
    expect(await prorations(subscription)).toEqual([-450, 1350, 450]);
  });
});

test('a change that cannot be paid leaves everything as it was, where that is asked for', async () => {
  const { customer, subscription, item, update } = await halfway();
  const { id: method } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
  await update({ default_payment_method: method });
  const price = await newPrice({ amount: 3000 });
  const change: Update = { items: [{ id: item, price: price.id }], proration_behavior: 'always_invoice' };
  await expect(update({ ...change, payment_behavior: 'error_if_incomplete' })).rejects.toMatchObject({
    statusCode: 402,
  });
  expect(await itemsOf(subscription)).toMatchObject([{ price: { unit_amount: 1000 } }]);
  expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
});

describe('a trial', () => {
  const WARNING = 'customer.subscription.trial_will_end';
  const warnings = async (id: string) => (await typesAbout(id)).filter((type) => type === WARNING).length;

  test('is reported three days before it ends, or at once where it is shorter, and where it is ended early', async () => {
    const { subscription, customer } = await subscribe({ trialDays: 14 });
    await advance(customer, 10 * DAY);
    expect(await warnings(subscription)).toBe(0);
    await advance(customer, 2 * DAY);
    expect(await warnings(subscription)).toBe(1);
    await advance(customer, 10 * DAY);
    expect(await warnings(subscription)).toBe(1);
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
    expect(await warnings((await subscribe({ trialDays: 2 })).subscription)).toBe(1);
    const ended = await subscribe({ trialDays: 14 });
    await stripe.subscriptions.update(ended.subscription, { trial_end: 'now' });
    expect(await warnings(ended.subscription)).toBe(1);
  });

  test('ends now, which bills the first period; without a trial nothing happens', async () => {
    const { subscription, customer } = await subscribe({ trialDays: 14 });
    await advance(customer, DAY);
    const ended = await stripe.subscriptions.update(subscription, { trial_end: 'now', expand: ['latest_invoice'] });
    expect(ended).toMatchObject({ status: 'active', latest_invoice: { status: 'paid', total: 1900 } });
    const { billing_cycle_anchor: anchor, trial_end: end } = ended;
    expect(ended.items.data).toMatchObject([{ current_period_start: anchor }]);
    expect(end).toBe(anchor);
    await stripe.subscriptions.update(subscription, { trial_end: 'now' });
    expect((await stripe.invoices.list({ subscription })).data).toHaveLength(2);
  });

  test('is extended', async () => {
    const { subscription, customer } = await subscribe({ trialDays: 14 });
    const trial_end = ((await stripe.subscriptions.retrieve(subscription)).trial_end ?? 0) + 14 * DAY;
    expect(await stripe.subscriptions.update(subscription, { trial_end })).toMatchObject({ trial_end });
    const late = trial_end + 1000 * DAY;
    await expect(stripe.subscriptions.update(subscription, { trial_end: late })).rejects.toMatchObject({
      statusCode: 400,
      param: 'trial_end',
      message: 'Invalid timestamp: a trial can end at most two years from now.',
    });
    await advance(customer, 20 * DAY);
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'trialing' });
    await advance(customer, 20 * DAY);
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
  });
});

test.each([
  ['void', 'void'],
  ['mark_uncollectible', 'uncollectible'],
] as const)('while collection is paused (%s), renewals are not charged, and then again', async (behavior, status) => {
  const { subscription, customer } = await subscribe();
  await stripe.subscriptions.update(subscription, { pause_collection: { behavior } });
  await advance(customer, { to_next_renewal: true });
  const invoices = async () => (await stripe.invoices.list({ subscription })).data.map((invoice) => invoice.status);
  expect(await invoices()).toEqual([status, 'paid']);
  expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
  await stripe.subscriptions.update(subscription, { pause_collection: '' });
  await advance(customer, { to_next_renewal: true });
  expect(await invoices()).toEqual(['paid', status, 'paid']);
});

test('a discount is given later, replaced, and taken away', async () => {
  const { subscription, customer } = await subscribe();
  const { id: coupon } = await stripe.coupons.create({ percent_off: 50, duration: 'forever' });
  const total = async () => {
    await advance(customer, { to_next_renewal: true });
    return (await stripe.invoices.list({ subscription })).data[0]?.total;
  };
  await stripe.subscriptions.update(subscription, { discounts: [{ coupon }] });
  expect(await total()).toBe(950);
  await stripe.subscriptions.update(subscription, { discounts: '' });
  expect(await total()).toBe(1900);
});

test('why a customer leaves is kept', async () => {
  const { subscription } = await subscribe();
  const details = { comment: 'Too few pens', feedback: 'missing_features' } as const;
  const kept = { cancellation_details: { ...details, reason: 'cancellation_requested' } };
  const ending = { cancel_at_period_end: true, cancellation_details: details };
  expect(await stripe.subscriptions.update(subscription, ending)).toMatchObject(kept);
  expect(await stripe.subscriptions.cancel(subscription, { cancellation_details: details })).toMatchObject(kept);
});

test('why a customer leaves is kept until the period ends, and each part of it is changed by itself', async () => {
  const { subscription, customer } = await subscribe();
  const change = (cancellation_details: Stripe.SubscriptionUpdateParams.CancellationDetails) =>
    stripe.subscriptions.update(subscription, { cancellation_details });
  await stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
  await change({ comment: 'Too few pens' });
  await change({ feedback: 'missing_features' });
  await advance(customer, 32 * DAY);
  const details = { comment: 'Too few pens', feedback: 'missing_features', reason: 'cancellation_requested' };
  expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({
    ...{ status: 'canceled', cancellation_details: details },
  });
  expect(await change({ comment: '' })).toMatchObject({ cancellation_details: { ...details, comment: null } });
});

describe('a subscription whose first payment the browser confirms', () => {
  async function start(over: Partial<Stripe.SubscriptionCreateParams> = {}) {
    const { id: customer } = await stripe.customers.create({ email: newEmail() });
    const subscription = await stripe.subscriptions.create({
      customer,
      items: [{ price: (await newPrice()).id }],
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
      expand: ['latest_invoice.confirmation_secret', 'pending_setup_intent'],
      ...over,
    });
    const { confirmation_secret: secret } = subscription.latest_invoice as Stripe.Invoice;
    const confirm = (payment_method: string) =>
      stripe.paymentIntents.confirm(secret?.client_secret.split('_secret')[0] ?? '', {
        payment_method,
        return_url: 'http://localhost:1/done',
      });
    return { subscription, secret, confirm };
  }

  test('is incomplete until then, and active with the card as its default after it', async () => {
    const { subscription, secret, confirm } = await start();
    expect(subscription).toMatchObject({ status: 'incomplete', latest_invoice: { status: 'open', attempted: false } });
    expect(secret).toMatchObject({ type: 'payment_intent', client_secret: expect.stringMatching(/^pi_.*_secret_/) });
    await expect(confirm('pm_card_visa_chargeDeclined')).rejects.toMatchObject({ statusCode: 402 });
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'incomplete' });
    const { payment_method: method } = await confirm('pm_card_visa');
    expect(await stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] })).toMatchObject({
      ...{ status: 'active', default_payment_method: method, latest_invoice: { status: 'paid' } },
    });
    expect(await typesAbout(subscription.id)).toEqual([
      'customer.subscription.created',
      'customer.subscription.updated',
    ]);
    await advance(String(subscription.customer), { to_next_renewal: true });
    expect((await stripe.invoices.list({ subscription: subscription.id })).data[0]).toMatchObject({ status: 'paid' });
  });

  test('has nothing to confirm where nothing is due', async () => {
    const { subscription, secret } = await start({ trial_period_days: 7 });
    expect([subscription.status, secret]).toEqual(['trialing', null]);
  });
});

test('a subscription is created with a price of its own, a trial, a promotion code and an end', async () => {
  const { id: customer } = await stripe.customers.create({ email: newEmail() });
  const { id: coupon } = await stripe.coupons.create({ percent_off: 50 });
  const { id: promotion_code } = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon } });
  const { product } = await newPrice();
  const recurring = { interval: 'month' } as const;
  const trial_end = Math.floor(Date.now() / 1000) + 5 * DAY;
  const created = await stripe.subscriptions.create({
    customer,
    items: [{ price_data: { currency: 'usd', product: String(product), unit_amount: 700, recurring } }],
    discounts: [{ promotion_code }],
    trial_end,
    cancel_at_period_end: true,
    expand: ['discounts'],
  });
  expect(created).toMatchObject({ status: 'trialing', trial_end, cancel_at: trial_end });
  expect(created.discounts).toMatchObject([{ promotion_code }]);
  const price = created.items.data[0]?.price.id ?? '';
  expect((await stripe.subscriptions.list({ price })).data.map(({ id }) => id)).toEqual([created.id]);
});
