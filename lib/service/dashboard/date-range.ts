import { z } from 'zod';

// Days of the dashboard are UTC days, as in the daily totals. A range includes its first and its last day.

export const PRESETS = [7, 28, 90] as const;
const DEFAULT_PRESET = 28;
/** Bounds what a page reads. */
export const MAX_DAYS = 366;

const DAY_MS = 86_400_000;

export type DateRange = {
  from: Date;
  to: Date;
  days: number;
  /** The number of days up to today; null for dates that were chosen. */
  preset: (typeof PRESETS)[number] | null;
  /** Dates that were chosen and are not a range, or too long a one; as they were entered, to be corrected. */
  refused: { from: string; to: string } | null;
};

export const startOfDay = (time: Date): Date => new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS);
export const addDays = (day: Date, days: number): Date => new Date(day.getTime() + days * DAY_MS);
/** "2026-11-21", the format of date fields and URLs. */
export const formatDay = (day: Date): string => day.toISOString().slice(0, 10);

/** A request that began before midnight may still count for yesterday: longer than any statement may run. */
const SETTLING_MS = 3_600_000;

/** The last day whose totals no longer change. */
export const lastClosedDay = (now: Date): Date => addDays(startOfDay(new Date(now.getTime() - SETTLING_MS)), -1);

/** A day to filter by: PostgreSQL has no year 0, and the previous period has to exist too. */
export const dayText = z.iso.date().refine((text) => text >= '1970' && text < '9999');
const date = dayText
  .transform((text) => new Date(text))
  .optional()
  .catch(undefined);
const schema = z.object({ range: z.coerce.number().optional().catch(undefined), from: date, to: date });

/** The range from one day to another, both included. */
const rangeOf = (from: Date, to: Date): DateRange => {
  const days = Math.round((to.getTime() - from.getTime()) / DAY_MS) + 1;
  return { from, to, days, preset: null, refused: null };
};

/** Reads `?range=7|28|90` or `?from=&to=`. Dates that are malformed or too long fall back to the range, else to the last 28 days. */
export function parseDateRange(params: Record<string, unknown>, now: Date): DateRange {
  const { range, from, to } = schema.parse(params);
  const today = startOfDay(now);
  if (from && to && from <= to) {
    const chosen = rangeOf(from, to);
    if (chosen.days <= MAX_DAYS) return chosen;
  }
  const preset = PRESETS.find((days) => days === range) ?? DEFAULT_PRESET;
  return {
    ...rangeOf(addDays(today, 1 - preset), today),
    preset,
    refused: params.from || params.to ? { from: textOf(params.from), to: textOf(params.to) } : null,
  };
}

const textOf = (param: unknown): string => (typeof param === 'string' ? param : '');

/** The period of the same length that ends the day before. */
export const previousRange = ({ from, days }: DateRange): Pick<DateRange, 'from' | 'to'> => ({
  from: addDays(from, -days),
  to: addDays(from, -1),
});

/** The range with every day up to a later time: its last days, where they are too many. */
export function extendTo(time: Date, { from }: Pick<DateRange, 'from'>): DateRange {
  const to = startOfDay(time);
  const first = addDays(to, 1 - MAX_DAYS);
  return rangeOf(from < first ? first : from, to);
}

/** The range as a query string, such as `range=28`. */
export const writeDateRange = ({ from, to, preset }: DateRange): string =>
  preset ? `range=${preset}` : `from=${formatDay(from)}&to=${formatDay(to)}`;

/** The first and the last day of a range, as a filter of events has them. */
export const endsOf = ({ from, to }: Pick<DateRange, 'from' | 'to'>) => ({ from: formatDay(from), to: formatDay(to) });

/** The days of a range, oldest first. */
export const daysOf = ({ from, days }: Pick<DateRange, 'from' | 'days'>): Date[] =>
  Array.from({ length: days }, (_, index) => addDays(from, index));
