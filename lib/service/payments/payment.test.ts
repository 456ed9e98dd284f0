import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { standingFacts } from '@/tests/property/standing-facts';
import { permutations } from '@/tests/support/permutations';
import {
  chargeRefunded,
  dispute,
  inSequence,
  invoicePaid,
  invoicePaymentPaid,
  paymentIntentSucceeded,
  refundFailed,
  type StripeEvent,
  sessionCompleted,
} from '@/tests/support/stripe-events';
import {
  decidePayment,
  decideReturns,
  isReturn,
  type PaymentFact,
  paymentKeys,
  splitPayments,
  withoutTax,
} from './payment';

const metadata = { program_id: 'prg_1', svc_customer_key: 'user_1' };
const ids = { paymentIntentId: 'pi_1', invoiceId: 'in_1', chargeId: 'ch_1' };
const intent = { paymentIntentId: 'pi_1', chargeId: 'ch_1' };

/** The outcome of these events in each of their orders; one, since the order does not matter. */
function inEveryOrder(events: StripeEvent[]) {
  const results = permutations(events).map((order) => decidePayment(standingFacts(order)));
  expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
  return results[0];
}

describe('the amount of a sale is what was paid, less the tax in it', () => {
  test('where all of the total was paid, less all of the tax', () => {
    expect(withoutTax(4_640, { totalCents: 4_640, taxCents: 640 })).toBe(4_000);
  });

  test('where credit paid for a part of it, in proportion: 1,400 of 11,900 with 1,900 tax is 1,176', () => {
    const credited = invoicePaid(
      { metadata, ...ids },
      { amount_paid: 1_400, total: 11_900, total_taxes: [{ amount: 1_900 }] },
    );
    expect(decidePayment(standingFacts([credited]))).toMatchObject({ amountCents: 1_176, paidCents: 1_400 });
  });

  test.each([
    ['half a cent is rounded up', 1, { totalCents: 2, taxCents: 1 }, 1],
    ['less than half a cent is rounded down', 1, { totalCents: 3, taxCents: 2 }, 0],
    ['nothing paid is nothing', 0, { totalCents: 1_900, taxCents: 0 }, 0],
    ['nothing paid of nothing is nothing', 0, { totalCents: 0, taxCents: 0 }, 0],
    ['a total of nothing has no part that was paid', 100, { totalCents: 0, taxCents: 0 }, 0],
    ['an amount below zero is nothing', -100, { totalCents: 1_900, taxCents: 0 }, 0],
    ['tax of more than the total leaves nothing', 100, { totalCents: 100, taxCents: 101 }, 0],
    [
      'products beyond 2^53 are exact',
      9_007_199_254_740_991,
      { totalCents: 9_007_199_254_740_991, taxCents: 1 },
      9_007_199_254_740_990,
    ],
  ])('%s', (_, paid, terms, amount) => {
    expect(withoutTax(paid, terms)).toBe(amount);
  });
});

