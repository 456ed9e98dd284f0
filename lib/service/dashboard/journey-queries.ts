import 'server-only';
import { isStorableText } from '../clean-input';
import { FEED_KINDS } from '../events/kinds';
import { reportingDatabase } from '../reporting-database';
import type { EventFilter } from './event-filter';
import { type DashboardEvent, listEvents } from './event-queries';
import { buildJourney, type JourneyNode } from './journey';

/** A stored record, ready to be shown. */
type ShownRecord = Readonly<Record<string, string | number | boolean | null>>;

export type Journey = {
  customerKey: string | null;
  email: string | null;
  partner: { code: string; name: string } | null;
  isTest: boolean;
  nodes: Array<JourneyNode & { record: ShownRecord | null }>;
};

const LONGEST = 200;

/**
 * The journey of a customer, found by lead (`led_…`), click (`clk_…`), customer ID or the transaction ID of a sale, or of a click
 * whose visitor is unknown. Null if the program has no such record, and no events of the click, which are kept for longer.
 */
export async function findJourney(programId: string, id: string): Promise<Journey | null> {
  if (!isStorableText(id)) return null;
  const lead = await reportingDatabase().lead.findFirst({
    where: { programId, OR: [{ id }, { clickId: id, test: false }] }, // a test lead is no customer of its click
    orderBy: { createdAt: 'asc' },
    include: { partner: true },
  });
  const click = lead
    ? null
    : await reportingDatabase().click.findFirst({ where: { id, programId }, include: { partner: true } });
  const filter: EventFilter = lead
    ? { customer: lead.customerKey, mode: lead.test ? 'test' : 'live' }
    : { click: id, mode: 'live' };
  const { events } = await listEvents(programId, filter, LONGEST);
  if (!lead && !click && events.length === 0) {
    const found = await findByForeignId(programId, id);
    return found && found !== id ? findJourney(programId, found) : null;
  }
  const records = await readRecords(programId, events);
  const partner = lead?.partner ?? click?.partner;
  return {
    customerKey: lead?.customerKey ?? null,
    email: lead?.email ?? null,
    partner: partner ? { code: partner.code, name: partner.name } : null,
    isTest: lead?.test ?? false,
    nodes: buildJourney(byOccurrence(events), lead).map((node) => ({
      ...node,
      record: node.event && (records.get(recordKey(node.event) ?? '') ?? null),
    })),
  };
}

/** The lead of a customer ID, or the lead or click of a sale, live before test; null if the program has none. */
async function findByForeignId(programId: string, id: string): Promise<string | null> {
  const [found] = await reportingDatabase().$queryRaw<Array<{ id: string }>>`
    SELECT id FROM (
      SELECT id, test FROM service_leads WHERE program_id = ${programId} AND customer_key = ${id}
      UNION ALL
      SELECT coalesce(l.id, s.click_id), s.test
      FROM service_sales s
      LEFT JOIN service_leads l ON l.program_id = s.program_id AND l.test = s.test AND l.customer_key = s.customer_key
      WHERE s.program_id = ${programId} AND s.transaction_id = ${id}
    ) AS found
    WHERE id IS NOT NULL ORDER BY test LIMIT 1`;
  return found?.id ?? null;
}

/** Oldest first. A payment may settle a lead and be a sale at the same time: those follow the order of the kinds. */
const byOccurrence = (events: readonly DashboardEvent[]) =>
  events.toSorted(
    (a, b) =>
      a.occurredAt.getTime() - b.occurredAt.getTime() || FEED_KINDS.indexOf(a.kind) - FEED_KINDS.indexOf(b.kind),
  );

function recordKey(event: DashboardEvent): string | null {
  switch (event.kind) {
    case 'click':
      return event.clickId;
    case 'provisional':
      return event.clickId && `provisional ${event.clickId}`;
    case 'lead':
      return event.leadId;
    case 'sale':
    case 'renewal':
    case 'refund':
      return event.transactionId && `${event.isTest} ${event.transactionId}`;
    case 'not_attributed':
      return event.id;
    default:
      return event.kind satisfies never;
  }
}

async function readRecords(programId: string, events: readonly DashboardEvent[]): Promise<Map<string, ShownRecord>> {
  const idsOf = (read: (event: DashboardEvent) => string | null) => [
    ...new Set(events.map(read).filter((id) => id !== null)),
  ];
  const clickIds = idsOf(({ clickId }) => clickId);
  const [clicks, provisional, leads, sales] = await Promise.all([
    reportingDatabase().click.findMany({ where: { programId, id: { in: clickIds } } }),
    reportingDatabase().provisionalLead.findMany({ where: { programId, clickId: { in: clickIds } } }),
    reportingDatabase().lead.findMany({ where: { programId, id: { in: idsOf(({ leadId }) => leadId) } } }),
    reportingDatabase().sale.findMany({
      where: { programId, transactionId: { in: idsOf(({ transactionId }) => transactionId) } },
    }),
  ]);
  return new Map<string, ShownRecord>([
    ...clicks.map((row) => [row.id, shown(row)] as const),
    ...provisional.map((row) => [`provisional ${row.clickId}`, shown(row)] as const),
    ...leads.map((row) => [row.id, shown(row)] as const),
    ...sales.map((row) => [`${row.test} ${row.transactionId}`, shown(row)] as const),
    ...events.filter(({ kind }) => kind === 'not_attributed').map((event) => [event.id, shownPayment(event)] as const),
  ]);
}

type Stored = Record<string, string | number | bigint | boolean | Date | null>;

const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const shown = (row: Stored): ShownRecord =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [snakeCase(name), shownValue(value)]));

/** A payment without a sale: only its entry in the feed says what it named. */
const shownPayment = ({ transactionId, clickId, customerKey, money, reason, occurredAt, createdAt }: DashboardEvent) =>
  shown({
    ...{ transactionId, clickId, customerKey },
    ...{ amountCents: money?.amount ?? null, currency: money?.currency ?? null, reason, occurredAt, createdAt },
  });

function shownValue(value: Stored[string]): ShownRecord[string] {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'bigint' ? Number(value) : value;
}
