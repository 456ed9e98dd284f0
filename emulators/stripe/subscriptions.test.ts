import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { addMonths } from '../core/clock';
import { DAY, METADATA, newEmail, openAccount, SUCCESS_URL } from './testing/account';

const { stripe, subscribe, advance, invoicesOf, eventsAbout, typesAbout, newPrice } = await openAccount();

describe('a subscription', () => {
  test('is paid, renews each month, and every invoice carries a snapshot of its metadata', async () => {
    const { session, subscription, customer } = await subscribe();
    expect(session).toMatchObject({ status: 'complete', payment_status: 'paid', amount_total: 1900 });
    await advance(customer, 32 * DAY);
    expect(await invoicesOf(subscription)).toEqual([
      { reason: 'subscription_cycle', total: 1900, status: 'paid', metadata: METADATA },
      { reason: 'subscription_create', total: 1900, status: 'paid', metadata: METADATA },
    ]);
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
  });

  test('is invoiced at the end of a period, which the invoice names, for the next one, which its line names', async () => {
    const { subscription, customer } = await subscribe();
    const [before] = (await stripe.subscriptions.retrieve(subscription)).items.data;
    await advance(customer, { to_next_renewal: true });
    const [after] = (await stripe.subscriptions.retrieve(subscription)).items.data;
    const [renewal, first] = (await stripe.invoices.list({ subscription })).data;
    const [start, end] = [before?.current_period_start, before?.current_period_end];
    expect(first).toMatchObject({
      period_start: start,
      period_end: start,
      lines: { data: [{ period: { start, end } }] },
    });
    expect(renewal).toMatchObject({
      ...{ period_start: start, period_end: end },
      lines: { data: [{ period: { start: end, end: after?.current_period_end } }] },
    });
  });

  test('keeps its day of the month over a year of renewals', async () => {
    const { subscription, customer } = await subscribe();
    await advance(customer, 366 * DAY);
    const { data } = await stripe.invoices.list({ subscription, limit: 100 });
    expect(data).toHaveLength(13);
    const { billing_cycle_anchor: anchor, items } = await stripe.subscriptions.retrieve(subscription);
    expect(items.data[0]?.current_period_end).toBe(addMonths(anchor, 13));
  });

  test('whose metadata changes leaves the snapshots of earlier invoices as they are', async () => {
    const { subscription, customer } = await subscribe();
    await stripe.subscriptions.update(subscription, { metadata: { click: '', note: 'changed' } });
    await advance(customer, 32 * DAY);
    const [renewal, first] = await invoicesOf(subscription);
    expect(first?.metadata).toEqual(METADATA);
    const { click: _removed, ...rest } = METADATA;
    expect(renewal?.metadata).toEqual({ ...rest, note: 'changed' });
  });

  test('starts with a trial: nothing is charged before the trial ends', async () => {
    const { session, subscription, customer } = await subscribe({ trialDays: 14 });
    expect(session).toMatchObject({ payment_status: 'no_payment_required', amount_total: 0 });
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'trialing' });
    await advance(customer, 15 * DAY);
    expect((await invoicesOf(subscription)).map(({ reason, total }) => [reason, total])).toEqual([
      ['subscription_cycle', 1900],
      ['subscription_create', 0],
    ]);
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
  });

  test('that is changed while it is past due is still retried, and canceled after the last attempt', async () => {
    const { subscription, customer } = await subscribe({ number: '4000000000000341' });
    await advance(customer, { to_next_renewal: true });
    const { items } = await stripe.subscriptions.retrieve(subscription);
    await stripe.subscriptions.update(subscription, { items: [{ id: items.data[0]?.id ?? '', quantity: 2 }] });
    await advance(customer, 10 * DAY);
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'canceled' });
  });

  test('canceled at the end of its period runs until then and is not invoiced again', async () => {
    const { subscription, customer } = await subscribe();
    await stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
    await advance(customer, 32 * DAY);
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'canceled' });
    expect(await invoicesOf(subscription)).toHaveLength(1);
  });

  describe('canceled at the end of its period while it is past due', () => {
    /** Past due two days before its period ends. */
    async function overdue({ isCanceled = false } = {}) {
      const { subscription, customer } = await subscribe({ number: '4000000000000341' });
      const { items } = await stripe.subscriptions.update(subscription, { cancel_at_period_end: isCanceled });
      const { id = '', current_period_end: end = 0, current_period_start: start = 0 } = items.data[0] ?? {};
      await advance(customer, end - start - 2 * DAY);
      const changed = await stripe.subscriptions.update(subscription, {
        ...{ items: [{ id, quantity: 20 }], proration_behavior: 'always_invoice' },
      });
      expect(changed.status).toBe('past_due');
      return { subscription, customer, end };
    }

    test('ends then, whether it was canceled before or after', async () => {
      for (const isCanceled of [true, false]) {
        const { subscription, customer, end } = await overdue({ isCanceled });
        if (!isCanceled) await stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
        await advance(customer, 2.5 * DAY);
        expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({
          ...{ status: 'canceled', ended_at: end, cancellation_details: { reason: 'cancellation_requested' } },
        });
        expect((await invoicesOf(subscription)).map((invoice) => invoice.status)).toEqual(['open', 'paid']);
      }
    });

    test('is retried again when that is taken back', async () => {
      const { subscription, customer } = await overdue();
      await stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
      await stripe.subscriptions.update(subscription, { cancel_at_period_end: false });
      await advance(customer, 2.5 * DAY);
      expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'past_due' });
      await advance(customer, 10 * DAY);
      expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({
        ...{ status: 'canceled', cancellation_details: { reason: 'payment_failed' } },
      });
    });

    test('ends then while a debit is processing, which still pays its invoice', async () => {
      const { subscription, customer, end } = await overdue();
      const { id: payment_method } = await stripe.paymentMethods.attach('pm_usBankAccount_success', { customer });
      const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(subscription);
      await stripe.invoices.pay(String(invoice), { payment_method });
      await stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
      await advance(customer, 3 * DAY);
      expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'canceled', ended_at: end });
      await advance(customer, 2 * DAY);
      expect((await invoicesOf(subscription)).map(({ status }) => status)).toEqual(['paid', 'paid']);
    });
  });

  test('canceled by date ends then, also where its period becomes longer; an empty date takes it back', async () => {
    const { subscription, customer } = await subscribe();
    const { items } = await stripe.subscriptions.retrieve(subscription);
    const { id = '', current_period_end: end } = items.data[0] ?? {};
    const canceled = await stripe.subscriptions.update(subscription, { cancel_at: 'max_period_end' });
    expect(canceled).toMatchObject({ cancel_at: end, cancel_at_period_end: false });
    expect(await stripe.subscriptions.update(subscription, { cancel_at: '' })).toMatchObject({ cancel_at: null });
    await stripe.subscriptions.update(subscription, { cancel_at: 'min_period_end' });
    const yearly = await newPrice({ amount: 19_000, interval: 'year' });
    await stripe.subscriptions.update(subscription, { items: [{ id, price: yearly.id }] });
    await advance(customer, 32 * DAY);
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'canceled', ended_at: end });
  });

  test('canceled by date in the call that changes its interval ends with the new period', async () => {
    const { subscription } = await subscribe();
    const { items } = await stripe.subscriptions.retrieve(subscription);
    const yearly = await newPrice({ amount: 19_000, interval: 'year' });
    const item = { id: items.data[0]?.id ?? '', price: yearly.id };
    const changed = await stripe.subscriptions.update(subscription, { cancel_at: 'max_period_end', items: [item] });
    expect(changed.cancel_at).toBe(changed.items.data[0]?.current_period_end);
    expect(changed.items.data[0]?.current_period_end).toBeGreaterThan(items.data[0]?.current_period_end ?? 0);
  });

  test('has one interval for all of its items', async () => {
    const { id: customer } = await stripe.customers.create({ email: newEmail() });
    await stripe.paymentMethods.attach('pm_card_visa', { customer });
    const prices = [await newPrice(), await newPrice({ interval: 'year' })];
    const subscribed = stripe.subscriptions.create({ customer, items: prices.map(({ id: price }) => ({ price })) });
    await expect(subscribed).rejects.toMatchObject({ statusCode: 400, param: 'items' });
  });

  test('canceled at the end of its period follows the period to another interval', async () => {
    const { subscription } = await subscribe();
    const { items } = await stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
    const yearly = await newPrice({ amount: 19_000, interval: 'year' });
    const changed = await stripe.subscriptions.update(subscription, {
      items: [{ id: items.data[0]?.id ?? '', price: yearly.id }],
    });
    expect(changed).toMatchObject({ cancel_at_period_end: true, cancel_at: changed.items.data[0]?.current_period_end });
  });

  test('canceled now has ended, and cannot be canceled again', async () => {
    const { subscription } = await subscribe();
    expect(await stripe.subscriptions.cancel(subscription)).toMatchObject({ status: 'canceled' });
    await expect(stripe.subscriptions.cancel(subscription)).rejects.toThrow('No such subscription');
    expect(await typesAbout(subscription)).toEqual(['customer.subscription.created', 'customer.subscription.deleted']);
  });

  test('that has ended takes metadata alone, whether it was canceled or its first invoice was never paid', async () => {
    const { subscription } = await subscribe();
    await stripe.subscriptions.cancel(subscription);
    const { id: customer } = await stripe.customers.create({ email: newEmail() });
    const { id: method } = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
    const items = [{ price: (await newPrice()).id }];
    const unpaid = await stripe.subscriptions.create({ customer, items, default_payment_method: method });
    await advance(customer, DAY);
    expect(await stripe.subscriptions.retrieve(unpaid.id)).toMatchObject({ status: 'incomplete_expired' });
    for (const id of [subscription, unpaid.id]) {
      for (const change of [{ cancel_at_period_end: true }, { description: 'x' }, { items: [{ id: 'si_1' }] }]) {
        await expect(stripe.subscriptions.update(id, change)).rejects.toMatchObject({
          ...{ statusCode: 400, message: expect.stringContaining('can only update its cancellation_details') },
        });
      }
      expect(await stripe.subscriptions.update(id, { metadata: { a: 'b' } })).toMatchObject({ metadata: { a: 'b' } });
      await expect(stripe.subscriptions.cancel(id)).rejects.toMatchObject({ code: 'resource_missing' });
    }
  });

  test('canceled while it is past due leaves its invoice open, which is not collected any more', async () => {
    const { subscription, customer } = await subscribe({ number: '4000000000000341' });
    await advance(customer, { to_next_renewal: true });
    const { latest_invoice: invoice } = await stripe.subscriptions.cancel(subscription);
    expect(await stripe.invoices.retrieve(String(invoice))).toMatchObject({
      ...{ status: 'open', auto_advance: false, next_payment_attempt: null },
    });
  });

  test('canceled with a proration or a last invoice is refused, as the emulator does not cover them', async () => {
    const { subscription } = await subscribe();
    for (const param of ['prorate', 'invoice_now']) {
      await expect(stripe.subscriptions.cancel(subscription, { [param]: true })).rejects.toMatchObject({
        param,
        message: expect.stringContaining('The Stripe emulator does not cover'),
      });
    }
    const neither = { prorate: false, invoice_now: false };
    expect(await stripe.subscriptions.cancel(subscription, neither)).toMatchObject({ status: 'canceled' });
  });

  test('whose items are changed together is invoiced once, or prorated with the next invoice', async () => {
    const [first, second] = [await newPrice(), await newPrice({ amount: 900 })];
    const others = [await newPrice({ amount: 4000 }), await newPrice({ amount: 4000 })];
    const { customer } = await subscribe();
    const method = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    const { id, items } = await stripe.subscriptions.create({
      customer,
      items: [{ price: first.id }, { price: second.id }],
      default_payment_method: method.id,
    });
    const moved = items.data.map(({ id }, index) => ({ id, price: others[index]?.id ?? '' }));
    await stripe.subscriptions.update(id, { items: moved, proration_behavior: 'always_invoice' });
    const [update, ...earlier] = (await stripe.invoices.list({ subscription: id })).data;
    expect(update).toMatchObject({ billing_reason: 'subscription_update', total: 2 * 4000 - 1900 - 900 });
    expect(update?.lines.data).toHaveLength(4);
    expect(earlier).toHaveLength(1);
    const more = moved.map((item) => ({ ...item, quantity: 2 }));
    await stripe.subscriptions.update(id, { items: more, proration_behavior: 'create_prorations' });
    expect((await stripe.invoices.list({ subscription: id })).data).toHaveLength(2);
    expect((await stripe.invoiceItems.list({ customer })).data).toHaveLength(4);
  });

  test('moved to a yearly price starts a new period, and the unused part of the month is credited', async () => {
    const { subscription, customer } = await subscribe({ amount: 3000 });
    await advance(customer, 15 * DAY);
    const yearly = await newPrice({ amount: 30_000, interval: 'year' });
    const { items } = await stripe.subscriptions.retrieve(subscription);
    const item = items.data[0]?.id ?? '';
    const changed = await stripe.subscriptions.update(subscription, {
      items: [{ id: item, price: yearly.id }],
      proration_behavior: 'always_invoice',
    });
    expect(changed.items.data[0]?.price.id).toBe(yearly.id);
    const [update] = await invoicesOf(subscription);
    expect(update).toMatchObject({ reason: 'subscription_update', status: 'paid', metadata: METADATA });
    expect(update?.total).toBeGreaterThan(28_000);
    expect(update?.total).toBeLessThan(29_000);
    await advance(customer, { to_next_renewal: true });
    expect((await invoicesOf(subscription))[0]).toMatchObject({ reason: 'subscription_cycle', total: 30_000 });
  });

  test('pays less each time with a coupon of duration forever, and only the first time with one of duration once', async () => {
    const [forever, once] = await Promise.all([
      stripe.coupons.create({ percent_off: 20, duration: 'forever' }),
      stripe.coupons.create({ percent_off: 100, duration: 'once' }),
    ]);
    const [one, other] = [await subscribe({ coupon: forever.id }), await subscribe({ coupon: once.id })];
    await advance(one.customer, 32 * DAY);
    await advance(other.customer, 32 * DAY);
    expect((await invoicesOf(one.subscription)).map(({ total }) => total)).toEqual([1520, 1520]);
    expect((await invoicesOf(other.subscription)).map(({ total }) => total)).toEqual([1900, 0]);
    expect(other.session).toMatchObject({ payment_status: 'no_payment_required', amount_total: 0 });
  });

  test('pays less after its trial with a coupon of duration once', async () => {
    const { id: coupon } = await stripe.coupons.create({ percent_off: 50, duration: 'once' });
    const { customer, subscription } = await subscribe({ amount: 2000, trialDays: 7, coupon });
    await advance(customer, 40 * DAY);
    expect((await invoicesOf(subscription)).map(({ total }) => total)).toEqual([2000, 1000, 0]);
  });

  test('names the promotion code of its discount where it was bought with one, and none with the coupon itself', async () => {
    const { id: coupon } = await stripe.coupons.create({ percent_off: 20, duration: 'forever' });
    const { id: code } = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon } });
    const bought = [await subscribe({ promotionCode: code }), await subscribe({ coupon })];
    const discountsOf = async ({ subscription }: (typeof bought)[number]) =>
      (await stripe.subscriptions.retrieve(subscription, { expand: ['discounts'] })).discounts;
    expect(await Promise.all(bought.map(discountsOf))).toMatchObject([
      [{ promotion_code: code, source: { coupon } }],
      [{ promotion_code: null, source: { coupon } }],
    ]);
  });

  test('of one customer is not affected by the clock of another', async () => {
    const [one, other] = [await subscribe(), await subscribe()];
    await advance(one.email, 32 * DAY);
    expect(await invoicesOf(one.subscription)).toHaveLength(2);
    expect(await invoicesOf(other.subscription)).toHaveLength(1);
    expect(await advance('unknown@example.com', 1)).toBeNull();
  });
});

