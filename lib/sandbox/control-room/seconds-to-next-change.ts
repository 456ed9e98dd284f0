import 'server-only';
import { database } from '@/prisma/client';
import { secondsToNextChange as secondsOfOne } from '../clock/advance-clock';
import { readClock } from '../clock/clock';

/** Seconds until a subscription or a bank debit next changes by itself, of one customer or of anybody; null where nothing is planned. */
export async function secondsToNextChange(customer: string): Promise<number | null> {
  if (customer) return secondsOfOne(customer);
  const [row] = await database().$queryRaw<Array<{ at: bigint | null }>>`
    SELECT min(o.due_at - coalesce(c.offset_seconds, 0)) AS at
    FROM sandbox_stripe_object o LEFT JOIN sandbox_clock c ON c.subject = o.customer
    WHERE o.type IN ('subscription', 'payment_intent')`;
  return row?.at == null ? null : Math.max(Number(row.at) - (await readClock()), 0);
}
