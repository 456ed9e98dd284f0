import 'server-only';
import { database } from '@/prisma/client';

export type InboxEntry = {
  id: string;
  kind: string;
  customerExternalId: string;
  state: string;
  attempts: number;
  lastReason: string | null;
  dueAt: Date;
};

/** What an operator looks at: reports that wait or have died, those that need a hand first. Never a payload, nor an e-mail. */
export async function listUnsettledEntries(): Promise<InboxEntry[]> {
  return database().shopInboxEntry.findMany({
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

/** How the reports of these IDs stand, by ID. */
export async function findReports(ids: string[]): Promise<Map<string, { state: string; lastReason: string | null }>> {
  const rows = await database().shopInboxEntry.findMany({
    where: { id: { in: ids } },
    select: { id: true, state: true, lastReason: true },
  });
  return new Map(rows.map((row) => [row.id, row]));
}
