import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { changeAccount } from './account';
import { applyPromotionCode, payCheckout, showCheckout } from './checkout/page';
import { expireSession } from './checkout/plan';
import { DAY, METADATA, newEmail, openAccount, SUCCESS_URL } from './testing/account';

const { emulator, stripe, buy, pay, advance, eventsAbout, typesAbout, newPrice } = await openAccount();

const lineItem = (amount: number, currency = 'usd') => ({
  price_data: { currency, unit_amount: amount, product_data: { name: 'Studio' } },
  quantity: 1,
});

const newSession = (over: { email: string; amount?: number; currency?: string; promotionCodes?: boolean }) =>
  stripe.checkout.sessions.create({
    mode: 'payment',
    customer_email: over.email,
    line_items: [lineItem(over.amount ?? 1900, over.currency)],
    success_url: `${SUCCESS_URL}?session={CHECKOUT_SESSION_ID}`,
    payment_intent_data: { metadata: METADATA },
    ...(over.promotionCodes && { allow_promotion_codes: true }),
  });

const form = { number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123', name: 'Ada' };

describe('checkout', () => {
  test('a declined card leaves the session open, and the next attempt pays it with the same intent', async () => {
    const email = newEmail();
    const session = await newSession({ email, amount: 2800, currency: 'jpy' });
    await pay(session.id, email, { number: '4000000000009995' });
    const open = await stripe.checkout.sessions.retrieve(session.id);
    expect(open).toMatchObject({ status: 'open', payment_status: 'unpaid' });
    const declined = await stripe.paymentIntents.retrieve(String(open.payment_intent));
    expect(declined).toMatchObject({ last_payment_error: { decline_code: 'insufficient_funds' } });
    await pay(session.id, email);
    const paid = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent.latest_charge'] });
    expect(paid).toMatchObject({
      status: 'complete',
      amount_total: 2800,
      currency: 'jpy',
      payment_intent: {
        id: open.payment_intent,
        metadata: METADATA,
        latest_charge: { metadata: METADATA, paid: true },
      },
    });
    const { data: charges } = await stripe.charges.list({ payment_intent: String(open.payment_intent) });
    expect(charges.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
    const card = { brand: 'visa', country: 'US', exp_month: 12, exp_year: 2034, funding: 'credit', network: 'visa' };
    expect(charges.map(({ payment_method_details: details }) => details)).toMatchObject([
      { type: 'card', card: { ...card, last4: '4242', amount_authorized: 2800, checks: { cvc_check: 'pass' } } },
      { type: 'card', card: { ...card, last4: '9995', amount_authorized: null } },
    ]);
  });

  test('an open session decides about its PaymentIntent, which is canceled when the session expires', async () => {
    const email = newEmail();
    const { id } = await newSession({ email });
    await pay(id, email, { number: '4000000000000002' });
    const intent = String((await stripe.checkout.sessions.retrieve(id)).payment_intent);
    const refused = { statusCode: 400, message: expect.stringContaining('PaymentIntents created by Checkout') };
    const card = { payment_method: 'pm_card_visa', return_url: SUCCESS_URL };
    await expect(stripe.paymentIntents.update(intent, { amount: 100 })).rejects.toMatchObject(refused);
    await expect(stripe.paymentIntents.confirm(intent, card)).rejects.toMatchObject(refused);
    await expect(stripe.paymentIntents.cancel(intent)).rejects.toMatchObject(refused);
    await stripe.checkout.sessions.expire(id);
    expect(await stripe.paymentIntents.retrieve(intent)).toMatchObject({ status: 'canceled' });
    expect((await typesAbout(intent)).at(-1)).toBe('payment_intent.canceled');
  });

  test('an attempt after a declined one charges what is due by then, with the same intent', async () => {
    const { id: customer } = await stripe.customers.create({ email: newEmail() });
    const { id } = await stripe.checkout.sessions.create({
      ...{ mode: 'subscription', customer, success_url: SUCCESS_URL },
      line_items: [{ price: (await newPrice()).id, quantity: 1 }],
    });
    await pay(id, '', { number: '4000000000000002' });
    await stripe.customers.createBalanceTransaction(customer, { amount: -900, currency: 'usd' });
    await pay(id, '');
    expect((await stripe.charges.list({ customer })).data.map(({ amount }) => amount)).toEqual([1000, 1900]);
    expect((await stripe.invoices.list({ customer })).data).toMatchObject([{ amount_paid: 1000 }]);
    expect((await stripe.paymentIntents.list({ customer })).data).toMatchObject([{ amount: 1000 }]);
  });

  test('the pay button pressed twice at once charges once', async () => {
    const email = newEmail();
    const session = await newSession({ email });
    const urls = await Promise.all([payCheckout(emulator, session.id, form), payCheckout(emulator, session.id, form)]);
    expect(urls).toEqual(Array(2).fill(`${SUCCESS_URL}?session=${session.id}`));
    const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(session.id);
    expect((await stripe.charges.list({ payment_intent: String(intent) })).data).toHaveLength(1);
  });

  test('the page shows the problem of a form, and the session stays open', async () => {
    const session = await newSession({ email: newEmail() });
    const back = await payCheckout(emulator, session.id, { ...form, cvc: '1' });
    expect(back).toContain(`/stripe/checkout/${session.id}`);
    expect(await showCheckout(emulator, session.id)).toMatchObject({
      status: 'open',
      lastAttempt: { problem: { field: 'cvc' } },
    });
  });

  test('an expired session takes no payment and is reported as expired', async () => {
    const email = newEmail();
    const customer = await stripe.customers.create({ email });
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      customer: customer.id,
      line_items: [lineItem(1900)],
      success_url: SUCCESS_URL,
    });
    await advance(customer.id, 2 * DAY);
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      ...{ status: 'expired', url: null, customer_details: { email, name: null } },
    });
    await payCheckout(emulator, session.id, form);
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_status: 'unpaid' });
    expect(await typesAbout(session.id)).toEqual(['checkout.session.expired']);
  });

  test('one that its time ends is reported among the events of the customer it was for', async () => {
    const { id } = await stripe.checkout.sessions.create({
      mode: 'payment',
      customer_email: 'Ada.Expired@example.com',
      line_items: [{ price_data: { currency: 'usd', unit_amount: 900, product_data: { name: 'Pen' } }, quantity: 1 }],
      success_url: SUCCESS_URL,
    });
    const subjects = await changeAccount(emulator, async (store) => {
      await expireSession(store, await store.get('checkout.session', id));
      return store.emitted.map(({ subject }) => subject);
    });
    expect(subjects).toEqual(['ada.expired@example.com']);
  });

  test('a session expired through the API cannot be expired again', async () => {
    const session = await newSession({ email: newEmail() });
    expect(await stripe.checkout.sessions.expire(session.id)).toMatchObject({ status: 'expired' });
    await expect(stripe.checkout.sessions.expire(session.id)).rejects.toThrow('can be expired');
  });

  test('a cart has up to 100 items, a subscription 20 of a kind', async () => {
    type Items = Stripe.Checkout.SessionCreateParams.LineItem[];
    const open = (mode: 'payment' | 'subscription', line_items: Items) =>
      stripe.checkout.sessions.create({ mode, line_items, success_url: SUCCESS_URL });
    const product_data = { name: 'Studio' };
    const { id: once } = await stripe.prices.create({ unit_amount: 100, currency: 'usd', product_data });
    const items = (count: number) => Array.from({ length: count }, () => ({ price: once, quantity: 1 }));
    expect(await open('payment', items(100))).toMatchObject({ amount_total: 10_000 });
    await expect(open('payment', items(101))).rejects.toMatchObject({ param: 'line_items' });
    const monthly = { price: (await newPrice()).id, quantity: 1 };
    expect(await open('subscription', [monthly, ...items(20)])).toMatchObject({ amount_total: 3_900 });
    await expect(open('subscription', [monthly, ...items(21)])).rejects.toMatchObject({ param: 'line_items' });
  });

  test('a promotion code of 20% lowers the amount, one of 100% leaves nothing to pay and needs no card', async () => {
    const suffix = randomUUID().slice(0, 8);
    for (const percent of [20, 100]) {
      const coupon = await stripe.coupons.create({ percent_off: percent, duration: 'once' });
      await stripe.promotionCodes.create({
        promotion: { type: 'coupon', coupon: coupon.id },
        code: `P${percent}-${suffix}`,
      });
    }
    const email = newEmail();
    const session = await newSession({ email, promotionCodes: true });
    await applyPromotionCode(emulator, session.id, 'NONSENSE');
    expect(await showCheckout(emulator, session.id)).toMatchObject({
      lastAttempt: { problem: { field: 'promotion_code' } },
    });
    await applyPromotionCode(emulator, session.id, `p20-${suffix}`);
    expect(await showCheckout(emulator, session.id)).toMatchObject({ total: 1520, discount: 380, needsMethod: true });
    await applyPromotionCode(emulator, session.id, `P100-${suffix}`);
    expect(await showCheckout(emulator, session.id)).toMatchObject({ total: 0, needsMethod: false });
    await payCheckout(emulator, session.id, { email });
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'no_payment_required',
      payment_intent: null,
      total_details: { amount_discount: 1900 },
    });
  });

  test('an invoice of a one-time payment is created on request, with its own metadata and discount', async () => {
    const customer = await stripe.customers.create({ email: newEmail() });
    const { id: coupon } = await stripe.coupons.create({ amount_off: 100, currency: 'usd' });
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      customer: customer.id,
      line_items: [lineItem(700)],
      success_url: SUCCESS_URL,
      metadata: METADATA,
      discounts: [{ coupon }],
      invoice_creation: { enabled: true, invoice_data: { metadata: { of: 'the invoice' } } },
    });
    await pay(session.id, customer.email ?? '');
    const { invoice, payment_intent } = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['invoice.discounts'],
    });
    expect(invoice).toMatchObject({
      ...{ parent: null, amount_paid: 600, metadata: { of: 'the invoice' } },
      discounts: [{ checkout_session: session.id, source: { coupon } }],
    });
    const links = await stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: String(payment_intent) },
    });
    expect(links.data.map((link) => link.invoice)).toEqual([(invoice as { id: string }).id]);
  });

  test('an invoice of a guest makes them a customer', async () => {
    const email = newEmail();
    const open = (invoice_creation: { enabled: boolean }) =>
      stripe.checkout.sessions.create({
        mode: 'payment',
        customer_email: email,
        line_items: [lineItem(700)],
        success_url: SUCCESS_URL,
        invoice_creation,
      });
    const [invoiced, plain] = [await open({ enabled: true }), await open({ enabled: false })];
    for (const { id } of [invoiced, plain]) await pay(id, email);
    const [{ id: customer } = { id: '' }, ...others] = (await stripe.customers.list({ email })).data;
    expect(others).toEqual([]);
    const session = await stripe.checkout.sessions.retrieve(invoiced.id, { expand: ['invoice'] });
    expect(session).toMatchObject({ customer, invoice: { customer, amount_paid: 700, status: 'paid' } });
    const none = { customer: null, invoice: null };
    expect(await stripe.checkout.sessions.retrieve(plain.id)).toMatchObject(none);
  });

  test('session metadata is not copied by itself', async () => {
    const email = newEmail();
    const price = await newPrice();
    const session = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer_email: email,
      line_items: [{ price: price.id, quantity: 1 }],
      success_url: SUCCESS_URL,
      metadata: METADATA,
    });
    await pay(session.id, email);
    const { subscription, metadata } = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['subscription'],
    });
    expect(metadata).toEqual(METADATA);
    expect(subscription).toMatchObject({ metadata: {} });
  });

  test('line items can be listed and expanded', async () => {
    const { id } = await newSession({ email: newEmail() });
    const items = await stripe.checkout.sessions.listLineItems(id);
    const session = await stripe.checkout.sessions.retrieve(id, { expand: ['line_items'] });
    expect(items.data[0]).toMatchObject({ amount_total: 1900, description: 'Studio', quantity: 1 });
    expect(session.line_items?.data).toHaveLength(1);
  });

  test('line items are listed in pages', async () => {
    const amounts = [100, 200, 300];
    const { id } = await stripe.checkout.sessions.create({
      ...{ mode: 'payment', success_url: SUCCESS_URL },
      line_items: amounts.map((amount) => lineItem(amount)),
    });
    const list = async (params: Stripe.Checkout.SessionListLineItemsParams) => {
      const { data, has_more } = await stripe.checkout.sessions.listLineItems(id, params);
      return [data.map(({ amount_total }) => amount_total), has_more];
    };
    expect(await list({})).toEqual([amounts, false]);
    expect(await list({ limit: 2 })).toEqual([[100, 200], true]);
    const { data } = await stripe.checkout.sessions.listLineItems(id);
    const [first = '', , last = ''] = data.map((item) => item.id);
    expect(await list({ starting_after: first })).toEqual([[200, 300], false]);
    expect(await list({ starting_after: first, limit: 1 })).toEqual([[200], true]);
    expect(await list({ ending_before: last, limit: 1 })).toEqual([[200], true]);
    expect(await list({ ending_before: last })).toEqual([[100, 200], false]);
    await expect(list({ starting_after: 'li_none' })).rejects.toMatchObject({ param: 'starting_after' });
  });

  test('a product that is written out in a line item is announced, and so is its price', async () => {
    const { id } = await newSession({ email: newEmail() });
    const [item] = (await stripe.checkout.sessions.listLineItems(id)).data;
    expect(await typesAbout(String(item?.price?.product))).toEqual(['product.created']);
    expect(await typesAbout(item?.price?.id ?? '')).toEqual(['price.created']);
  });

  test('a customer gets the email that they have typed if they had none, and the name where the seller asks for it', async () => {
    const [email, other] = [newEmail(), newEmail()];
    const payAs = async (customer: string, name?: 'auto' | 'never') => {
      const { id } = await stripe.checkout.sessions.create({
        mode: 'payment',
        customer,
        line_items: [lineItem(700)],
        success_url: SUCCESS_URL,
        ...(name && { customer_update: { name } }),
      });
      await payCheckout(emulator, id, { ...form, email });
      return stripe.customers.retrieve(customer);
    };
    const { id: anonymous } = await stripe.customers.create();
    expect(await payAs(anonymous)).toMatchObject({ email, name: null });
    const [updated] = (await eventsAbout(anonymous)).filter(({ type }) => type === 'customer.updated');
    expect(updated?.data.previous_attributes).toEqual({ email: null });
    const { id: known } = await stripe.customers.create({ email: other, name: 'Countess' });
    expect(await payAs(known, 'never')).toMatchObject({ email: other, name: 'Countess' });
    expect(await payAs(known, 'auto')).toMatchObject({ email: other, name: 'Ada' });
  });

  test('a declined card is not charged where credit pays all that is due', async () => {
    const { id: customer } = await stripe.customers.create({ email: newEmail(), balance: -5000 });
    const { id } = await stripe.checkout.sessions.create({
      ...{ mode: 'subscription', customer, success_url: SUCCESS_URL },
      line_items: [{ price: (await newPrice()).id, quantity: 1 }],
    });
    await pay(id, '', { number: '4000000000000002' });
    expect((await stripe.charges.list({ customer })).data).toEqual([]);
    expect((await stripe.paymentIntents.list({ customer })).data).toEqual([]);
    expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'open' });
  });
});

