// A partner's totals in a range of days are the difference of two running totals, so they cost two rows however long the
// range is. The days since the last running total are added one by one, and so is what was recorded on a later day than it
// happened: that may change at any time, so no running total includes it.

/** What was paid, and how much of it was returned. Currencies are never converted. */
export type Revenue = { currency: string; sold: number; refunded: number };

type Counts = { clicks: number; leads: number; sales: number; renewals: number };

/** One partner's totals for one day, or for all days up to its end. `day` is "2026-11-21". */
export type Totals = Counts & { day: string; revenue: Revenue[] };

/** One partner's stored totals, as needed for a range of days. */
export type StoredTotals = {
  /** The last running total there is. */
  latest: Totals | null;
  /** The last one before the range, and the last one up to its end. */
  before: Totals | null;
  atEnd: Totals | null;
  /** The days after `latest`. */
  counts: DayCounts[] | null;
  amounts: DayAmount[] | null;
  /** What was recorded on a later day, summed over the range. */
  lateCounts: Omit<Counts, 'clicks'> | null;
  lateAmounts: Revenue[] | null;
};

type DayCounts = Counts & { day: string };
type DayAmount = Revenue & { day: string };

const NONE: Totals = { day: '', clicks: 0, leads: 0, sales: 0, renewals: 0, revenue: [] };

/** @param sign 1 to add, -1 to subtract */
function add(a: Totals, b: Totals, sign: 1 | -1 = 1): Totals {
  const revenue = new Map(a.revenue.map((one) => [one.currency, one]));
  for (const { currency, sold, refunded } of b.revenue) {
    const known = revenue.get(currency) ?? { sold: 0, refunded: 0 };
    revenue.set(currency, { currency, sold: known.sold + sign * sold, refunded: known.refunded + sign * refunded });
  }
  return {
    day: b.day,
    clicks: a.clicks + sign * b.clicks,
    leads: a.leads + sign * b.leads,
    sales: a.sales + sign * b.sales,
    renewals: a.renewals + sign * b.renewals,
    revenue: [...revenue.values()].sort((x, y) => x.currency.localeCompare(y.currency)),
  };
}

/** Totals by day, oldest first. Money may change on a day without events: a refund that failed. */
function sumUpDays(counts: DayCounts[] | null, amounts: DayAmount[] | null): Totals[] {
  const days = new Map<string, Totals>();
  const dayOf = (day: string) => days.get(day) ?? { ...NONE, day };
  for (const { day, ...count } of counts ?? []) days.set(day, { ...dayOf(day), ...count });
  for (const { day, ...amount } of amounts ?? []) {
    const known = dayOf(day);
    days.set(day, { ...known, revenue: [...known.revenue, amount] });
  }
  return [...days.values()].sort((a, b) => a.day.localeCompare(b.day));
}

/** The totals of the days `from` to `to`, both included. */
export function totalsOf(stored: StoredTotals, from: string, to: string): Totals {
  const closed = add(stored.atEnd ?? NONE, stored.before ?? NONE, -1);
  const open = sumUpDays(stored.counts, stored.amounts).filter(({ day }) => day >= from && day <= to);
  const late = { ...NONE, ...stored.lateCounts, revenue: stored.lateAmounts ?? [] };
  const total = [...open, late].reduce((sum, part) => add(sum, part), closed);
  return { ...total, revenue: total.revenue.filter(hasRevenue) };
}

/** A sale that was removed, or restated in another currency, leaves a row of zeros. */
export const hasRevenue = ({ sold, refunded }: Revenue): boolean => sold !== 0 || refunded !== 0;

/** The running totals that can be stored by now, oldest first. @param lastClosed the last day that no longer changes */
export function newRunningTotals(stored: StoredTotals, lastClosed: string): Totals[] {
  let sum = stored.latest ?? NONE;
  return sumUpDays(stored.counts, stored.amounts)
    .filter(({ day }) => day <= lastClosed)
    .map((day) => {
      sum = add(sum, day);
      return sum;
    });
}
