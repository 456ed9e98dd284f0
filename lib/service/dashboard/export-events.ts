import 'server-only';
import { readCursor } from '../events/cursor';
import { toCsvLine } from './csv';
import type { EventFilter } from './event-filter';
import { type DashboardEvent, listEvents } from './event-queries';

const BATCH = 500;

const COLUMNS = {
  id: (event) => event.id,
  kind: (event) => event.kind,
  occurred_at: (event) => event.occurredAt.toISOString(),
  recorded_at: (event) => event.createdAt.toISOString(),
  test: (event) => event.isTest,
  partner_code: (event) => event.partnerCode,
  customer_key: (event) => event.customerKey,
  click_id: (event) => event.clickId,
  transaction_id: (event) => event.transactionId,
  amount_cents: (event) => event.money?.amount ?? null,
  net_cents: readNet,
  currency: (event) => event.money?.currency ?? null,
  reason: (event) => event.reason,
} as const satisfies Record<string, (event: DashboardEvent) => string | number | boolean | null>;

/** What the event adds to the net revenue of its program: null for test events and for those that do not change it. */
function readNet({ kind, isTest, money, reason }: DashboardEvent): number | null {
  if (isTest || !money) return null;
  if (kind === 'sale' || kind === 'renewal') return money.amount;
  if (kind === 'refund') return reason === 'refund_failed' ? money.amount : -money.amount;
  return null;
}

const toRecord = (event: DashboardEvent) =>
  Object.fromEntries(Object.entries(COLUMNS).map(([name, read]) => [name, read(event)]));

const FORMATS = {
  csv: {
    contentType: 'text/csv; charset=utf-8',
    head: toCsvLine(Object.keys(COLUMNS)),
    row: (event: DashboardEvent) => toCsvLine(Object.values(COLUMNS).map((read) => read(event))),
    separator: '',
    tail: '',
  },
  json: {
    contentType: 'application/json; charset=utf-8',
    head: '[\n',
    row: (event: DashboardEvent) => JSON.stringify(toRecord(event)),
    separator: ',\n',
    tail: '\n]\n',
  },
} as const;

type ExportFormat = keyof typeof FORMATS;

/**
 * All events of a filter, read page by page as the receiver consumes them: memory use does not depend on their number.
 * Rejects if the first page cannot be read; if a later one cannot, the body ends with an error.
 */
export async function exportEvents(programId: string, filter: EventFilter | null, format: ExportFormat) {
  const { contentType, head, row, separator, tail } = FORMATS[format];
  const encoder = new TextEncoder();
  const readPage = (cursor: EventFilter['cursor']) => listEvents(programId, filter && { ...filter, cursor }, BATCH);
  let page: Awaited<ReturnType<typeof readPage>> | null = await readPage(undefined);
  let cursor: EventFilter['cursor'];
  let before: string = head;
  let between = '';
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { events, nextCursor } = page ?? (await readPage(cursor));
      page = null;
      const rows = events.map(row).join(separator); // none, if the rest was deleted since the page before
      const text = before + (rows && between + rows);
      before = '';
      if (rows) between = separator;
      cursor = (nextCursor && readCursor(nextCursor)) || undefined;
      controller.enqueue(encoder.encode(cursor ? text : text + tail));
      if (!cursor) controller.close();
    },
  });
  return { contentType, body };
}
