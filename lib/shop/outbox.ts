import 'server-only';
import { deliverClaim } from '@/lib/integration/outbox/deliver';
import type { Decision, NextAttempt } from '@/lib/integration/outbox/policy';
import { type Delivery, toService } from '@/lib/integration/outbox/send';
import { claimEntries } from '@/lib/integration/outbox/store';
import { database } from '@/prisma/client';
import { type Page, type PageCursor, toPage } from './page-cursor';

// The outbox for an operator: no payloads and no email addresses.

export type OutboxEntry = {
  id: string;
  kind: string;
  customerExternalId: string;
  state: OpenState;
  attempts: number;
  lastReason: string | null;
  queuedAt: Date;
  dueAt: Date;
};

type OpenState = 'dead' | 'pending';

/** A page of the reports in a state, newest first. */
export async function listEntries(
  state: OpenState,
  { after, size = 25 }: { after: PageCursor | null; size?: number },
): Promise<Page<OutboxEntry>> {
  const rows = await database().shopOutboxEntry.findMany({
    where: {
      state,
      ...(after && { queuedAt: { lte: after.at }, OR: [{ queuedAt: { lt: after.at } }, { id: { lt: after.id } }] }),
    },
    select: {
      id: true,
      kind: true,
      customerExternalId: true,
      attempts: true,
      lastReason: true,
      queuedAt: true,
      dueAt: true,
    },
    orderBy: [{ queuedAt: 'desc' }, { id: 'desc' }],
    take: size + 1,
  });
  const entries = rows.map((row) => ({ ...row, state }));
  return toPage(entries, size, ({ queuedAt, id }) => ({ at: queuedAt, id }));
}

export type ReportState = { state: NextAttempt['state']; lastReason: string | null };

/** The state of the reports with these IDs, by ID. */
export async function findReports(ids: string[]): Promise<Map<string, ReportState>> {
  const rows = await database().shopOutboxEntry.findMany({
    where: { id: { in: ids } },
    select: { id: true, state: true, lastReason: true },
  });
  return new Map(rows.map(({ id, state, lastReason }) => [id, { state: state as ReportState['state'], lastReason }]));
}

/**
 * Retries a report as if it were new, so that its webhook does not count as late. A running attempt loses its lease. Claimed in the
 * same transaction: otherwise a drain could take it first, and this would return before the attempt.
 * @returns the result of the attempt; null if there was none: a sale waits for its customer's pending lead, or the report does not exist
 */
export async function retryEntry(id: string, delivery: Delivery = toService): Promise<Decision | null> {
  const now = delivery.now();
  const claims = await database().$transaction(async (db) => {
    const data = { state: 'pending', queuedAt: now, occurredAt: null, dueAt: now, finishedAt: null };
    await db.shopOutboxEntry.updateMany({ where: { id }, data });
    return claimEntries({ now, limit: 1, id, db });
  });
  const [claim] = claims;
  return claim ? deliverClaim(claim, delivery) : null;
}
