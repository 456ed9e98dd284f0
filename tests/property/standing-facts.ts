import type { PaymentFact } from '@/lib/service/payments/payment';
import { readPaymentEvent } from '@/lib/service/payments/stripe-event';
import type { StripeEvent } from '../support/stripe-events';

/** The facts that stand after these events, as the service's table keeps them: one for each kind and ID. */
export function standingFacts(events: readonly StripeEvent[]): PaymentFact[] {
  const facts = new Map<string, PaymentFact>();
  for (const event of events) {
    const fact = readPaymentEvent(event)?.fact;
    if (!fact || !('rank' in fact)) throw new Error(`${event.type} was not read`);
    const key = `${fact.kind} ${fact.id}`;
    const before = facts.get(key);
    if (!before || replaces(fact, before)) facts.set(key, fact);
  }
  return [...facts.values()];
}

const replaces = (fact: PaymentFact, before: PaymentFact) =>
  fact.rank > before.rank ||
  (fact.kind === 'dispute' && fact.rank === before.rank && fact.occurredAt > before.occurredAt) ||
  (fact.kind === 'refund_failed' && fact.occurredAt < before.occurredAt);
