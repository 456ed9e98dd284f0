import 'server-only';
import { deliverEntry } from '@/lib/integration/outbox/deliver';
import { database } from '@/prisma/client';

// The outbox as an operator sees it. Never a payload, nor an email address.

export type OutboxEntry = {
  id: string;
  kind: string;
  customerExternalId: string;
  state: string;
  attempts: number;
  lastReason: string | null;
  dueAt: Date;
};

/** Reports that are pending or dead, dead letters first. */
export async function listOpenEntries(): Promise<OutboxEntry[]> {
  return database().shopOutboxEntry.findMany({
    where: { state: { in: ['dead', 'pending'] } },
    select: {
      id: true,
      kind: true,
      customerExternalId: true,
      state: true,
      attempts: true,
      lastReason: true,
      dueAt: true,
    },
    orderBy: [{ state: 'asc' }, { queuedAt: 'desc' }],
    take: 50,
  });
}

/** The state of the reports with these IDs, by ID. */
export async function findReports(ids: string[]): Promise<Map<string, { state: string; lastReason: string | null }>> {
  const rows = await database().shopOutboxEntry.findMany({
    where: { id: { in: ids } },
    select: { id: true, state: true, lastReason: true },
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** Sends a report again, as if it had just arrived. An attempt that is running meanwhile loses its lease. */
export async function retryEntry(id: string, now: Date): Promise<void> {
  await database().shopOutboxEntry.updateMany({
    where: { id },
    data: { state: 'pending', queuedAt: now, dueAt: now, finishedAt: null },
  });
  await deliverEntry(id);
}
