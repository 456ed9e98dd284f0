import { z } from 'zod';
import { isOpaqueId } from '../clean-input';
import { readCursor } from '../events/cursor';
import { FEED_KINDS } from '../events/kinds';
import { dayText } from './date-range';

const id = z.string().refine(isOpaqueId).optional();
const day = dayText.optional();

/** The URL of a list of events. A malformed cursor is dropped: the list then shows its first page. */
const schema = z.object({
  kind: z.enum(FEED_KINDS).optional(),
  mode: z.enum(['live', 'test']).optional(),
  partner: id,
  customer: id,
  click: id,
  from: day,
  to: day,
  cursor: z
    .unknown()
    .transform((value) => readCursor(value) ?? undefined)
    .optional(),
});

export type EventFilter = z.output<typeof schema>;

export type SearchParams = Record<string, string | string[] | undefined>;

/**
 * Reads `?kind=&mode=&partner=&customer=&click=&from=&to=&cursor=`; days are UTC, `to` is included.
 * @returns null if one of them cannot be read: the list is then empty, never unfiltered
 */
export function parseEventFilter(params: SearchParams): EventFilter | null {
  return schema.safeParse(Object.fromEntries(Object.entries(params).filter(([, value]) => value !== ''))).data ?? null;
}

/** Whether the filter has a parameter of this name. */
export const isFilterName = (name: string): boolean => Object.hasOwn(schema.shape, name);

/** The same filter as a query string, without its cursor. */
export function writeEventFilter(filter: EventFilter): string {
  const { cursor: _, ...rest } = filter;
  const pairs = Object.entries(rest).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return new URLSearchParams(pairs).toString();
}
