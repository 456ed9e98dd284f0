import 'server-only';
import { isDeepStrictEqual } from 'node:util';
import Stripe from 'stripe';
import { serviceEnv } from '../env';
import { refuse } from '../errors';
import type { EndpointResult } from '../http/respond';
import { log } from '../log';
import type { WebhookOutcome } from '../response-schemas';
import { alignSales } from './align-sales';
import type { NotAttributedReason } from './attribution';
import { keepFact, loadFacts } from './fact-store';
import { decidePayment, isReturn, type PaymentFact, paymentKeys, splitPayments } from './payment';
import { recordPayment } from './record-payment';
import { type PaymentEvent, readPaymentEvent } from './stripe-event';

type ReadableFact = Exclude<PaymentEvent['fact'], { kind: 'unreadable' }>;

type Outcome = {
  outcome: WebhookOutcome;
  reason?: NotAttributedReason | 'not_a_payment_event' | 'no_payment' | 'unpaid' | 'zero_amount';
};

/**
 * Handles an event of the connected payment account. Acknowledged with 2xx only after everything in it is committed; every part is
 * safe to repeat, so the next delivery completes one that failed.
 * @param text the body exactly as received: the signature covers its bytes
 */
export async function receivePaymentEvent(text: string, signature: string | null, now: Date): Promise<EndpointResult> {
  const secret = serviceEnv().SVC_STRIPE_WEBHOOK_SECRET;
  if (!secret) return refuse('not_configured');
  const verified = verify(text, signature, secret);
  if (!verified) return refuse('invalid_signature');
  const event = readPaymentEvent(verified);
  if (!event) return refuseUnreadable();
  const { id, type, fact } = event;
  if (fact.kind === 'unreadable') return refuseUnreadable({ event_id: id, type, fields: fact.fields.join(' ') });
  const outcome = await recordEvent(event, fact, now);
  log.info('payment event', { event_id: id, kind: fact.kind, ...outcome });
  return { ok: true, body: { received: true, ...outcome } };
}

/** Not acknowledged: Stripe lists it as failed and sends it again, for up to three days. */
function refuseUnreadable(fields: { event_id?: string; type?: string; fields?: string } = {}): EndpointResult {
  log.error('a payment event cannot be read', fields);
  return refuse(
    'invalid_body',
    "The body is signed, but this service cannot read the event. The service's log names the fields.",
  );
}

function verify(text: string, signature: string | null, secret: string) {
  try {
    return Stripe.webhooks.constructEvent(text, signature ?? '', secret);
  } catch {
    log.warn('a payment event was refused: its signature does not match');
    return null;
  }
}

const UNRECORDED: ReadonlyMap<Outcome['reason'], string> = new Map([
  ['account_mismatch', "a payment event of another account than its program's was not recorded"],
  ['unknown_program', 'a payment event of a program that does not exist was not recorded'],
]);

// The event's fact is stored first; then the payment is decided from all facts known so far. So neither the order of events nor a
// crash in between matters.
async function recordEvent(event: PaymentEvent, fact: ReadableFact, now: Date): Promise<Outcome> {
  if (fact.kind === 'ignored') return { outcome: 'ignored', reason: fact.reason };
  const { id, accountId, livemode } = event;
  await keepFact(fact, accountId ?? '', livemode, now);
  const load = () => loadFacts({ accountIds: [accountId ?? ''], livemode }, paymentKeys([fact]));
  let recorded: Outcome;
  let facts: PaymentFact[];
  do {
    facts = await load();
    recorded = await recordFacts(facts, fact, event, now);
    // Sales are locked and read again. A payment kept as not attributed is not locked, and may miss another event's new fact.
  } while (recorded.outcome === 'not_attributed' && !isDeepStrictEqual(await load(), facts));
  const warning = UNRECORDED.get(recorded.reason);
  if (warning) log.warn(warning, { event_id: id });
  return outcomeOf(fact, recorded);
}

/** Records the payments that these facts describe. @returns the outcome for the payment of `fact` */
async function recordFacts(facts: PaymentFact[], fact: PaymentFact, event: PaymentEvent, now: Date): Promise<Outcome> {
  const { accountId, livemode } = event;
  const payments = splitPayments(facts);
  const record = async (own: PaymentFact[]): Promise<Outcome> => {
    const payment = decidePayment(own);
    // A refund or a dispute changes an existing sale. It does not attribute a payment that was kept as not attributed.
    return payment && !isReturn(fact)
      ? recordPayment(payment, { accountId, livemode, keys: paymentKeys(own) }, now)
      : { outcome: 'ignored', reason: 'unpaid' };
  };
  let recorded: Outcome = { outcome: 'ignored', reason: 'unpaid' };
  // Several payments of one PaymentIntent need two rounds: its own sale blocks all of them until it is aligned to the first.
  for (let round = 0; round < (payments.length > 1 ? 2 : 1); round++) {
    for (const own of payments) {
      const outcome = await record(own);
      const isOfFact = own.some(({ kind, id }) => kind === fact.kind && id === fact.id);
      if (isOfFact && (round === 0 || outcome.outcome === 'sale')) recorded = outcome;
    }
    await alignSales({ accountIds: [accountId ?? ''], livemode }, paymentKeys(facts), now);
  }
  return recorded;
}

function outcomeOf(fact: PaymentFact, recorded: Outcome): Outcome {
  switch (fact.kind) {
    case 'session':
    case 'invoice':
    case 'payment_intent':
      return recorded;
    case 'link':
      return { outcome: 'link' };
    case 'dispute':
      return { outcome: 'dispute' };
    case 'charge_refunded':
    case 'refund_failed':
      return { outcome: 'refund' };
    default:
      return fact satisfies never;
  }
}
