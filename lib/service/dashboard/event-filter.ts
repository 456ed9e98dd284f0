import { z } from 'zod';
import { FEED_KINDS } from '../events/kinds.ts';
import { isStorableText } from '../http/read-body.ts';
import { readCursor } from './cursor.ts';
import { dayText } from './date-range.ts';

const text = z.string().trim().min(1).max(200).refine(isStorableText).optional().catch(undefined);
const day = dayText.optional().catch(undefined);

/** The address of a list of events. What is malformed is left out, so that an old link still opens. */
const schema = z.object({
  kind: z.enum(FEED_KINDS).optional().catch(undefined),
  mode: z.enum(['live', 'test']).optional().catch(undefined),
  partner: text,
  customer: text,
  click: text,
  from: day,
  to: day,
  cursor: z
    .string()
    .transform((value) => readCursor(value) ?? undefined)
    .optional()
    .catch(undefined),
});

export type EventFilter = z.output<typeof schema>;

export type SearchParams = Record<string, string | string[] | undefined>;

/** Reads `?kind=&mode=&partner=&customer=&click=&from=&to=&cursor=`; days are UTC, `to` is included. */
export function parseEventFilter(params: SearchParams): EventFilter {
  return schema.parse(Object.fromEntries(Object.entries(params).filter(([, value]) => value !== '')));
}

/** The same filter as a query string, without its cursor. */
export function writeEventFilter(filter: EventFilter): string {
  const { cursor: _, ...rest } = filter;
  const pairs = Object.entries(rest).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return new URLSearchParams(pairs).toString();
}
