import { describe, expect, test, vi } from 'vitest';
import { withRequestId } from '../log';
import type { PaymentTerms } from './payment';
import { readPaymentEvent } from './stripe-event';

const metadata = { program_id: 'prg_1', svc_click_id: 'clk_1', svc_customer_key: 'user_1' };
const read = (type: string, object: object) =>
  readPaymentEvent({ id: 'evt_1', type, created: 1_700_000_000, livemode: false, data: { object } })?.fact;

const session = {
  id: 'cs_1',
  payment_status: 'paid',
  amount_total: 4_000,
  total_details: { amount_tax: 640 },
  currency: 'usd',
  payment_intent: 'pi_1',
  invoice: null,
  subscription: null,
  metadata,
};
const invoice = {
  id: 'in_1',
  amount_paid: 1_900,
  total: 1_900,
  currency: 'usd',
  billing_reason: 'subscription_create',
  metadata: {},
  parent: { type: 'subscription_details', subscription_details: { metadata, subscription: 'sub_1' } },
  total_taxes: [{ amount: 200 }, { amount: 103 }],
};
const charge = { id: 'ch_1', amount: 1_900, amount_captured: 1_900, amount_refunded: 1_500, payment_intent: 'pi_1' };
const refund = { id: 're_1', amount: 500, status: 'failed', charge: 'ch_1', payment_intent: 'pi_1' };
const dispute = {
  id: 'dp_1',
  amount: 1_900,
  currency: 'usd',
  status: 'needs_response',
  charge: 'ch_1',
  payment_intent: 'pi_1',
};
const ignored = (reason: string) => ({ kind: 'ignored', reason });
const unreadable = (...fields: string[]) => ({ kind: 'unreadable', fields });

describe('a session', () => {
  test('says what was paid, and who paid', () => {
    expect(read('checkout.session.completed', session)).toEqual({
      kind: 'session',
      id: 'cs_1',
      rank: 1,
      paymentIntentId: 'pi_1',
      invoiceId: null,
      occurredAt: new Date(1_700_000_000_000),
      paidCents: 4_000,
      totalCents: 4_000,
      taxCents: 640,
      currency: 'usd',
      subscriptionId: null,
      isRecurring: false,
      metadata: { programId: 'prg_1', clickId: 'clk_1', customerKey: 'user_1' },
    });
  });

  test('that is paid later says so later, and the later one stands', () => {
    const unpaid = { ...session, payment_status: 'unpaid' };
    expect(read('checkout.session.completed', unpaid)).toMatchObject({ rank: 0, paidCents: null });
    expect(read('checkout.session.async_payment_succeeded', session)).toMatchObject({ rank: 1, paidCents: 4_000 });
  });

  test('an expanded PaymentIntent is read as its ID', () => {
    const expanded = { ...session, payment_intent: { id: 'pi_1' } };
    expect(read('checkout.session.completed', expanded)).toMatchObject({ paymentIntentId: 'pi_1' });
  });

  test('without details of its total has no tax, and a setup has no amount', () => {
    expect(read('checkout.session.completed', { ...session, total_details: null })).toMatchObject({ taxCents: 0 });
    const setup = { ...session, payment_intent: null, amount_total: null, currency: null };
    expect(read('checkout.session.completed', setup)).toMatchObject({ totalCents: 0, currency: '' });
  });

  test('that is paid, and names neither a PaymentIntent nor an invoice, cannot be read', () => {
    const nameless = { ...session, payment_intent: null };
    expect(read('checkout.session.completed', nameless)).toEqual(unreadable('payment_intent'));
    const unpaid = { ...nameless, payment_status: 'unpaid' };
    expect(read('checkout.session.completed', unpaid)).toMatchObject({ kind: 'session', rank: 0 });
    const free = { ...nameless, amount_total: 0 };
    expect(read('checkout.session.completed', free)).toMatchObject({ kind: 'session', paidCents: 0 });
  });

  test('metadata is kept as it was sent: IDs are opaque, spaces included', () => {
    const spaced = { ...session, metadata: { ...metadata, svc_customer_key: ' user 1 ' } };
    expect(read('checkout.session.completed', spaced)).toMatchObject({ metadata: { customerKey: ' user 1 ' } });
  });

  test.each([
    ['a\0b', 'a\ufffdb'],
    ['a\ud83d', 'a\ufffd'],
    ['a\nb', 'a\ufffdb'],
    ['x'.repeat(256), 'x'.repeat(255)],
  ])('metadata that the API would refuse as an ID (%j) is dropped, and an unknown click stays one', (odd, clickId) => {
    const all = { program_id: odd, svc_click_id: odd, svc_customer_key: odd };
    const { metadata } = read('checkout.session.completed', { ...session, metadata: all }) as PaymentTerms;
    expect(metadata).toEqual({ programId: null, clickId, customerKey: null });
  });

  test('blank metadata is absent, and so is that of a payment of something else', () => {
    const blank = { ...session, metadata: { ...metadata, svc_click_id: ' ' } };
    expect(read('checkout.session.completed', blank)).toMatchObject({
      metadata: { clickId: null, customerKey: 'user_1' },
    });
    expect(read('checkout.session.completed', { ...session, metadata: null })).toMatchObject({
      metadata: { programId: null },
    });
  });
});