describe('one payment, one key, one amount, in every order of its events', () => {
  test.each([
    ['beside its own total', { total: 11_900, total_taxes: [{ amount: 1_900 }], amount_paid: 21_900 }, 20_000],
    ['alone', { total: 0, total_taxes: [], amount_paid: 2_000 }, 2_000],
    ['in part, the rest by credit', { total: -500, total_taxes: [{ amount: -80 }], amount_paid: 1_500 }, 1_500],
  ])('an invoice that collects an earlier debt, which has no tax, %s', (_, fields, amountCents) => {
    expect(inEveryOrder([invoicePaid({ metadata, ...ids }, fields)])).toMatchObject({ amountCents });
  });

  test('a one-off payment: the PaymentIntent, and the session, which knows the tax', () => {
    const events = [
      sessionCompleted({ metadata, ...intent, amount: 4_000, tax: 640 }),
      paymentIntentSucceeded({ metadata, ...intent, amount: 4_640 }),
    ];
    expect(inEveryOrder(events)).toMatchObject({ transactionId: 'pi_1', amountCents: 4_000 });
  });

  test('a subscription paid in part from the customer balance: the invoice knows what was paid', () => {
    const events = [
      sessionCompleted({ metadata, ...ids, amount: 1_900 }, { payment_intent: null, subscription: 'sub_1' }),
      invoicePaid({ metadata, ...ids }, { amount_paid: 1_000, total: 1_900 }),
    ];
    expect(inEveryOrder(events)).toMatchObject({ transactionId: 'in_1', amountCents: 1_000 });
  });

  test('a session whose invoice was still to be created: the link leads to it', () => {
    const events = [
      sessionCompleted({ metadata, ...intent, amount: 1_900 }, { invoice: null, invoice_creation: { enabled: true } }),
      invoicePaid({ metadata: {}, ...ids }, { billing_reason: 'manual', parent: null }),
      invoicePaymentPaid('pi_1', 'in_1'),
      paymentIntentSucceeded({ metadata, ...intent, amount: 1_900 }),
    ];
    expect(inEveryOrder(events)).toMatchObject({
      transactionId: 'in_1',
      amountCents: 1_900,
      metadata: { programId: 'prg_1' },
    });
  });

  test('§4: a first payment whose subscription has no metadata is attributed by its session', () => {
    const events = [sessionCompleted({ metadata, ...ids, amount: 1_900 }), invoicePaid({ metadata: {}, ...ids })];
    expect(inEveryOrder(events)).toMatchObject({ metadata: { programId: 'prg_1', customerKey: 'user_1' } });
  });

  test('metadata that only the invoice has counts, too', () => {
    const events = [sessionCompleted({ metadata: {}, ...ids, amount: 1_900 }), invoicePaid({ metadata, ...ids })];
    expect(inEveryOrder(events)).toMatchObject({ metadata: { programId: 'prg_1' } });
  });

  test('a renewal is recurring, and names its subscription, whatever else tells of it', () => {
    const parent = { type: 'subscription_details', subscription_details: { metadata, subscription: 'sub_1' } };
    const events = [
      invoicePaid({ metadata, ...ids }, { billing_reason: 'subscription_cycle', parent }),
      invoicePaymentPaid('pi_1', 'in_1'),
      paymentIntentSucceeded({ metadata: {}, ...intent, amount: 1_900 }),
    ];
    expect(inEveryOrder(events)).toMatchObject({
      isRecurring: true,
      subscriptionId: 'sub_1',
      occurredAt: expect.any(Date),
    });
    expect(inEveryOrder([paymentIntentSucceeded({ metadata, ...intent })])).toMatchObject({
      isRecurring: false,
      subscriptionId: null,
    });
  });

  test('a payment that is linked to two invoices goes by one of them', () => {
    const events = [
      invoicePaymentPaid('pi_1', 'in_2'),
      invoicePaymentPaid('pi_1', 'in_1'),
      paymentIntentSucceeded({ metadata, ...intent, amount: 1_900 }),
    ];
    expect(inEveryOrder(events)).toMatchObject({ transactionId: 'in_1' });
  });

  test('the key is the invoice that was paid, whichever others its PaymentIntent is linked to', () => {
    const events = [
      invoicePaymentPaid('pi_1', 'in_0'),
      invoicePaymentPaid('pi_1', 'in_1'),
      invoicePaid({ metadata, ...ids }),
    ];
    expect(inEveryOrder(events)).toMatchObject({ transactionId: 'in_1', amountCents: 1_900 });
  });

  test('manual capture: the session names the customer, the PaymentIntent what was captured', () => {
    const events = [
      sessionCompleted({ metadata, ...intent, amount: 4_000, tax: 640 }, { payment_status: 'unpaid' }),
      paymentIntentSucceeded({ metadata: {}, ...intent, amount: 2_320 }),
    ];
    expect(inEveryOrder(events)).toMatchObject({
      transactionId: 'pi_1',
      amountCents: 2_000,
      metadata: { customerKey: 'user_1' },
    });
  });

  test('the Payment Element, which has no session', () => {
    const events = [paymentIntentSucceeded({ metadata, ...intent, amount: 4_000 })];
    expect(inEveryOrder(events)).toMatchObject({ transactionId: 'pi_1', amountCents: 4_000 });
  });

  test('an unpaid session is no payment yet', () => {
    expect(inEveryOrder([sessionCompleted({ metadata, ...intent }, { payment_status: 'unpaid' })])).toBeNull();
  });
});

