import 'server-only';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import { changeAccount, readAccount } from '../stripe/account';
import { settleDebit } from '../stripe/billing/debit-account';
import { runDueSubscription } from '../stripe/billing/renew-subscription';
import { expireSession } from '../stripe/checkout/expire-session';
import type { Store } from '../stripe/store';
import { moveClock, readClock } from './clock';

/** More would be a mistake: five years of a daily subscription. */
const MAX_STEPS = 2000;

type Due = { id: string; type: string; customer: string | null; at: number };

/**
 * Moves the clock, and makes everything happen on the way that falls due: renewals, retries, cancellations, expiries, banks'
 * answers, in their order and each at its own time. `customer` (ID or e-mail address) moves that customer's world alone.
 * @returns how many things happened; null where there is no such customer
 */
export async function advanceClock(seconds: number, customer?: string): Promise<{ steps: number; now: number } | null> {
  const customers = customer ? await findCustomers(customer) : null;
  if (customers?.length === 0) return null;
  // What falls due while this runs waits for the next time.
  const until = (await readClock()) + seconds;
  let steps = 0;
  for (let due = await nextDue(until, customers); due && steps < MAX_STEPS; due = await nextDue(until, customers)) {
    await runDue(due);
    steps += 1;
  }
  for (const subject of customers ?? [undefined]) await moveClock(seconds, subject);
  return { steps, now: await readClock(customers?.[0]) };
}

/** When something next happens to this customer by itself, in seconds from now; null for never. */
export async function secondsToNextChange(customer: string): Promise<number | null> {
  const [id] = await findCustomers(customer);
  if (!id) return null;
  const first = await database().sandboxStripeObject.findFirst({
    where: { customer: id, dueAt: { not: null } },
    orderBy: { dueAt: 'asc' },
    select: { dueAt: true },
  });
  return first?.dueAt ? Math.max(Number(first.dueAt) - (await readClock(id)), 0) : null;
}

async function findCustomers(idOrEmail: string): Promise<string[]> {
  if (idOrEmail.startsWith('cus_')) {
    return readAccount(async (store) => ((await store.find('customer', idOrEmail)) ? [idOrEmail] : []));
  }
  const customers = await readAccount((store) => store.all('customer', { email: idOrEmail }));
  return customers.map(({ id }) => id);
}

/** The earliest thing that is due, compared on everyone's clock: a customer's own offset is taken off. */
async function nextDue(until: number, customers: string[] | null): Promise<Due | null> {
  const rows = await database().$queryRaw<{ id: string; type: string; customer: string | null; at: bigint }[]>`
    SELECT o.id, o.type, o.customer, o.due_at AS at
    FROM sandbox_stripe_object o LEFT JOIN sandbox_clock c ON c.subject = o.customer
    WHERE o.due_at - coalesce(c.offset_seconds, 0) <= ${until}
      AND ${customers ? Prisma.sql`o.customer = ANY(${customers})` : Prisma.sql`true`}
    ORDER BY o.due_at - coalesce(c.offset_seconds, 0), o.sequence LIMIT 1`;
  return rows[0] ? { ...rows[0], at: Number(rows[0].at) } : null;
}

async function runDue({ id, type, customer, at }: Due): Promise<void> {
  await changeAccount(async (store) => {
    if (customer) await store.enter(customer, { at });
    else store.now = at;
    if (!(await isStillDue(store, id, at))) return;
    await runWithin(store, type, id);
  });
}

async function runWithin(store: Store, type: string, id: string): Promise<void> {
  if (type === 'subscription') return runDueSubscription(store, await store.lock('subscription', id));
  if (type === 'payment_intent') return settleDebit(store, await store.lock('payment_intent', id));
  const session = await store.lock('checkout.session', id);
  if (session.status === 'open') await expireSession(store, session);
}

/** Somebody else may have done it while we waited for the customer's lock. */
async function isStillDue({ tx }: Store, id: string, at: number): Promise<boolean> {
  const row = await tx.sandboxStripeObject.findUnique({ where: { id }, select: { dueAt: true } });
  return row?.dueAt !== null && Number(row?.dueAt) === at;
}