describe('an invoice', () => {
  test('is attributed by its subscription, and says what was paid', () => {
    expect(read('invoice.paid', invoice)).toMatchObject({
      kind: 'invoice',
      invoiceId: 'in_1',
      paidCents: 1_900,
      totalCents: 1_900,
      taxCents: 303,
      subscriptionId: 'sub_1',
      isRecurring: false,
      metadata: { programId: 'prg_1', clickId: 'clk_1', customerKey: 'user_1' },
    });
  });

  test.each([
    ['subscription_create', false],
    ['subscription_cycle', true],
    ['subscription_threshold', true],
    ['subscription_update', false],
  ])('is recurring if it is a renewal or bills usage within a period (%s: %s)', (billing_reason, isRecurring) => {
    expect(read('invoice.paid', { ...invoice, billing_reason })).toMatchObject({ isRecurring });
  });

  test('of its own is attributed by its own metadata', () => {
    const separate = { ...invoice, billing_reason: 'manual', parent: null, metadata };
    expect(read('invoice.paid', separate)).toMatchObject({ metadata: { programId: 'prg_1' } });
  });

  test.each(['subscription', 'subscription_create', 'subscription_cycle', 'subscription_update'])(
    'of a subscription (%s) with neither its ID nor any metadata cannot be read: its version has moved them',
    (billing_reason) => {
      const moved = {
        ...invoice,
        billing_reason,
        parent: { type: 'schedule_details', schedule_details: { metadata } },
      };
      expect(read('invoice.paid', moved)).toEqual(unreadable('subscription'));
      expect(read('invoice.paid', { ...moved, parent: null })).toEqual(unreadable('subscription'));
      expect(read('invoice.paid', { ...moved, amount_paid: 0 })).toMatchObject({ kind: 'invoice', paidCents: 0 });
      expect(read('invoice.paid', { ...moved, metadata })).toMatchObject({ metadata: { programId: 'prg_1' } });
    },
  );

  test.each([
    [
      'of a subscription without metadata',
      { parent: { subscription_details: { subscription: 'sub_1', metadata: {} } } },
    ],
    ['of a subscription, from before its metadata was on it', { parent: undefined, subscription: 'sub_1' }],
    ['of no subscription', { billing_reason: 'manual', parent: null }],
    [
      'of a quote',
      { billing_reason: 'quote_accept', parent: { type: 'quote_details', quote_details: { quote: 'qt_1' } } },
    ],
    ['without a reason', { billing_reason: null, parent: null }],
  ])('without metadata, %s, is read', (_, fields) => {
    expect(read('invoice.paid', { ...invoice, ...fields })).toMatchObject({ kind: 'invoice', paidCents: 1_900 });
  });

  test('of a subscription without metadata is attributed by its own, too', () => {
    const parent = { type: 'subscription_details', subscription_details: { subscription: 'sub_1', metadata: null } };
    expect(read('invoice.paid', { ...invoice, parent, metadata })).toMatchObject({ metadata: { programId: 'prg_1' } });
  });

  test('with an ID or a currency that no index could hold cannot be read, except for an optional one, which is left out', () => {
    const long = 'x'.repeat(256);
    for (const [field, value] of [
      ['id', long],
      ['payment_intent', long],
      ['currency', long],
    ] as const) {
      const fact = read('invoice.paid', { ...invoice, [field]: value });
      expect(fact).toEqual({ kind: 'unreadable', fields: [field] });
    }
    const parent = { type: 'subscription_details', subscription_details: { subscription: long, metadata } };
    expect(read('invoice.paid', { ...invoice, parent })).toMatchObject({ kind: 'invoice', subscriptionId: null });
  });

  test('without tax has none', () => {
    expect(read('invoice.paid', { ...invoice, total_taxes: null })).toMatchObject({ taxCents: 0 });
    expect(read('invoice.paid', { ...invoice, total_taxes: [] })).toMatchObject({ taxCents: 0 });
  });

  test('in the shape of older API versions says the same', () => {
    const { parent: _, total_taxes: __, ...rest } = invoice;
    const old = {
      ...rest,
      subscription: 'sub_1',
      subscription_details: { metadata },
      payment_intent: 'pi_1',
      tax: 100,
    };
    expect(read('invoice.paid', old)).toMatchObject({
      taxCents: 100,
      subscriptionId: 'sub_1',
      paymentIntentId: 'pi_1',
      metadata: { programId: 'prg_1' },
    });
    expect(read('invoice.paid', { ...old, total_tax_amounts: [{ amount: 303 }] })).toMatchObject({ taxCents: 303 });
  });

  test.each([
    ['in the amount paid', { amount_paid: 1_900 }],
    ['in older versions, by a flag', { amount_paid: 0, paid_out_of_band: true, amount_due: 1_900 }],
  ])('that was paid out of band says so %s', (_, paid) => {
    expect(read('invoice.paid', { ...invoice, ...paid })).toMatchObject({ paidCents: 1_900 });
  });
});

