import 'server-only';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import { type Cursor, writeCursor } from './cursor.ts';
import type { EventFilter, EventView } from './event-filter.ts';

export type DashboardEvent = {
  id: string;
  view: EventView;
  isTest: boolean;
  clickId: string | null;
  partnerCode: string | null;
  customerKey: string | null;
  /** The customer's settled lead, whose journey the dashboard can show. */
  leadId: string | null;
  transactionId: string | null;
  money: { amount: number; currency: string } | null;
  reason: string | null;
  createdAt: Date;
};

export type EventPage = { events: DashboardEvent[]; nextCursor: string | null };

const PAGE_SIZE = 50;

type Row = Omit<DashboardEvent, 'money' | 'nextCursor'> & { amountCents: bigint | null; currency: string | null };

const VIEW = Prisma.sql`
  CASE WHEN e.kind = 'lead' AND e.provisional THEN 'provisional'
       WHEN e.kind = 'sale' AND s.is_recurring THEN 'renewal'
       ELSE e.kind END`;

function viewCondition(view: EventView): Prisma.Sql {
  switch (view) {
    case 'provisional':
      return Prisma.sql`e.kind = 'lead' AND e.provisional`;
    case 'lead':
      return Prisma.sql`e.kind = 'lead' AND NOT e.provisional`;
    case 'renewal':
      return Prisma.sql`e.kind = 'sale' AND s.is_recurring`;
    case 'sale':
      return Prisma.sql`e.kind = 'sale' AND s.is_recurring IS NOT TRUE`;
    case 'click':
    case 'refund':
    case 'not_attributed':
      return Prisma.sql`e.kind = ${view}`;
    default:
      return view satisfies never;
  }
}

const isBefore = ({ createdAt, id }: Cursor) => Prisma.sql`(e.created_at, e.id) < (${createdAt}, ${id})`;

/** What names the customer, and the click and provisional lead that came before anyone knew whose they were. */
const ofCustomer = (programId: string, customer: string) => Prisma.sql`
  (e.customer_key = ${customer} OR (e.customer_key IS NULL AND e.click_id IN
    (SELECT l.click_id FROM service_leads l WHERE l.program_id = ${programId} AND l.customer_key = ${customer})))`;

function conditions(programId: string, filter: EventFilter): Prisma.Sql {
  const { kind, mode, partner, customer, click, from, to, cursor } = filter;
  const all = [
    Prisma.sql`e.program_id = ${programId}`,
    kind && viewCondition(kind),
    mode && Prisma.sql`e.test = ${mode === 'test'}`,
    partner && Prisma.sql`e.partner_code = ${partner}`,
    customer && ofCustomer(programId, customer),
    click && Prisma.sql`e.click_id = ${click}`,
    from && Prisma.sql`e.created_at >= ${new Date(from)}`,
    to && Prisma.sql`e.created_at < ${new Date(new Date(to).getTime() + 86_400_000)}`,
    cursor && isBefore(cursor),
  ];
  return Prisma.join(
    all.filter((condition) => condition !== undefined && condition !== ''),
    ' AND ',
  );
}

/** One page of a program's tracking events, newest first. */
export async function listEvents(programId: string, filter: EventFilter, limit = PAGE_SIZE): Promise<EventPage> {
  const rows = await database().$queryRaw<Row[]>`
    SELECT e.id, ${VIEW} AS view, e.test AS "isTest", e.click_id AS "clickId", e.partner_code AS "partnerCode",
           e.customer_key AS "customerKey", l.id AS "leadId", e.transaction_id AS "transactionId",
           e.amount_cents AS "amountCents", e.currency, e.reason, e.created_at AS "createdAt"
    FROM service_events e
    LEFT JOIN service_sales s
      ON s.program_id = e.program_id AND s.test = e.test AND s.transaction_id = e.transaction_id AND e.kind = 'sale'
    LEFT JOIN service_leads l
      ON l.program_id = e.program_id AND l.test = e.test AND l.customer_key = e.customer_key
    WHERE ${conditions(programId, filter)}
    ORDER BY e.created_at DESC, e.id DESC
    LIMIT ${limit + 1}`;
  const events = rows.slice(0, limit).map(toEvent);
  const last = events.at(-1);
  return { events, nextCursor: rows.length > limit && last ? writeCursor(last) : null };
}

const toEvent = ({ amountCents, currency, ...event }: Row): DashboardEvent => ({
  ...event,
  money: amountCents !== null && currency ? { amount: Number(amountCents), currency } : null,
});
