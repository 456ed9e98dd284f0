// What happens by itself when it is due: renewals, retries, cancellations, expiries, debits that clear, refunds that fail.
import { runDueDebit } from './billing/collection';
import { expireCoupon, updateCode } from './billing/redemptions';
import { failRefund } from './billing/refunds';
import { runDueSubscription } from './billing/subscriptions';
import { expireSession } from './checkout/plan';
import type { Store } from './store';

/** `at` is on the clock of its customer, `until` on the one that `nextDue` compares with. */
type Due = { id: string; type: string; customer: string | null; at: number; until: number };

/**
 * The earliest object that is due until then. Times are compared on everyone's clock, less each customer's own offset;
 * those on a test clock have its time, and are left out unless they are named.
 */
export async function nextDue({ sql }: Store, until: number, customers: string[] | null): Promise<Due | null> {
  const [row] = await sql<Due>(
    `SELECT o.id, replace(o.type, 'stripe.', '') AS type, o.customer, o.due_at::float8 AS at,
       (o.due_at - coalesce(c.offset_seconds, 0))::float8 AS until
     FROM object o LEFT JOIN clock c ON c.subject = o.customer LEFT JOIN object owner ON owner.id = o.customer
     WHERE o.due_at IS NOT NULL AND o.due_at - coalesce(c.offset_seconds, 0) <= $1
       AND (CASE WHEN $2::text[] IS NULL THEN owner.data->>'test_clock' IS NULL ELSE o.customer = ANY($2) END)
     ORDER BY o.due_at - coalesce(c.offset_seconds, 0), o.sequence LIMIT 1`,
    [until, customers],
  );
  return row ?? null;
}

/** Runs what is due, at its own time. */
export async function runDue(store: Store, { id, type, customer, at }: Due): Promise<void> {
  await store.enterOwner(customer, at);
  switch (type) {
    case 'subscription':
      return runDueSubscription(store, await store.get('subscription', id));
    case 'payment_intent':
      return runDueDebit(store, await store.get('payment_intent', id));
    case 'refund':
      return failRefund(store, await store.get('refund', id));
    case 'coupon':
      return expireCoupon(store, await store.get('coupon', id));
    case 'promotion_code':
      await updateCode(store, await store.get('promotion_code', id), { active: false });
      return;
    case 'checkout.session':
      await expireSession(store, await store.get('checkout.session', id));
      return;
    default:
      throw new Error(`An object of type ${type} is never due.`);
  }
}

/** Runs everything that is due until then, in one unit of work. */
export async function runDueUntil(store: Store, until: number, customers: string[]): Promise<void> {
  for (let due = await nextDue(store, until, customers); due; due = await nextDue(store, until, customers)) {
    await runDue(store, due);
  }
}
