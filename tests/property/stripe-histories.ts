import fc from 'fast-check';
import {
  chargeRefunded,
  dispute,
  inSequence,
  invoicePaid,
  invoicePaymentPaid,
  type Metadata,
  paymentIntentSucceeded,
  refundFailed,
  type StripeEvent,
  sessionCompleted,
} from '../support/stripe-events';
import { unique } from '../support/unique';

// Random lives of one Stripe payment, with the books that a bookkeeper would keep of it beside the events.

/** How the payment was made. */
const WAYS = [
  'one-off',
  'payment-element',
  'manual-capture',
  'subscription',
  'renewal',
  'invoice-creation',
  'out-of-band',
] as const;

/** What happens to a payment after it was made; `of` chooses a charge or an earlier refund. */
type Later =
  | { do: 'refund'; of: number; share: number }
  | { do: 'fail'; of: number }
  | { do: 'dispute'; outcome: 'open' | 'won' | 'lost' | 'won on appeal'; share: number };

type StripeHistory = {
  way: (typeof WAYS)[number];
  totalCents: number;
  taxShare: number;
  /** The part of the total that nothing was charged for: paid from credit, or released by the capture. */
  unchargedShare: number;
  /** Whether a second charge pays a part, as for an invoice that is paid in two payments. */
  isSplit: boolean;
  later: Later[];
  /** Decides the order in which the events arrive, duplicates included. */
  arrival: number[];
};

/** Between two events, so that a history lasts for days. */
const SIX_HOURS = 6 * 3_600;

const share = fc.integer({ min: 0, max: 100 });

export const stripeHistories: fc.Arbitrary<StripeHistory> = fc.record({
  way: fc.constantFrom(...WAYS),
  totalCents: fc.oneof(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: 2 ** 50 })),
  taxShare: fc.integer({ min: 0, max: 30 }),
  unchargedShare: fc.oneof(fc.constant(0), share),
  isSplit: fc.boolean(),
  later: fc.array(
    fc.oneof(
      fc.record({ do: fc.constant('refund' as const), of: fc.nat(3), share }),
      fc.record({ do: fc.constant('fail' as const), of: fc.nat(3) }),
      fc.record({
        do: fc.constant('dispute' as const),
        outcome: fc.constantFrom('open', 'won', 'lost', 'won on appeal'),
        share,
      }),
    ),
    { maxLength: 6 },
  ),
  arrival: fc.array(fc.nat(1_000), { minLength: 40, maxLength: 40 }),
});

/** What one payment came to. */
type Books = { transactionId: string; amountCents: number; refundedCents: number };

