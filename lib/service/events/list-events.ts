import 'server-only';
import type { z } from 'zod';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import { refuse } from '../errors.ts';
import type { Answer } from '../http/answer.ts';
import type { Caller } from '../http/caller.ts';
import type { eventsQuery } from '../schemas.ts';
import { authenticate } from '../track/check-caller.ts';
import { type Position, readCursor, writeCursor } from './cursor.ts';

export type EventFilter = {
  kind?: string | undefined;
  test?: boolean | undefined;
  customerKey?: string | undefined;
  before?: Position | undefined;
  limit: number;
};

export type TrackingEventEntry = {
  id: string;
  kind: string;
  created_at: string;
  test: boolean;
  provisional?: boolean;
  click_id?: string;
  partner_code?: string;
  customer_key?: string;
  transaction_id?: string;
  amount_cents?: number;
  currency?: string;
  reason?: string;
};

/** GET /api/v1/events: the tracking events of the API key's program (§6), newest first. */
export async function answerEvents(query: z.output<typeof eventsQuery>, caller: Caller): Promise<Answer> {
  const authenticated = await authenticate(caller);
  if ('code' in authenticated) return authenticated;
  const before = query.cursor === undefined ? undefined : readCursor(query.cursor);
  if (before === null) return refuse('invalid_cursor');
  const { kind, test, customer: customerKey, limit } = query;
  const page = await listEvents(authenticated.programId, { kind, test, customerKey, before, limit });
  return { ok: true, body: page };
}

/**
 * A page of a program's feed. The pages stay the same length and cost however far you go: each starts where the one
 * before ended (keyset), with no offset.
 */
export async function listEvents(programId: string, filter: EventFilter) {
  const { sql, empty } = Prisma;
  const { kind, test, customerKey, before, limit } = filter;
  const rows = await database().$queryRaw<EventRow[]>`
    SELECT * FROM service_events
    WHERE program_id = ${programId}
      ${kind === undefined ? empty : sql`AND kind = ${kind}`}
      ${test === undefined ? empty : sql`AND test = ${test}`}
      ${customerKey === undefined ? empty : sql`AND customer_key = ${customerKey}`}
      ${before ? sql`AND (created_at, id) < (${before.createdAt}, ${before.id})` : empty}
    ORDER BY created_at DESC, id DESC LIMIT ${limit + 1}`;
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const hasMore = rows.length > limit;
  return {
    data: data.map(toEntry),
    has_more: hasMore,
    next_cursor: hasMore && last ? writeCursor({ createdAt: last.created_at, id: last.id }) : null,
  };
}

type EventRow = {
  id: string;
  kind: string;
  created_at: Date;
  test: boolean;
  provisional: boolean;
  click_id: string | null;
  partner_code: string | null;
  customer_key: string | null;
  transaction_id: string | null;
  amount_cents: bigint | null;
  currency: string | null;
  reason: string | null;
};

/** Fields that an entry does not have are left out. */
function toEntry(row: EventRow): TrackingEventEntry {
  return {
    id: row.id,
    kind: row.kind,
    created_at: row.created_at.toISOString(),
    test: row.test,
    ...(row.provisional && { provisional: true }),
    ...(row.click_id !== null && { click_id: row.click_id }),
    ...(row.partner_code !== null && { partner_code: row.partner_code }),
    ...(row.customer_key !== null && { customer_key: row.customer_key }),
    ...(row.transaction_id !== null && { transaction_id: row.transaction_id }),
    ...(row.amount_cents !== null && { amount_cents: Number(row.amount_cents) }),
    ...(row.currency !== null && { currency: row.currency }),
    ...(row.reason !== null && { reason: row.reason }),
  };
}