const amounts = (sale: number, paid: number, events: StripeEvent[]) => {
  const { refundedCents, entries } = decideReturns(sale, paid, standingFacts(inSequence(events)));
  return [refundedCents, entries.map(({ amountCents, reason }) => [amountCents, reason])];
};

describe('refunds', () => {
  test('cumulative amounts are never added', () => {
    const events = [chargeRefunded({ ...intent, refunded: 500 }), chargeRefunded({ ...intent, refunded: 1_900 })];
    expect(amounts(1_900, 1_900, events)).toEqual([
      1_900,
      [
        [500, null],
        [1_400, null],
      ],
    ]);
  });

  test('a refund lowers a taxed sale by its share, a full refund by all of it', () => {
    expect(amounts(1_000, 1_190, [chargeRefunded({ ...intent, refunded: 595 })])[0]).toBe(500);
    expect(amounts(1_000, 1_190, [chargeRefunded({ ...intent, refunded: 1_190 })])[0]).toBe(1_000);
  });

  test('each charge of an invoice counts with what it is of the whole', () => {
    const [first, second] = [
      chargeRefunded({ paymentIntentId: 'pi_1', chargeId: 'ch_1', charged: 1_000, refunded: 1_000 }),
      chargeRefunded({ paymentIntentId: 'pi_2', chargeId: 'ch_2', charged: 900, refunded: 450 }),
    ];
    expect(amounts(1_900, 1_900, [first])[0]).toBe(1_000);
    expect(amounts(1_900, 1_900, [first, second])[0]).toBe(1_450);
  });

  test('no net amount is below zero', () => {
    expect(amounts(1_000, 1_000, [chargeRefunded({ ...intent, charged: 1_000, refunded: 1_500 })])[0]).toBe(1_000);
  });

  test('a refund that fails is restored, and a later one counts', () => {
    const events = [
      chargeRefunded({ ...intent, refunded: 500 }),
      refundFailed({ ...intent, amount: 500 }),
      chargeRefunded({ ...intent, refunded: 300 }),
    ];
    expect(amounts(1_900, 1_900, events)).toEqual([
      300,
      [
        [500, null],
        [-500, 'refund_failed'],
        [300, null],
      ],
    ]);
  });

  test('a charge that states less than before was restored', () => {
    const events = [chargeRefunded({ ...intent, refunded: 500 }), chargeRefunded({ ...intent, refunded: 200 })];
    expect(amounts(1_900, 1_900, events)).toEqual([
      200,
      [
        [500, null],
        [-300, 'refund_failed'],
      ],
    ]);
  });

  test('a sale of path B is held against what the charges were of', () => {
    const half = chargeRefunded({ ...intent, charged: 1_190, refunded: 595 });
    expect(amounts(1_000, 0, [half])[0]).toBe(500);
    expect(amounts(1_000, 0, [half, half])[0]).toBe(500);
    const other = chargeRefunded({ paymentIntentId: 'pi_2', chargeId: 'ch_2', charged: 1_190, refunded: 0 });
    expect(amounts(1_000, 0, [half, other])[0]).toBe(250);
    expect(amounts(1_000, 0, [half, dispute('needs_response', intent)])[0]).toBe(500);
  });

  test('of a payment of nothing, nothing goes back', () => {
    expect(amounts(0, 0, [dispute('lost', { ...intent, amount: 0 })])[0]).toBe(0);
  });

  test('a charge that states the same again is no step', () => {
    const state = { ...intent, refunded: 500 };
    expect(amounts(1_900, 1_900, [chargeRefunded(state), chargeRefunded(state)])).toEqual([500, [[500, null]]]);
  });

  test('a refund that fails restores what was refunded and no more, and nothing where nothing was', () => {
    const failed = refundFailed({ ...intent, amount: 500 });
    expect(amounts(1_900, 1_900, [failed])).toEqual([0, []]);
    expect(amounts(1_900, 1_900, [chargeRefunded({ ...intent, refunded: 300 }), failed])[0]).toBe(0);
    expect(amounts(1_900, 1_900, [chargeRefunded({ ...intent, refunded: 700 }), failed])[0]).toBe(200);
  });

  test('steps are replayed in the order in which they happened, whichever arrived first', () => {
    const events = inSequence([chargeRefunded({ ...intent, refunded: 500 }), refundFailed({ ...intent, amount: 500 })]);
    expect(decideReturns(1_900, 1_900, standingFacts(events.toReversed()))).toEqual(
      decideReturns(1_900, 1_900, standingFacts(events)),
    );
    expect(decideReturns(1_900, 1_900, standingFacts(events)).entries).toHaveLength(2);
  });

  test('within one second small amounts go first, then failures, in the order of their IDs', () => {
    const created = 1_790_000_000;
    const failure = (id: string, amount: number) => {
      const event = refundFailed({ ...intent, amount });
      return { ...event, created, data: { object: { ...event.data.object, id } } };
    };
    const steps = [
      { ...chargeRefunded({ ...intent, refunded: 500 }), created, id: 'z' },
      { ...chargeRefunded({ ...intent, refunded: 900 }), created, id: 'y' },
      failure('a', 400),
      failure('b', 100),
    ];
    for (const order of permutations(steps)) {
      const { refundedCents, entries } = decideReturns(1_900, 1_900, standingFacts(order));
      expect(refundedCents).toBe(400);
      expect(entries.map(({ key, amountCents }) => [key, amountCents])).toEqual([
        ['z', 500],
        ['y', 400],
        ['a', -400],
        ['b', -100],
      ]);
    }
  });
});

