// Decides a payment from its facts. Stripe guarantees no order of events and delivers some twice, so nothing here depends on what
// arrived first: each function looks at all facts.

/** §2, checkout metadata, as it arrives with a payment. */
export type PaymentMetadata = { programId: string | null; clickId: string | null; customerKey: string | null };

/** What a session, an invoice or a PaymentIntent says about the payment. Amounts are minor units, tax included. */
export type PaymentTerms = {
  /** Null if unknown, for example for a session that is not paid yet. */
  paidCents: number | null;
  totalCents: number;
  taxCents: number;
  currency: string;
  subscriptionId: string | null;
  isRecurring: boolean;
  metadata: PaymentMetadata;
};

export type PaymentFact = {
  /** The object's ID; for the states of a charge, the event's ID, because each of them counts. */
  id: string;
  /**
   * Of two facts with the same ID, the higher rank wins: paid over unpaid, closed over open. Of two closes of a dispute the later
   * one wins, of two failures of a refund the earlier one.
   */
  rank: 0 | 1;
  paymentIntentId: string | null;
  invoiceId: string | null;
  occurredAt: Date;
} & (
  | ({ kind: 'session' | 'invoice' | 'payment_intent' } & PaymentTerms)
  /** Which invoice a PaymentIntent pays: invoices no longer name it. */
  | { kind: 'link' }
  /** `refundedCents` is cumulative: the amount of the charge refunded at that time. */
  | { kind: 'charge_refunded'; chargeId: string; chargedCents: number; refundedCents: number }
  | { kind: 'refund_failed'; chargeId: string; amountCents: number }
  | { kind: 'dispute'; amountCents: number; currency: string | null; state: 'open' | 'lost' | 'won' }
);

type TermsFact = Extract<PaymentFact, PaymentTerms>;
type DisputeFact = Extract<PaymentFact, { kind: 'dispute' }>;

export type Payment = {
  /** The idempotency key: the invoice ID if there is an invoice, else the PaymentIntent ID (docs/decisions/0007). */
  transactionId: string;
  /** Minor units: what was paid, and that amount without tax. */
  paidCents: number;
  amountCents: number;
  currency: string;
  subscriptionId: string | null;
  isRecurring: boolean;
  metadata: PaymentMetadata;
  occurredAt: Date;
};

const AMOUNT_SOURCES = ['invoice', 'session', 'payment_intent'] as const;
const METADATA_SOURCES = ['session', 'invoice', 'payment_intent'] as const;

const hasTerms = (fact: PaymentFact): fact is TermsFact => 'totalCents' in fact;

/** Whether a fact is about a refund or a dispute. */
export const isReturn = ({ kind }: PaymentFact): boolean =>
  kind === 'charge_refunded' || kind === 'refund_failed' || kind === 'dispute';

/** All IDs of a payment: its PaymentIntents and its invoice. */
export const paymentKeys = (facts: readonly PaymentFact[]): string[] => [
  ...new Set(
    facts.flatMap(({ paymentIntentId, invoiceId }) => [paymentIntentId, invoiceId]).filter((id) => id !== null),
  ),
];

/**
 * The facts of each payment. Each paid invoice is a separate payment, even if one PaymentIntent paid several: the facts of that
 * PaymentIntent belong to each (docs/decisions/0007).
 * @param facts all facts found through their keys; of several payments only if one PaymentIntent paid several invoices
 */
export function splitPayments(facts: PaymentFact[]): PaymentFact[][] {
  const invoiceIds = new Set(facts.flatMap(({ kind, id }) => (kind === 'invoice' ? [id] : [])).sort());
  if (invoiceIds.size < 2) return [facts];
  return [...invoiceIds].map((invoiceId) => {
    const ofInvoice = facts.filter((fact) => fact.invoiceId === invoiceId);
    const intentIds = new Set(ofInvoice.map(({ paymentIntentId }) => paymentIntentId));
    return [...ofInvoice, ...facts.filter((fact) => !fact.invoiceId && intentIds.has(fact.paymentIntentId))];
  });
}

/**
 * The payment that the facts describe. The invoice says best what was paid, then the session, then the PaymentIntent: a session's
 * total does not include a customer balance, and a PaymentIntent has only the tax that its creator named.
 * @returns null while nothing is paid
 */
export function decidePayment(facts: readonly PaymentFact[]): Payment | null {
  const terms = facts.filter(hasTerms);
  const byKind = (kinds: readonly TermsFact['kind'][]) =>
    kinds.flatMap((kind) => terms.filter((fact) => fact.kind === kind));
  const sources = byKind(AMOUNT_SOURCES);
  const paid = sources.find(({ paidCents }) => paidCents !== null);
  const [best] = sources;
  const [linkedId] = facts.flatMap((fact) => fact.invoiceId ?? []).sort();
  const invoiceId = terms.find(({ kind }) => kind === 'invoice')?.id ?? linkedId;
  const transactionId = invoiceId ?? paid?.paymentIntentId;
  if (!paid || !best || !transactionId) return null;
  const named = byKind(METADATA_SOURCES);
  const paidCents = paid.paidCents ?? 0;
  // What an invoice collects beyond its total is an earlier debt of the customer, without tax.
  const debtCents = paid === best ? Math.max(0, paidCents - Math.max(0, best.totalCents)) : 0;
  return {
    transactionId,
    paidCents,
    amountCents: withoutTax(paidCents - debtCents, best) + debtCents,
    currency: paid.currency,
    subscriptionId: sources.find(({ subscriptionId }) => subscriptionId)?.subscriptionId ?? null,
    isRecurring: terms.some(({ isRecurring }) => isRecurring),
    metadata: (named.find(({ metadata }) => metadata.programId) ?? named[0] ?? paid).metadata,
    occurredAt: paid.occurredAt,
  };
}