test('a PaymentIntent that succeeded says what was received, which manual capture may have made less', () => {
  const intent = { id: 'pi_1', amount: 4_000, amount_received: 3_000, currency: 'usd', metadata };
  expect(read('payment_intent.succeeded', intent)).toMatchObject({
    kind: 'payment_intent',
    paymentIntentId: 'pi_1',
    paidCents: 3_000,
    totalCents: 4_000,
    isRecurring: false,
    metadata: { programId: 'prg_1' },
  });
});

test('a payment intent has the tax that its creator named, and an unreadable one costs no sale', () => {
  const taxOf = (amount_details: object | null) => {
    const intent = {
      id: 'pi_1',
      amount: 11_900,
      amount_received: 11_900,
      currency: 'eur',
      invoice: null,
      metadata: {},
    };
    return read('payment_intent.succeeded', { ...intent, amount_details });
  };
  expect(taxOf({ tax: { total_tax_amount: 1_900 } })).toMatchObject({ paidCents: 11_900, taxCents: 1_900 });
  for (const none of [
    null,
    {},
    { tip: {} },
    { tax: null },
    { tax: { total_tax_amount: null } },
    { tax: { total_tax_amount: 'x' } },
  ]) {
    expect(taxOf(none)).toMatchObject({ paidCents: 11_900, taxCents: 0 });
  }
});