/** Plays a history: the events as Stripe sends them, in the order and as often as they arrive, and the books. */
export function playHistory(history: StripeHistory, metadata: Metadata): { events: StripeEvent[]; books: Books } {
  const { way, totalCents, isSplit, later, arrival } = history;
  const part = (cents: number, share: number) => Number((BigInt(cents) * BigInt(share)) / 100n);
  const taxCents = part(totalCents, history.taxShare);
  const hasInvoice = way !== 'one-off' && way !== 'payment-element' && way !== 'manual-capture';
  const hasTax = way !== 'payment-element';
  const unchargedCents = part(totalCents, history.unchargedShare);
  const credit = way === 'subscription' || way === 'renewal' ? unchargedCents : 0;
  const released = way === 'manual-capture' ? Math.min(unchargedCents, totalCents - 1) : 0; // a capture takes something
  const paidCents = totalCents - credit - released;
  const [invoiceId, intentIds] = [unique('in'), [unique('pi'), unique('pi')] as const];
  const firstCents = isSplit && way === 'renewal' ? part(paidCents, 60) : paidCents;
  const charges = [firstCents, paidCents - firstCents].flatMap((charged, index) =>
    charged > 0 ? [{ chargeId: unique('ch'), paymentIntentId: intentIds[index as 0 | 1], charged, refunded: 0 }] : [],
  );

  const net = { amount: totalCents - taxCents, tax: taxCents };
  const session = (extra: object) => sessionCompleted({ metadata, paymentIntentId: intentIds[0], ...net }, extra);
  const invoice = (own: Metadata, extra: object = {}) =>
    invoicePaid({ metadata: own, invoiceId, ...net }, { amount_paid: paidCents, ...extra });
  const links = charges.map(({ paymentIntentId }) => invoicePaymentPaid(paymentIntentId, invoiceId));
  const intents = charges.map(({ paymentIntentId, charged }) =>
    paymentIntentSucceeded({ metadata: hasInvoice ? {} : metadata, paymentIntentId, amount: charged }),
  );
  const made: Record<StripeHistory['way'], () => StripeEvent[]> = {
    'one-off': () => [...intents, session({})],
    'payment-element': () => intents,
    'manual-capture': () => [session({ payment_status: 'unpaid' }), ...intents],
    subscription: () => [...intents, ...links, session({ invoice: invoiceId, payment_intent: null }), invoice({})],
    renewal: () => [...intents, ...links, invoice(metadata, { billing_reason: 'subscription_cycle' })],
    'invoice-creation': () => [
      ...intents,
      ...links,
      session({}),
      invoice({}, { billing_reason: 'manual', parent: null }),
    ],
    'out-of-band': () => [invoice(metadata, { paid_out_of_band: true, amount_paid: 0, amount_due: paidCents })],
  };
  const events = made[way]();

  let returnedCents = 0;
  const refunds: Array<{ charge: (typeof charges)[number]; cents: number; hasFailed: boolean }> = [];
  for (const one of way === 'out-of-band' ? [] : later) {
    if (one.do === 'refund') {
      const charge = charges[one.of % charges.length];
      const cents = charge ? part(charge.charged - charge.refunded, one.share) : 0;
      if (!charge || cents === 0) continue;
      charge.refunded += cents;
      returnedCents += cents;
      refunds.push({ charge, cents, hasFailed: false });
      events.push(chargeRefunded({ ...charge, released }));
    } else if (one.do === 'fail') {
      const refund = refunds[one.of];
      if (!refund || refund.hasFailed) continue;
      refund.hasFailed = true;
      refund.charge.refunded -= refund.cents;
      returnedCents -= refund.cents;
      events.push(refundFailed({ ...refund.charge, amount: refund.cents }));
    } else {
      const [charge] = charges;
      if (!charge) continue;
      const disputed = { disputeId: unique('dp'), paymentIntentId: charge.paymentIntentId };
      const amount = part(charge.charged, one.share);
      events.push(dispute('needs_response', { ...disputed, amount }));
      const closes = { open: [], won: ['won'], lost: ['lost'], 'won on appeal': ['lost', 'won'] } as const;
      for (const status of closes[one.outcome]) events.push(dispute(status, { ...disputed, amount }));
      if (one.outcome === 'lost') returnedCents += amount;
    }
  }

  const [paid, total, untaxed] = [paidCents, totalCents, totalCents - (hasTax ? taxCents : 0)].map(BigInt) as [
    bigint,
    bigint,
    bigint,
  ];
  const amount = (paid * untaxed * 2n + total) / (total * 2n);
  const returned = BigInt(Math.min(returnedCents, paidCents));
  const books = {
    transactionId: hasInvoice ? invoiceId : intentIds[0],
    amountCents: Number(amount),
    refundedCents: paid === 0n ? 0 : Number((amount * returned) / paid),
  };
  return { events: arrive(inSequence(events, SIX_HOURS), arrival), books };
}

/** Each event once or twice, in a random order. */
function arrive(events: StripeEvent[], arrival: readonly number[]): StripeEvent[] {
  const doubled = [...events, ...events.filter((_, index) => (arrival[index] ?? 0) % 3 === 0)];
  return doubled
    .map((event, index) => ({ event, at: arrival[(index * 7 + 3) % arrival.length] ?? 0 }))
    .sort((a, b) => a.at - b.at)
    .map(({ event }) => event);
}
