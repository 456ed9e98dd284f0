// The outbox's queries. A claim is a lease: no other process takes the entry until it expires, so a crash only costs time.
import 'server-only';
import { database, Prisma } from '@/lib/integration/database';
import type { NextAttempt } from './policy';
import { type Report, reportSchema } from './report';

/** Longer than reconciliation usually looks back. After a longer pause, a deleted lead is reported again and still counted once. */
const KEPT_MS = 90 * 86_400_000;
const PRUNED_AT_ONCE = 5000;

/** Well above the 8 s that one attempt may take. */
const LEASE_MS = 30_000;

/** `attempts` includes the current one. It is the lease's fencing token: a later lease has a higher number. */
type Lease = { id: string; attempts: number };

/**
 * One entry, ours to deliver until the lease expires. `report` is null if this version cannot read it, `lastReason` before the first
 * attempt.
 */
export type Claim = Lease & {
  report: Report | null;
  queuedAt: Date;
  requestId: string | null;
  lastReason: string | null;
};

/** Where a report comes from: the ID of the request that delivered it, and when the event happened. */
export type Origin = { requestId: string | null; occurredAt: Date | null };

/** For a report that no request delivered. */
export const NO_ORIGIN: Origin = { requestId: null, occurredAt: null };

type Writer = Pick<Prisma.TransactionClient, '$executeRaw'>;
type Reader = Pick<Prisma.TransactionClient, '$queryRaw'>;

/**
 * Stores a report; the same `id` again changes nothing. An erasure removes the customer's email address from every report,
 * including later ones. Pass a transaction as `db` to store a report together with what it reports.
 * @throws ZodError for an invalid report, and the database's errors
 */
export async function enqueue(
  id: string,
  report: Report,
  now: Date,
  { db = database(), origin = NO_ORIGIN }: { db?: Writer; origin?: Origin } = {},
): Promise<void> {
  reportSchema.parse(report); // an invalid report fails here, where the caller sees it, not when it is claimed
  const customer = report.customerExternalId;
  await db.$executeRaw`
    INSERT INTO shop_outbox (id, kind, customer_external_id, report, queued_at, due_at, occurred_at, request_id)
    SELECT ${id}, ${report.kind}, ${customer},
      CASE WHEN EXISTS (SELECT FROM shop_outbox WHERE customer_external_id = ${customer} AND kind = 'erasure')
        THEN ${JSON.stringify(report)}::jsonb - 'email' ELSE ${JSON.stringify(report)}::jsonb END,
      ${now}, ${now}, ${origin.occurredAt}::timestamp, ${origin.requestId}
    ON CONFLICT (id) DO NOTHING`;
  if (report.kind !== 'erasure') return;
  await db.$executeRaw`UPDATE shop_outbox SET report = report - 'email' WHERE customer_external_id = ${customer}`;
}

/** Whether the user was deleted. It is known for as long as the erasure is kept. */
export async function isErased(userId: string): Promise<boolean> {
  const where = { customerExternalId: userId, kind: 'erasure' };
  return (await database().shopOutboxEntry.findFirst({ where, select: { id: true } })) !== null;
}

/**
 * Claims entries that are due, each for one process only: SKIP LOCKED skips those that another process is claiming.
 * A customer's lead goes first: while it is pending, a sale would be refused as unknown, and an erasure would come too early.
 * @param options `id` claims this entry only; `dueBy` leaves out entries that became due later. Pass a transaction as `db` to claim
 * what it has written before another process can
 */
export async function claimEntries({
  now,
  limit,
  id,
  dueBy = now,
  db = database(),
}: {
  now: Date;
  limit: number;
  id?: string;
  dueBy?: Date;
  db?: Reader;
}): Promise<Claim[]> {
  const leaseEnd = new Date(now.getTime() + LEASE_MS);
  const rows = await db.$queryRaw<Array<Omit<Claim, 'report'> & { report: unknown }>>`
    UPDATE shop_outbox SET attempts = attempts + 1, due_at = ${leaseEnd}
    WHERE id = ANY(ARRAY( -- evaluated once, so that LIMIT holds
      SELECT id FROM shop_outbox AS entry
      WHERE state = 'pending' AND due_at <= ${dueBy} ${id === undefined ? Prisma.empty : Prisma.sql`AND id = ${id}`}
        AND (kind = 'lead' OR NOT EXISTS (
          SELECT FROM shop_outbox AS lead
          WHERE lead.customer_external_id = entry.customer_external_id AND lead.kind = 'lead' AND lead.state = 'pending'))
      ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED))
    RETURNING id, report, queued_at AS "queuedAt", attempts, request_id AS "requestId", last_reason AS "lastReason"`;
  return rows.map((row) => ({ ...row, report: reportSchema.safeParse(row.report).data ?? null }));
}

/**
 * Stores the result of an attempt, unless the lease expired and another process has the entry. Only pending reports keep the email.
 * Once a lead is done, its customer is known: the customer's sales that were refused as unknown are sent again. So is an erasure,
 * because the lead stores its click's addresses. This includes reports that are being sent now, since their call may have started too
 * early.
 */
export async function finishAttempt(lease: Lease, next: NextAttempt, status: number | null, now: Date): Promise<void> {
  const isPending = next.state === 'pending';
  await database().$executeRaw`
    WITH finished AS (
      UPDATE shop_outbox SET state = ${next.state}, due_at = ${next.dueAt},
        last_status = ${status}::int, last_reason = ${next.reason}, finished_at = ${isPending ? null : now}::timestamp,
        report = CASE WHEN ${isPending} THEN report ELSE report - 'email' END
      WHERE id = ${lease.id} AND state = 'pending' AND attempts = ${lease.attempts}
      RETURNING customer_external_id, kind, state)
    UPDATE shop_outbox AS other
    SET state = 'pending', attempts = other.attempts + 1, queued_at = ${now}, occurred_at = NULL,
      due_at = least(other.due_at, ${now}), finished_at = NULL
    FROM finished AS lead
    WHERE lead.kind = 'lead' AND lead.state = 'done' AND other.customer_external_id = lead.customer_external_id
      AND (other.kind = 'sale' AND other.state IN ('skipped', 'pending')
        OR other.kind = 'erasure' AND other.state IN ('done', 'skipped', 'pending'))`;
}

/**
 * Deletes reports past their retention that are not pending. Sales stay: they are few and belong to payments. So does an erasure
 * that the service refused, because it is the only record that the email address is still to be erased. One that an operator retries
 * at the same time is locked, and stays.
 * @param hasTime asked after each batch; the next run continues where this one stops
 * @returns how many were deleted
 */
export async function pruneOutbox(now: Date, hasTime = () => true): Promise<number> {
  const before = new Date(now.getTime() - KEPT_MS);
  for (let deleted = 0; ; ) {
    const count = await database().$executeRaw`
      DELETE FROM shop_outbox WHERE id IN (
        SELECT id FROM shop_outbox WHERE queued_at < ${before} AND kind <> 'sale' AND state <> 'pending'
          AND NOT (kind = 'erasure' AND state = 'dead')
        ORDER BY queued_at LIMIT ${PRUNED_AT_ONCE} FOR UPDATE SKIP LOCKED)`;
    deleted += count;
    if (count < PRUNED_AT_ONCE || !hasTime()) return deleted;
  }
}
