import { describe, expect, test } from 'vitest';
import { readPaymentEvent } from './payment-event.ts';

const metadata = { program_id: 'prg_1', svc_click_id: 'clk_1', svc_customer_key: 'user_1' };
const read = (type: string, object: object, extra: object = {}) =>
  readPaymentEvent({ id: 'evt_1', type, created: 1_700_000_000, livemode: false, data: { object, ...extra } })?.fact;

const session = {
  mode: 'payment',
  payment_status: 'paid',
  amount_total: 4_000,
  total_details: { amount_tax: 0 },
  currency: 'usd',
  payment_intent: 'pi_1',
  invoice: null,
  subscription: null,
  metadata,
};
const invoice = {
  id: 'in_1',
  amount_paid: 1_900,
  currency: 'usd',
  billing_reason: 'subscription_create',
  metadata: {},
  parent: { type: 'subscription_details', subscription_details: { metadata, subscription: 'sub_1' } },
  total_taxes: [],
};
const ignored = (reason: string) => ({ kind: 'ignored', reason });

describe('which event records a sale', () => {
  test('a paid session of a one-off payment, by its PaymentIntent', () => {
    expect(read('checkout.session.completed', session)).toEqual({
      kind: 'payment',
      transactionId: 'pi_1',
      amountCents: 4_000,
      currency: 'usd',
      subscriptionId: null,
      isRecurring: false,
      metadata: { programId: 'prg_1', clickId: 'clk_1', customerKey: 'user_1' },
      link: null,
    });
  });

  test('where there is an invoice, by the invoice, and the PaymentIntent is linked to it', () => {
    expect(read('checkout.session.completed', { ...session, invoice: 'in_1' })).toMatchObject({
      transactionId: 'in_1',
      link: { paymentIntentId: 'pi_1', invoiceId: 'in_1' },
    });
  });

  test('a payment that succeeds later', () => {
    expect(read('checkout.session.async_payment_succeeded', session)).toMatchObject({ transactionId: 'pi_1' });
  });

  test('an expanded PaymentIntent is read as its ID', () => {
    expect(read('checkout.session.completed', { ...session, payment_intent: { id: 'pi_1' } })).toMatchObject({
      transactionId: 'pi_1',
    });
  });

  test('a paid invoice of a subscription', () => {
    expect(read('invoice.paid', invoice)).toMatchObject({
      kind: 'payment',
      transactionId: 'in_1',
      amountCents: 1_900,
      subscriptionId: 'sub_1',
      isRecurring: false,
      metadata: { programId: 'prg_1', clickId: 'clk_1', customerKey: 'user_1' },
    });
  });

  test('a renewal', () => {
    expect(read('invoice.paid', { ...invoice, billing_reason: 'subscription_cycle' })).toMatchObject({
      isRecurring: true,
    });
  });

  test('an invoice in the older shape', () => {
    const { parent: _, total_taxes: __, ...rest } = invoice;
    const old = {
      ...rest,
      subscription: 'sub_1',
      subscription_details: { metadata },
      payment_intent: 'pi_1',
      tax: 100,
    };
    expect(read('invoice.paid', old)).toMatchObject({
      amountCents: 1_800,
      subscriptionId: 'sub_1',
      metadata: { programId: 'prg_1' },
      link: { paymentIntentId: 'pi_1', invoiceId: 'in_1' },
    });
  });

  test("an invoice of its own, by the invoice's metadata", () => {
    expect(read('invoice.paid', { ...invoice, parent: null, metadata })).toMatchObject({
      metadata: { programId: 'prg_1' },
    });
  });

  test.each([
    ['an unpaid session', 'checkout.session.completed', { ...session, payment_status: 'unpaid' }, 'unpaid'],
    [
      'the session of a trial',
      'checkout.session.completed',
      { ...session, payment_status: 'no_payment_required' },
      'unpaid',
    ],
    ['a session of nothing', 'checkout.session.completed', { ...session, amount_total: 0 }, 'zero_amount'],
    ['the invoice of a trial', 'invoice.paid', { ...invoice, amount_paid: 0 }, 'zero_amount'],
    ['a failed renewal', 'invoice.payment_failed', invoice, 'not_a_payment_event'],
    ['a cancellation', 'customer.subscription.deleted', { id: 'sub_1' }, 'not_a_payment_event'],
    ['the same payment under its other name', 'invoice.payment_succeeded', invoice, 'not_a_payment_event'],
    ['an object that is not what its type says', 'invoice.paid', { id: 1 }, 'unreadable'],
  ])('not %s', (_, type, object, reason) => {
    expect(read(type, object)).toEqual(ignored(reason));
  });
});

describe('the amount of a sale', () => {
  test('is what was paid, less tax', () => {
    expect(read('checkout.session.completed', { ...session, total_details: { amount_tax: 640 } })).toMatchObject({
      amountCents: 3_360,
    });
    expect(read('invoice.paid', { ...invoice, total_taxes: [{ amount: 200 }, { amount: 103 }] })).toMatchObject({
      amountCents: 1_597,
    });
    expect(
      read('invoice.paid', { ...invoice, total_taxes: undefined, total_tax_amounts: [{ amount: 303 }] }),
    ).toMatchObject({ amountCents: 1_597 });
  });

  test('stays in its currency, in minor units as they are', () => {
    expect(read('invoice.paid', { ...invoice, currency: 'jpy', amount_paid: 2_800 })).toMatchObject({
      amountCents: 2_800,
      currency: 'jpy',
    });
  });
});

describe('metadata', () => {
  test('a blank value is absent', () => {
    const blank = { ...session, metadata: { ...metadata, svc_click_id: '' } };
    expect(read('checkout.session.completed', blank)).toMatchObject({
      metadata: { clickId: null, customerKey: 'user_1' },
    });
  });

  test('of a payment that is none of ours is empty', () => {
    expect(read('checkout.session.completed', { ...session, metadata: null })).toMatchObject({
      metadata: { programId: null },
    });
  });
});

describe('refunds', () => {
  const charge = {
    id: 'ch_1',
    amount: 1_900,
    amount_captured: 1_900,
    amount_refunded: 1_500,
    currency: 'usd',
    payment_intent: 'pi_1',
  };

  test('a refund is what came on top of what was refunded before', () => {
    expect(read('charge.refunded', charge, { previous_attributes: { amount_refunded: 500 } })).toEqual({
      kind: 'refund',
      chargeId: 'ch_1',
      chargedCents: 1_900,
      previousRefundedCents: 500,
      refundedCents: 1_500,
      currency: 'usd',
      paymentIntentId: 'pi_1',
      invoiceId: null,
    });
  });

  test('a change that refunded nothing is ignored', () => {
    expect(read('charge.refunded', charge, { previous_attributes: { amount_refunded: 1_500 } })).toEqual(
      ignored('zero_amount'),
    );
  });

  test('an invoice payment links its PaymentIntent to its invoice', () => {
    const object = { invoice: 'in_1', payment: { type: 'payment_intent', payment_intent: 'pi_1' } };
    expect(read('invoice_payment.paid', object)).toEqual({
      kind: 'link',
      link: { paymentIntentId: 'pi_1', invoiceId: 'in_1' },
    });
  });
});

test('what is no event at all is not read', () => {
  expect(readPaymentEvent({ hello: 'world' })).toBeNull();
});
