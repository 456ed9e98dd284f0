import { afterAll, vi } from 'vitest';
import { receivePaymentEvent } from '@/lib/service/payments/receive-event';
import { database } from '@/prisma/client';
import { type StripeEvent, signatureOf } from '@/tests/support/stripe-events';

/**
 * Lets the clock of a file begin at yesterday's noon, so that what happens in a test happens on one day, also at midnight. One
 * that is ahead would make the service forget the callers of the tests that count them.
 * @returns that noon, in milliseconds since 1970
 */
export function beginAtNoon() {
  const now = new Date(Date.now() - 86_400_000).setUTCHours(12, 0, 0, 0);
  vi.useFakeTimers({ toFake: ['Date'], now, shouldAdvanceTime: true, advanceTimeDelta: 1 });
  afterAll(() => void vi.useRealTimers());
  return now;
}

/** The event, as Stripe sends it for an account. */
export const from = (account: string, event: StripeEvent): StripeEvent => ({ ...event, account });

/** Receives an event with its signature, now or as if it were `now`. */
export const deliver = (event: StripeEvent) => deliverAt(new Date(), event);

export function deliverAt(now: Date, event: StripeEvent) {
  const payload = JSON.stringify(event);
  return receivePaymentEvent(payload, signatureOf(payload), now);
}

type DayTotals = { day: string; sales: bigint; refunds: bigint; sold: bigint; refunded: bigint };

/**
 * The totals that are kept beside the records, and what they have to be: the sums of the feed by day of occurrence. A sale
 * that moved to another day may leave zeros where it was.
 */
export const totalsByDay = (programId: string) =>
  database().$queryRaw<DayTotals[]>`
    SELECT day::text, sum(sales) AS sales, sum(refunds) AS refunds, sum(sold)::bigint AS sold, sum(refunded)::bigint AS refunded
    FROM (
      SELECT program_id, day, sales, refunds, 0 AS sold, 0 AS refunded FROM service_daily_counts
      UNION ALL SELECT program_id, day, sales, refunds, 0, 0 FROM service_late_counts
      UNION ALL SELECT program_id, day, 0, 0, sales_cents, refunded_cents FROM service_daily_amounts
      UNION ALL SELECT program_id, day, 0, 0, sales_cents, refunded_cents FROM service_late_amounts
    ) AS kept
    WHERE program_id = ${programId}
    GROUP BY 1 HAVING sum(abs(sales) + abs(refunds) + abs(sold) + abs(refunded)) > 0 ORDER BY 1`;

export const feedByDay = (programId: string) =>
  database().$queryRaw<DayTotals[]>`
    SELECT (occurred_at AT TIME ZONE 'UTC')::date::text AS day, count(*) FILTER (WHERE kind <> 'refund') AS sales,
      count(*) FILTER (WHERE kind = 'refund' AND reason IS DISTINCT FROM 'refund_failed') AS refunds,
      coalesce(sum(amount_cents) FILTER (WHERE kind <> 'refund'), 0)::bigint AS sold,
      coalesce(sum(CASE reason WHEN 'refund_failed' THEN -amount_cents ELSE amount_cents END) FILTER (WHERE kind = 'refund'), 0)::bigint
        AS refunded
    FROM service_events WHERE program_id = ${programId} AND kind IN ('sale', 'renewal', 'refund')
      AND amount_cents IS NOT NULL -- an open dispute has taken nothing yet
    GROUP BY 1 ORDER BY 1`;