describe('the price of a subscription', () => {
  const refused = { statusCode: 400, param: 'items[0][price]', message: expect.stringContaining('is inactive') };

  test('is active when the subscription starts or changes to it, and may be archived later', async () => {
    const { subscription, customer, price } = await subscribe();
    const archived = await newPrice();
    await stripe.prices.update(archived.id, { active: false });
    const items = [{ price: archived.id }];
    await expect(stripe.subscriptions.create({ customer, items })).rejects.toMatchObject(refused);
    const id = (await stripe.subscriptions.retrieve(subscription)).items.data[0]?.id ?? '';
    const change = (item: Stripe.SubscriptionUpdateParams.Item) =>
      stripe.subscriptions.update(subscription, { items: [{ id, ...item }] });
    await expect(change({ price: archived.id })).rejects.toMatchObject(refused);
    await stripe.prices.update(price.id, { active: false });
    expect((await change({ quantity: 2 })).items.data[0]?.quantity).toBe(2);
  });

  test('is not sold once its product is archived, which leaves the price active; who has it keeps it', async () => {
    const { subscription, customer, price } = await subscribe();
    await stripe.products.update(String(price.product), { active: false });
    expect((await stripe.prices.retrieve(price.id)).active).toBe(true);
    const unsold = { statusCode: 400, message: expect.stringContaining('because its product is not active') };
    await expect(stripe.subscriptions.create({ customer, items: [{ price: price.id }] })).rejects.toMatchObject(unsold);
    const session: Stripe.Checkout.SessionCreateParams = {
      mode: 'subscription',
      line_items: [{ price: price.id, quantity: 1 }],
      success_url: 'https://shop.example/',
    };
    await expect(stripe.checkout.sessions.create(session)).rejects.toMatchObject(unsold);
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('active');
  });

  test('is shown as it is now, also where it has changed since', async () => {
    const { subscription, price } = await subscribe();
    await stripe.prices.update(price.id, { nickname: 'Team', metadata: { seats: '5' } });
    const [item] = (await stripe.subscriptions.retrieve(subscription)).items.data;
    expect(item).toMatchObject({ price: { nickname: 'Team', metadata: { seats: '5' } }, plan: { nickname: 'Team' } });
  });

  test('has the currency of the others', async () => {
    const { id: customer } = await stripe.customers.create({ email: newEmail() });
    const { id: method } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    const [dollars, more, yen] = [await newPrice(), await newPrice(), await newPrice({ currency: 'jpy' })];
    const create = (...prices: Stripe.Price[]) =>
      stripe.subscriptions.create({
        customer,
        items: prices.map(({ id: price }) => ({ price })),
        default_payment_method: method,
      });
    await expect(create(dollars, yen)).rejects.toMatchObject({ statusCode: 400, param: 'items[1][price]' });
    expect(await create(dollars, more)).toMatchObject({ currency: 'usd', status: 'active' });
  });

  test('has the currency of what else the customer is invoiced for, until that has ended', async () => {
    const { customer, subscription } = await subscribe();
    const euros = await newPrice({ currency: 'eur' });
    const { id: method } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    const line_items = [{ price: euros.id, quantity: 1 }];
    const create = () =>
      stripe.subscriptions.create({ customer, items: [{ price: euros.id }], default_payment_method: method });
    const refused = { statusCode: 400, message: expect.stringContaining('invoice item with currency usd') };
    for (const mixed of [
      create,
      () => stripe.checkout.sessions.create({ mode: 'subscription', customer, line_items, success_url: SUCCESS_URL }),
      () => stripe.invoiceItems.create({ customer, amount: 100, currency: 'eur' }),
    ]) {
      await expect(mixed()).rejects.toMatchObject(refused);
    }
    const { id: waiting } = await stripe.invoiceItems.create({ customer, amount: 100, currency: 'usd' });
    await stripe.subscriptions.cancel(subscription);
    await expect(create()).rejects.toMatchObject(refused);
    await stripe.invoiceItems.del(waiting);
    expect(await create()).toMatchObject({ currency: 'eur', status: 'active' });
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ currency: 'eur' });
  });
});

