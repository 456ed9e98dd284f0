import 'server-only';
import type { z } from 'zod';
import { refuse } from '../errors';
import type { Caller } from '../http/caller';
import { authenticate } from '../http/check-caller';
import type { EndpointResult } from '../http/respond';
import type { EventEntry } from '../response-schemas';
import type { eventsQuery } from '../schemas';
import { readCursor } from './cursor';
import { feedKindsOf, toEventKind } from './kinds';
import { type FeedRow, readFeed } from './read-feed';

/** GET /api/v1/events: the tracking events of the API key's program (§6), newest first. */
export async function readEvents(query: z.output<typeof eventsQuery>, caller: Caller): Promise<EndpointResult> {
  const authenticated = await authenticate(caller);
  if (!authenticated.ok) return authenticated;
  const before = query.cursor === undefined ? undefined : readCursor(query.cursor);
  if (before === null) return refuse('invalid_cursor');
  const { kind, test, customer: customerKey, limit } = query;
  const kinds = kind && feedKindsOf(kind);
  const { rows, nextCursor } = await readFeed(
    authenticated.programId,
    { order: 'recorded', kinds, test, customerKey, before },
    limit,
  );
  return { ok: true, body: { data: rows.map(toEntry), has_more: nextCursor !== null, next_cursor: nextCursor } };
}

/** Fields without a value are left out. */
function toEntry(row: FeedRow): EventEntry {
  return {
    id: row.id,
    kind: toEventKind(row.kind),
    created_at: row.createdAt.toISOString(),
    test: row.test,
    ...(row.kind === 'provisional' && { provisional: true }),
    ...(row.clickId !== null && { click_id: row.clickId }),
    ...(row.partnerCode !== null && { partner_code: row.partnerCode }),
    ...(row.customerKey !== null && { customer_key: row.customerKey }),
    ...(row.transactionId !== null && { transaction_id: row.transactionId }),
    ...(row.amountCents !== null && { amount_cents: Number(row.amountCents) }),
    ...(row.currency !== null && { currency: row.currency }),
    ...(row.reason !== null && { reason: row.reason }),
  };
}