test('an invoice payment links its PaymentIntent to its invoice', () => {
  const object = { invoice: 'in_1', payment: { type: 'payment_intent', payment_intent: 'pi_1' } };
  expect(read('invoice_payment.paid', object)).toMatchObject({
    kind: 'link',
    paymentIntentId: 'pi_1',
    invoiceId: 'in_1',
  });
});

test.each([
  ['without a payment', { invoice: 'in_1', payment: null }],
  ['paid out of band', { invoice: 'in_1', payment: { type: 'out_of_band', payment_intent: null } }],
  ['without an invoice', { invoice: null, payment: { type: 'payment_intent', payment_intent: 'pi_1' } }],
])('an invoice payment %s links nothing', (_, object) => {
  expect(read('invoice_payment.paid', object)).toEqual(ignored('not_a_payment_event'));
});

describe('refunds and disputes', () => {
  test('a refunded charge states its cumulative amount, each event for itself', () => {
    expect(read('charge.refunded', charge)).toMatchObject({
      kind: 'charge_refunded',
      id: 'evt_1',
      chargeId: 'ch_1',
      chargedCents: 1_900,
      refundedCents: 1_500,
      paymentIntentId: 'pi_1',
    });
  });

  test('a charge is of what was captured, in older API versions of its amount, and names its invoice there', () => {
    const captured = { ...charge, amount: 4_000 };
    expect(read('charge.refunded', captured)).toMatchObject({ chargedCents: 1_900 });
    const old = { ...charge, amount_captured: null, payment_intent: null, invoice: 'in_1' };
    expect(read('charge.refunded', old)).toMatchObject({ chargedCents: 1_900, invoiceId: 'in_1' });
  });

  test.each([
    ['charge.refunded', { ...charge, payment_intent: null }],
    ['refund.failed', { ...refund, payment_intent: null }],
    ['refund.failed', { ...refund, charge: null }],
    ['charge.dispute.created', { ...dispute, payment_intent: null }],
  ])('%s that names no payment, as of a charge without a PaymentIntent, is ignored', (type, object) => {
    expect(read(type, object)).toEqual(ignored('no_payment'));
  });

  const captured = { ...charge, amount: 2_500, amount_captured: 1_900 };

  test.each([
    ['nothing went back yet', 600, 0],
    ['a part went back', 1_100, 500],
    ['all of it went back', 2_500, 1_900],
    ['the release is not counted in it', 500, 500],
  ])('of a charge captured in part, what was released is no refund: %s', (_, amount_refunded, refundedCents) => {
    expect(read('charge.refunded', { ...captured, amount_refunded })).toMatchObject({
      chargedCents: 1_900,
      refundedCents,
    });
  });

  test('an authorization that was canceled was never charged, so nothing of it is a refund', () => {
    const canceled = { ...charge, amount_captured: 0, amount_refunded: 1_900 };
    expect(read('charge.refunded', canceled)).toMatchObject({ refundedCents: 0 });
  });

  test.each(['refund.failed', 'refund.updated', 'charge.refund.updated'])('%s of a failed refund', (type) => {
    const failed = { kind: 'refund_failed', id: 're_1', chargeId: 'ch_1', amountCents: 500 };
    expect(read(type, refund)).toMatchObject(failed);
    expect(read(type, { ...refund, status: 'canceled' })).toMatchObject(failed);
    expect(read(type, { ...refund, status: 'succeeded' })).toEqual(ignored('not_a_payment_event'));
  });

  test.each([
    ['charge.dispute.created', 'needs_response', 'open', 0],
    ['charge.dispute.created', 'warning_needs_response', 'open', 0],
    ['charge.dispute.closed', 'lost', 'lost', 1],
    ['charge.dispute.closed', 'won', 'won', 1],
    ['charge.dispute.closed', 'warning_closed', 'won', 1],
  ])('%s with status %s is %s', (type, status, state, rank) => {
    expect(read(type, { ...dispute, status })).toMatchObject({ kind: 'dispute', id: 'dp_1', state, rank });
  });

  // docs/decisions/0007: the network ended it before it was a chargeback, by giving the payment back or without.
  test.each([
    ['blocked', 'won', { payment_method_details: { card: { case_type: 'block' } } }],
    ['resolved by giving the payment back', 'lost', { payment_method_details: { card: { case_type: 'resolution' } } }],
    ['of another kind', 'lost', { payment_method_details: { card: { case_type: 'inquiry' } } }],
    ['of a payment method without cases', 'lost', {}],
    ['with details that cannot be read', 'lost', { balance_transactions: ['txn_1'], payment_method_details: 'card' }],
    ['with money withdrawn', 'lost', { balance_transactions: [{ amount: -1_900 }] }],
    ['with money withdrawn and reinstated', 'won', { balance_transactions: [{ amount: -1_900 }, { amount: 1_900 }] }],
    [
      'blocked, with money withdrawn all the same',
      'lost',
      { payment_method_details: { card: { case_type: 'block' } }, balance_transactions: [{ amount: -1_900 }] },
    ],
    [
      'resolved, before its withdrawal is listed',
      'lost',
      { payment_method_details: { card: { case_type: 'resolution' } }, balance_transactions: [] },
    ],
  ])('a prevented dispute, %s, is %s', (_, state, extra) => {
    const prevented = { ...dispute, status: 'prevented', ...extra };
    expect(read('charge.dispute.closed', prevented)).toMatchObject({ kind: 'dispute', state, rank: 1 });
  });
});