describe('disputes', () => {
  const open = dispute('needs_response', { ...intent, disputeId: 'dp_1' });

  test('an open dispute shows, and lowers nothing', () => {
    expect(amounts(1_900, 1_900, [open])).toEqual([0, [[0, 'dispute_open']]]);
  });

  test('a lost dispute lowers the sale, whichever of its events comes last', () => {
    const lost = dispute('lost', { ...intent, disputeId: 'dp_1' });
    expect(amounts(1_900, 1_900, [open, lost])).toEqual([1_900, [[1_900, 'dispute_lost']]]);
    expect(amounts(1_900, 1_900, [lost, open])).toEqual([1_900, [[1_900, 'dispute_lost']]]);
  });

  test('a dispute that was won lowers nothing', () => {
    expect(amounts(1_900, 1_900, [open, dispute('won', { ...intent, disputeId: 'dp_1' })])[0]).toBe(0);
  });

  test('a dispute that was lost and then won on appeal lowers nothing, whichever of its events comes last', () => {
    const of = { ...intent, disputeId: 'dp_1' };
    const events = inSequence([dispute('needs_response', of), dispute('lost', of), dispute('won', of)]);
    for (const order of permutations(events)) {
      expect(decideReturns(1_900, 1_900, standingFacts(order))).toMatchObject({
        refundedCents: 0,
        entries: [{ amountCents: 0, reason: 'dispute_won' }],
      });
    }
  });

  test('a lost dispute in another currency than the charge takes the whole charge', () => {
    const inEuro = dispute('lost', { ...intent, amount: 1_100, currency: 'eur' });
    const charge = (paymentIntentId: string, amount: number) =>
      paymentIntentSucceeded({ metadata, paymentIntentId, amount });
    expect(amounts(1_900, 1_900, [charge('pi_1', 1_900), inEuro])[0]).toBe(1_900);
    // Of an invoice that two charges paid, one; all of it if the charge itself is not known.
    expect(amounts(1_900, 1_900, [charge('pi_2', 900), charge('pi_1', 1_000), inEuro])[0]).toBe(1_000);
    expect(amounts(1_900, 1_900, [invoicePaid({ metadata, ...ids }), inEuro])[0]).toBe(1_900);
  });

  test('a lost dispute in the currency of the charge takes what is disputed', () => {
    const disputed = dispute('lost', { ...intent, amount: 1_100 });
    expect(amounts(1_900, 1_900, [invoicePaid({ metadata, ...ids }), disputed])[0]).toBe(1_100);
    expect(amounts(1_900, 1_900, [dispute('lost', { ...intent, amount: 1_100, currency: 'eur' })])[0]).toBe(1_100);
  });

  test('a lost dispute of a payment that was refunded in part takes the rest and no more', () => {
    const events = [chargeRefunded({ ...intent, refunded: 500 }), dispute('lost', intent)];
    expect(amounts(1_900, 1_900, events)[0]).toBe(1_900);
  });
});