/**
 * What was paid, less its tax. Credit and credit notes pay a part of the total, including tax, so the rest has the same
 * proportion: paid × (total − tax) ÷ total, rounded half up.
 */
export function withoutTax(
  paidCents: number,
  { totalCents, taxCents }: { totalCents: number; taxCents: number },
): number {
  if (paidCents <= 0 || totalCents <= 0) return 0;
  const [paid, total, net] = [BigInt(paidCents), BigInt(totalCents), BigInt(Math.max(0, totalCents - taxCents))];
  return Number((2n * paid * net + total) / (2n * total));
}

export const RETURN_REASONS = ['refund_failed', 'dispute_open', 'dispute_lost', 'dispute_won'] as const;

/** One refund or dispute: what it changes, and its entry in the feed. */
export type ReturnEntry = {
  /** The fact it comes from, the same for every delivery. */
  key: string;
  /** Minor units of the sale: above 0 it lowers the sale, below 0 it restores it. */
  amountCents: number;
  reason: (typeof RETURN_REASONS)[number] | null;
  occurredAt: Date;
};

/**
 * How refunds and disputes lower a sale (docs/decisions/0007). The charges' histories are replayed in the order in which
 * they happened. A sale excludes tax and a charge does not, so a sale is lowered by the share of the payment that was returned:
 * by all of it if everything was, and never below zero.
 * @param paidCents the total that was paid, including tax; 0 if only the charges are known, as for a path B sale
 */
export function decideReturns(
  saleCents: number,
  paidCents: number,
  facts: readonly PaymentFact[],
): { refundedCents: number; entries: ReturnEntry[] } {
  const total = paidCents || chargedCents(facts) || saleCents;
  const refunded = new Map<string, number>();
  const entries: ReturnEntry[] = [];
  let returnedCents = 0;
  let refundedCents = 0;
  for (const fact of [...facts].sort(inOrder)) {
    const step = nextStep(fact, refunded, (dispute) => disputedCents(dispute, facts, total));
    if (!step) continue;
    returnedCents += step.changeCents;
    const share = shareOf(saleCents, returnedCents, total);
    entries.push({
      key: fact.id,
      amountCents: share - refundedCents,
      reason: step.reason,
      occurredAt: fact.occurredAt,
    });
    refundedCents = share;
  }
  return { refundedCents, entries };
}

function nextStep(
  fact: PaymentFact,
  refunded: Map<string, number>,
  takenBy: (dispute: DisputeFact) => number,
): { changeCents: number; reason: ReturnEntry['reason'] } | null {
  switch (fact.kind) {
    case 'charge_refunded': {
      const changeCents = fact.refundedCents - (refunded.get(fact.chargeId) ?? 0);
      refunded.set(fact.chargeId, fact.refundedCents);
      return changeCents === 0 ? null : { changeCents, reason: changeCents < 0 ? 'refund_failed' : null };
    }
    case 'refund_failed': {
      const before = refunded.get(fact.chargeId) ?? 0;
      const changeCents = -Math.min(before, fact.amountCents);
      refunded.set(fact.chargeId, before + changeCents);
      return changeCents === 0 ? null : { changeCents, reason: 'refund_failed' };
    }
    case 'dispute':
      return { changeCents: fact.state === 'lost' ? takenBy(fact) : 0, reason: `dispute_${fact.state}` };
    default:
      return null;
  }
}

// A customer who paid in another currency (Adaptive Pricing) disputes in it. The rate is unknown, so the whole charge counts.
function disputedCents(dispute: DisputeFact, facts: readonly PaymentFact[], totalCents: number): number {
  const terms = facts.filter(hasTerms);
  const currency = terms.find((fact) => fact.currency)?.currency;
  if (!dispute.currency || !currency || dispute.currency === currency) return dispute.amountCents;
  const charge = terms.find((fact) => fact.kind === 'payment_intent' && fact.id === dispute.paymentIntentId);
  return charge?.paidCents ?? totalCents;
}

// Event times are whole seconds. Within one second, refunds go before their failures, and small cumulative amounts before large ones.
function inOrder(a: PaymentFact, b: PaymentFact): number {
  const weight = (fact: PaymentFact) =>
    fact.kind === 'charge_refunded' ? fact.refundedCents : Number.MAX_SAFE_INTEGER;
  return a.occurredAt.getTime() - b.occurredAt.getTime() || weight(a) - weight(b) || (a.id < b.id ? -1 : 1);
}

function chargedCents(facts: readonly PaymentFact[]): number {
  const charges = new Map(
    facts.flatMap((fact) => (fact.kind === 'charge_refunded' ? [[fact.chargeId, fact.chargedCents]] : [])),
  );
  return [...charges.values()].reduce((total, cents) => total + cents, 0);
}

function shareOf(saleCents: number, returnedCents: number, totalCents: number): number {
  if (totalCents <= 0) return 0;
  const returned = BigInt(Math.max(0, Math.min(returnedCents, totalCents)));
  return Number((BigInt(saleCents) * returned) / BigInt(totalCents));
}
