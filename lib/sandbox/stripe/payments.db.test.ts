import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buy, DAY, eventsAbout, METADATA, newPrice, pay, SUCCESS_URL } from '@/tests/support/sandbox-checkout';
import { newEmail, sandboxClient, setSandboxEnvironment } from '@/tests/support/sandbox-stripe';
import { advanceClock } from '../clock/advance-clock';
import { applyPromotionCode } from './checkout/apply-promotion-code';
import { payCheckout } from './checkout/pay-checkout';
import { showCheckout } from './checkout/show-checkout';

beforeAll(setSandboxEnvironment);

const stripe = sandboxClient();

// Listing the events checks each of them, and the object it tells of, against the SDK's types.
afterAll(async () => {
  for await (const event of stripe.events.list({ limit: 100 })) expect(event.object).toBe('event');
}, 60_000);

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
    const declined = await pay(session.id, email, { number: '4000000000009995' });
    expect(declined).toMatchObject({ outcome: 'declined', failure: { decline_code: 'insufficient_funds' } });
    const open = await stripe.checkout.sessions.retrieve(session.id);
    expect(open).toMatchObject({ status: 'open', payment_status: 'unpaid' });
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
  });

  test('pressed twice at the same moment, it charges once', async () => {
    const email = newEmail();
    const session = await newSession({ email });
    const urls = await Promise.all([payCheckout(session.id, form), payCheckout(session.id, form)]);
    expect(urls).toEqual(Array(2).fill(`${SUCCESS_URL}?session=${session.id}`));
    const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(session.id);
    expect((await stripe.charges.list({ payment_intent: String(intent) })).data).toHaveLength(1);
  });

  test('the page keeps what went wrong with a form, and the session stays open', async () => {
    const session = await newSession({ email: newEmail() });
    const back = await payCheckout(session.id, { ...form, cvc: '1' });
    expect(back).toContain(`/sandbox/stripe/checkout/${session.id}`);
    expect(await showCheckout(session.id)).toMatchObject({
      status: 'open',
      lastAttempt: { problem: { field: 'cvc' } },
    });
  });

  test('an expired session takes no payment and says so', async () => {
    const customer = await stripe.customers.create({ email: newEmail() });
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      customer: customer.id,
      line_items: [lineItem(1900)],
      success_url: SUCCESS_URL,
    });
    await advanceClock(2 * DAY, customer.id);
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'expired', url: null });
    await payCheckout(session.id, form);
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ payment_status: 'unpaid' });
    expect((await eventsAbout(session.id)).map(({ type }) => type)).toEqual(['checkout.session.expired']);
  });

  test('expired by hand, it cannot be expired again', async () => {
    const session = await newSession({ email: newEmail() });
    expect(await stripe.checkout.sessions.expire(session.id)).toMatchObject({ status: 'expired' });
    await expect(stripe.checkout.sessions.expire(session.id)).rejects.toThrow('can be expired');
  });

  test('a promotion code of 20 % lowers the amount, one of 100 % leaves nothing to pay and asks for no card', async () => {
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
    await applyPromotionCode(session.id, 'NONSENSE');
    expect(await showCheckout(session.id)).toMatchObject({ lastAttempt: { problem: { field: 'promotion_code' } } });
    await applyPromotionCode(session.id, `p20-${suffix}`);
    expect(await showCheckout(session.id)).toMatchObject({ total: 1520, discount: 380, needsMethod: true });
    await applyPromotionCode(session.id, `P100-${suffix}`);
    expect(await showCheckout(session.id)).toMatchObject({ total: 0, needsMethod: false });
    await payCheckout(session.id, { email });
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      status: 'complete',
      payment_status: 'no_payment_required',
      payment_intent: null,
      total_details: { amount_discount: 1900 },
    });
  });

  test('an invoice of a one-off payment is made on request, with metadata of its own', async () => {
    const customer = await stripe.customers.create({ email: newEmail() });
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      customer: customer.id,
      line_items: [lineItem(700)],
      success_url: SUCCESS_URL,
      metadata: METADATA,
      invoice_creation: { enabled: true, invoice_data: { metadata: { of: 'the invoice' } } },
    });
    await pay(session.id, customer.email ?? '');
    const { invoice, payment_intent } = await stripe.checkout.sessions.retrieve(session.id, { expand: ['invoice'] });
    expect(invoice).toMatchObject({ parent: null, amount_paid: 700, metadata: { of: 'the invoice' } });
    const links = await stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: String(payment_intent) },
    });
    expect(links.data.map((link) => link.invoice)).toEqual([(invoice as { id: string }).id]);
  });

  test('session metadata goes nowhere by itself', async () => {
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
});

describe('a refund', () => {
  test('in two parts: each event carries the sum, and what it was before', async () => {
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

  test('of more than is left is refused, and so is one of nothing', async () => {
    const { paymentIntent } = await buy({ amount: 5000 });
    const refund = (amount?: number) =>
      stripe.refunds.create({ payment_intent: paymentIntent.id, ...(amount && { amount }) });
    await expect(refund(5001)).rejects.toMatchObject({ param: 'amount' });
    await refund();
    await expect(refund()).rejects.toMatchObject({ code: 'charge_already_refunded' });
  });

  test('asked for ten times at once never gives back more than was paid', async () => {
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