test.each([
  ['a failed renewal', 'invoice.payment_failed', invoice, 'not_a_payment_event'],
  ['a cancellation', 'customer.subscription.deleted', { id: 'sub_1' }, 'not_a_payment_event'],
  ['the same payment under its other name', 'invoice.payment_succeeded', invoice, 'not_a_payment_event'],
])('%s is ignored', (_, type, object, reason) => {
  expect(read(type, object)).toEqual(ignored(reason));
});

test.each([
  ['an object that is not what its type says', 'invoice.paid', { id: 1 }, ['id', 'amount_paid', 'currency']],
  ['an amount that no integer holds', 'charge.refunded', { ...charge, amount_refunded: 2 ** 53 }, ['amount_refunded']],
  ['a tax that is no number', 'invoice.paid', { ...invoice, total_taxes: [{ amount: '1' }] }, ['total_taxes.0.amount']],
])('%s cannot be read, and the fields say why', (_, type, object, fields) => {
  expect(read(type, object)).toEqual(unreadable(...fields));
});

test('optional fields that cannot be read are dropped with one warning, and do not cost the sale', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const customerKey = { ...metadata, svc_customer_key: 'x'.repeat(256) };
  const odd = { ...invoice, parent: null, metadata: customerKey, subscription: 1, billing_reason: 1 };
  const fact = await withRequestId('request-1', async () => read('invoice.paid', odd));
  expect(fact).toMatchObject({ paidCents: 1_900, subscriptionId: null, isRecurring: false });
  const fields = 'billing_reason subscription svc_customer_key';
  const line = `service: dropped fields that cannot be read fields="${fields}" request_id="request-1"`;
  expect(warn.mock.calls.flat()).toEqual([line]);
  expect(read('checkout.session.completed', { ...session, subscription: {} })).toMatchObject({ subscriptionId: null });
  warn.mockRestore();
});

test('what is no event at all is not read', () => {
  expect(readPaymentEvent({ hello: 'world' })).toBeNull();
});

test('an event of a connected account says whose it is', () => {
  const event = { id: 'evt_1', type: 'invoice.paid', created: 1, livemode: true, data: { object: invoice } };
  expect(readPaymentEvent({ ...event, account: 'acct_1' })).toMatchObject({ accountId: 'acct_1', livemode: true });
  expect(readPaymentEvent(event)).toMatchObject({ accountId: null });
});
