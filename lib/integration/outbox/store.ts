// The outbox's queries. A claim is a lease: no other process takes the entry until it runs out, so a crash only costs time.
// Change in your app: nothing.
import 'server-only';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import type { NextAttempt } from './policy';
import { type Report, reportSchema } from './report';

/** Well above the 8 s that one attempt may take. */
const LEASE_MS = 30_000;

/** One entry, ours to deliver until the lease runs out. */
export type Claim = {
  id: string;
  report: Report;
  queuedAt: Date;
  /** Attempts so far, this one included. The lease's fencing token: a later lease has a higher number. */
  attempts: number;
};

type Writer = Pick<Prisma.TransactionClient, '$executeRaw'>;

/**
 * Stores a report; the same `id` again changes nothing. An erasure removes the customer's email address from every report,
 * including those that arrive later. Pass a transaction to store a report together with what it reports.
 */
export async function enqueue(id: string, report: Report, now: Date, db: Writer = database()): Promise<void> {
  const customer = report.customerExternalId;
  await db.$executeRaw`
    INSERT INTO shop_outbox (id, kind, customer_external_id, report, queued_at, due_at)
    SELECT ${id}, ${report.kind}, ${customer},
      CASE WHEN EXISTS (SELECT FROM shop_outbox WHERE customer_external_id = ${customer} AND kind = 'erasure')
        THEN ${JSON.stringify(report)}::jsonb - 'email' ELSE ${JSON.stringify(report)}::jsonb END,
      ${now}, ${now}
    ON CONFLICT (id) DO NOTHING`;
  if (report.kind !== 'erasure') return;
  await db.$executeRaw`UPDATE shop_outbox SET report = report - 'email' WHERE customer_external_id = ${customer}`;
}

/**
 * Takes entries that are due, each for one process only: SKIP LOCKED passes over those that another one is taking.
 * A customer's lead goes first: a sale of a customer whose lead is still pending would be refused as unknown.
 */
export async function claimEntries({ now, limit, id }: { now: Date; limit: number; id?: string }): Promise<Claim[]> {
  const leaseEnd = new Date(now.getTime() + LEASE_MS);
  const rows = await database().$queryRaw<Array<Omit<Claim, 'report'> & { report: unknown }>>`
    UPDATE shop_outbox SET attempts = attempts + 1, due_at = ${leaseEnd}
    WHERE id IN (
      SELECT id FROM shop_outbox AS entry
      WHERE state = 'pending' AND due_at <= ${now} ${id === undefined ? Prisma.empty : Prisma.sql`AND id = ${id}`}
        AND (kind = 'lead' OR NOT EXISTS (
          SELECT FROM shop_outbox AS lead
          WHERE lead.customer_external_id = entry.customer_external_id AND lead.kind = 'lead' AND lead.state = 'pending'))
      ORDER BY due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING id, report, queued_at AS "queuedAt", attempts`;
  return rows.map((row) => ({ ...row, report: reportSchema.parse(row.report) }));
}

/** Writes how an attempt ended, unless the lease ran out and another process has the entry. Only pending reports keep the email. */
export async function finishAttempt(claim: Claim, next: NextAttempt, status: number | null, now: Date): Promise<void> {
  const isDelivered = next.state === 'done' || next.state === 'skipped';
  await database().$executeRaw`
    UPDATE shop_outbox SET state = ${next.state}, due_at = ${next.dueAt},
      last_status = ${status}::int, last_reason = ${next.reason},
      finished_at = ${next.state === 'pending' ? null : now}::timestamp,
      report = CASE WHEN ${isDelivered} THEN report - 'email' ELSE report END
    WHERE id = ${claim.id} AND state = 'pending' AND attempts = ${claim.attempts}`;
}