test('the refunds of a charge add up to its sale, however they are cut', () => {
  const cents = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
  const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 });
  fc.assert(
    fc.property(cents, cents, cuts, (sale, charged, cuts) => {
      const steps = [...cuts.map((cut) => Math.floor(cut * charged)).sort((a, b) => a - b), charged];
      const events = steps.map((refunded) => chargeRefunded({ ...intent, charged, refunded }));
      const { refundedCents, entries } = decideReturns(sale, charged, standingFacts(inSequence(events)));
      expect(refundedCents).toBe(sale);
      expect(Math.min(...entries.map(({ amountCents }) => amountCents))).toBeGreaterThanOrEqual(0);
      expect(entries.reduce((total, { amountCents }) => total + amountCents, 0)).toBe(sale);
    }),
  );
});

test('money that goes back, or may, is a return: a refund, one that failed, a dispute', () => {
  const kinds: PaymentFact['kind'][] = ['charge_refunded', 'refund_failed', 'dispute', 'session', 'invoice', 'link'];
  const facts = standingFacts([
    chargeRefunded({ ...intent, refunded: 1 }),
    refundFailed({ ...intent, amount: 1 }),
    dispute('lost', intent),
    sessionCompleted({ metadata, ...ids }),
    invoicePaid({ metadata, ...ids }),
    invoicePaymentPaid('pi_1', 'in_1'),
    paymentIntentSucceeded({ metadata, ...intent }),
  ]);
  expect(facts.map(({ kind }) => kind)).toEqual([...kinds, 'payment_intent']);
  expect(facts.map(isReturn)).toEqual([true, true, true, false, false, false, false]);
});

describe('each invoice that was paid is a payment of its own', () => {
  const kinds = (facts: PaymentFact[][]) => facts.map((own) => own.map(({ kind, id }) => `${kind} ${id}`).sort());

  test('what is known of a PaymentIntent that paid two of them belongs to both', () => {
    const facts = standingFacts([
      invoicePaid({ metadata, invoiceId: 'in_2' }),
      invoicePaid({ metadata, invoiceId: 'in_1' }),
      invoicePaymentPaid('pi_1', 'in_1'),
      invoicePaymentPaid('pi_1', 'in_2'),
      invoicePaymentPaid('pi_2', 'in_2'),
      paymentIntentSucceeded({ metadata, paymentIntentId: 'pi_1' }),
      paymentIntentSucceeded({ metadata, paymentIntentId: 'pi_2' }),
    ]);
    expect(kinds(splitPayments(facts))).toEqual([
      ['invoice in_1', 'link pi_1 in_1', 'payment_intent pi_1'],
      ['invoice in_2', 'link pi_1 in_2', 'link pi_2 in_2', 'payment_intent pi_1', 'payment_intent pi_2'],
    ]);
  });

  test('one whose other invoice is not paid yet is one payment, and so is one that two accounts tell of', () => {
    const [invoice, ...links] = standingFacts([
      invoicePaid({ metadata, invoiceId: 'in_1' }),
      invoicePaymentPaid('pi_1', 'in_1'),
      invoicePaymentPaid('pi_1', 'in_2'),
    ]) as [PaymentFact, ...PaymentFact[]];
    expect(splitPayments([invoice, ...links])).toEqual([[invoice, ...links]]);
    expect(splitPayments([invoice, invoice, ...links])).toHaveLength(1);
    expect(splitPayments([])).toEqual([[]]);
  });
});

test('a payment goes by its PaymentIntents and its invoice, each named once', () => {
  const facts = standingFacts([
    invoicePaid({ metadata, invoiceId: 'in_1' }),
    invoicePaymentPaid('pi_1', 'in_1'),
    invoicePaymentPaid('pi_2', 'in_1'),
    paymentIntentSucceeded({ metadata, paymentIntentId: 'pi_1' }),
  ]);
  expect(paymentKeys(facts).sort()).toEqual(['in_1', 'pi_1', 'pi_2']);
  expect(paymentKeys([])).toEqual([]);
});