describe('the status that a subscription is announced with', () => {
  /** Without Checkout, with a saved card or bank account. */
  async function create(method: string, over: Partial<Stripe.SubscriptionCreateParams> = {}) {
    const { id: customer } = await stripe.customers.create({ email: newEmail() });
    const { id } = await stripe.paymentMethods.attach(method, { customer });
    const items = [{ price: (await newPrice()).id }];
    return stripe.subscriptions.create({ customer, items, default_payment_method: id, ...over });
  }

  const announced = async (id: string) =>
    (await eventsAbout(id)).map(({ type, data }) => [
      type,
      (data.object as Stripe.Subscription).status,
      data.previous_attributes,
    ]);

  test('is incomplete, and active when its first invoice is paid', async () => {
    const declined = await create('pm_card_chargeCustomerFail');
    const created = ['customer.subscription.created', 'incomplete', undefined];
    expect(await announced(declined.id)).toEqual([created]);
    const invoice = String(declined.latest_invoice);
    expect(await stripe.invoices.retrieve(invoice)).toMatchObject({ attempt_count: 1, next_payment_attempt: null });
    await expect(stripe.invoices.pay(invoice)).rejects.toMatchObject({ code: 'card_declined' });
    const { id: another } = await stripe.paymentMethods.attach('pm_card_visa', { customer: String(declined.customer) });
    await stripe.invoices.pay(invoice, { payment_method: another });
    for (const { id } of [declined, await create('pm_card_visa'), await create('pm_usBankAccount_success')]) {
      expect(await announced(id)).toEqual([
        created,
        ['customer.subscription.updated', 'active', { status: 'incomplete' }],
      ]);
    }
  });

  test('is active from the start after Checkout and where nothing is due, and trialing with a trial', async () => {
    const { id: coupon } = await stripe.coupons.create({ percent_off: 100, duration: 'once' });
    const free = await create('pm_card_visa', { discounts: [{ coupon }] });
    for (const id of [free.id, (await subscribe()).subscription]) {
      expect(await announced(id)).toEqual([['customer.subscription.created', 'active', undefined]]);
    }
    const trial = await create('pm_card_visa', { trial_period_days: 7 });
    expect(await announced(trial.id)).toEqual([['customer.subscription.created', 'trialing', undefined]]);
  });
});