describe('a refund', () => {
  test('in two parts: each event carries the cumulative amount and the previous one', async () => {
    const { paymentIntent } = await buy({ amount: 5000 });
    await stripe.refunds.create({ payment_intent: paymentIntent.id, amount: 2000 });
    await stripe.refunds.create({ payment_intent: paymentIntent.id });
    const { data } = await stripe.charges.list({ payment_intent: paymentIntent.id });
    const refunds = (await eventsAbout(data[0]?.id ?? '')).filter(({ type }) => type === 'charge.refunded');
    expect(refunds.map(({ data: { object, previous_attributes: previous } }) => [object, previous])).toMatchObject([
      [{ amount_refunded: 2000, refunded: false }, { amount_refunded: 0 }],
      [
        { amount_refunded: 5000, refunded: true },
        { amount_refunded: 2000, refunded: false },
      ],
    ]);
  });

  test('of more than is left is refused, and so is one of a refunded charge', async () => {
    const { paymentIntent } = await buy({ amount: 5000 });
    const refund = (amount?: number) =>
      stripe.refunds.create({ payment_intent: paymentIntent.id, ...(amount && { amount }) });
    await expect(refund(5001)).rejects.toMatchObject({ param: 'amount' });
    await refund();
    await expect(refund()).rejects.toMatchObject({ code: 'charge_already_refunded' });
  });

  test('requested ten times at once never returns more than was paid', async () => {
    const { paymentIntent } = await buy({ amount: 5000 });
    const asked = Array.from({ length: 10 }, () =>
      stripe.refunds.create({ payment_intent: paymentIntent.id, amount: 1000 }),
    );
    const done = await Promise.allSettled(asked);
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    const { data } = await stripe.charges.list({ payment_intent: paymentIntent.id });
    expect(data[0]).toMatchObject({ amount_refunded: 5000, refunded: true });
  });
});
