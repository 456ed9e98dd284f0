import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decidePayment, decideReturns, type PaymentFact } from '@/lib/service/payments/payment.ts';
import { readPaymentEvent } from '@/lib/service/payments/stripe-event.ts';
import { playHistory, stripeHistories } from './stripe-histories.ts';

const RUNS = 10_000;

test(`in ${RUNS} random Stripe histories, events shuffled and doubled, the sums are those of the books`, () => {
  fc.assert(
    fc.property(stripeHistories, (history) => {
      const { events, books } = playHistory(history, { program_id: 'prg_1', svc_customer_key: 'user_1' });
      const facts = new Map<string, PaymentFact>();
      for (const event of events) {
        const fact = readPaymentEvent(event)?.fact;
        if (!fact || fact.kind === 'ignored') throw new Error(`${event.type} was not read`);
        const key = `${fact.kind} ${fact.id}`;
        if (fact.rank > (facts.get(key)?.rank ?? -1)) facts.set(key, fact);
      }
      const all = [...facts.values()];
      const payment = decidePayment(all);
      if (payment?.metadata.programId !== 'prg_1') throw new Error('The payment lost its program.');
      const { refundedCents, entries } = decideReturns(payment.amountCents, payment.paidCents, all);
      const { transactionId, amountCents } = payment;
      const returnedCents = entries.reduce((sum, entry) => sum + entry.amountCents, 0);
      expect({
        transactionId,
        amountCents,
        refundedCents,
        returnedCents,
        isCovered: refundedCents <= amountCents,
      }).toEqual({ ...books, returnedCents: books.refundedCents, isCovered: true });
    }),
    { numRuns: RUNS },
  );
}, 60_000);
