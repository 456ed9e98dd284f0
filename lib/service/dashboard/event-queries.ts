import 'server-only';
import { type FeedRow, readFeed } from '../events/read-feed';
import { reportingDatabase } from '../reporting-database';
import { addDays } from './date-range';
import type { EventFilter } from './event-filter';

export type DashboardEvent = Omit<FeedRow, 'test' | 'amountCents' | 'currency' | 'reason'> & {
  isTest: boolean;
  money: { amount: number; currency: string } | null;
  /** Another version of the service may have recorded a reason that this one does not know. */
  reason: string | null;
};

export type EventPage = { events: DashboardEvent[]; nextCursor: string | null };

const PAGE_SIZE = 50;

/**
 * One page of a program's tracking events, newest first by when they happened; days refer to that time too. A customer's events
 * are those with the customer's ID, and those of the customer's click without one: the click itself and the provisional lead.
 * @param filter null finds nothing
 */
export async function listEvents(programId: string, filter: EventFilter | null, limit = PAGE_SIZE): Promise<EventPage> {
  if (!filter) return { events: [], nextCursor: null };
  const { kind, mode, partner: partnerCode, customer: customerKey, click: clickId, from, to, cursor: before } = filter;
  const { rows, nextCursor } = await readFeed(
    programId,
    {
      order: 'occurred',
      kinds: kind && [kind],
      test: mode && mode === 'test',
      partnerCode,
      customerKey,
      customerClickIds: customerKey === undefined ? [] : await findClickIds(programId, customerKey, mode),
      clickId,
      from: from === undefined ? undefined : new Date(from),
      until: to === undefined ? undefined : addDays(new Date(to), 1),
      before,
    },
    limit,
  );
  return { events: rows.map(toEvent), nextCursor };
}

async function findClickIds(programId: string, customerKey: string, mode: EventFilter['mode']): Promise<string[]> {
  const leads = await reportingDatabase().lead.findMany({
    where: { programId, customerKey, ...(mode && { test: mode === 'test' }) },
    select: { clickId: true },
  });
  return [...new Set(leads.map(({ clickId }) => clickId).filter((clickId) => clickId !== null))];
}

const toEvent = ({ test, amountCents, currency, ...event }: FeedRow): DashboardEvent => ({
  ...event,
  isTest: test,
  money: amountCents !== null && currency ? { amount: Number(amountCents), currency } : null,
});
