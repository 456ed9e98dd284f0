import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decidePayment, decideReturns } from '@/lib/service/payments/payment';
import { standingFacts } from './standing-facts';
import { playHistory, stripeHistories } from './stripe-histories';

const RUNS = 10_000;

test(`in ${RUNS} random Stripe histories, events shuffled and doubled, the sums are those of the books`, () => {
  fc.assert(
    fc.property(stripeHistories, (history) => {
      const { events, books } = playHistory(history, { program_id: 'prg_1', svc_customer_key: 'user_1' });
      const all = standingFacts(events);
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
