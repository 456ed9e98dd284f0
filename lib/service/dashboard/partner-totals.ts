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

type Amount = { currency: string; sold: number | bigint; refunded: number | bigint };

/** The sums by currency. Zeros are left out: a sale that was removed, or restated in another currency, leaves them. */
export function sumRevenue(amounts: readonly Amount[]): Revenue[] {
  const sums = new Map<string, Revenue>();
  for (const { currency, sold, refunded } of amounts) {
    const sum = sums.get(currency) ?? { currency, sold: 0, refunded: 0 };
    sums.set(currency, { currency, sold: sum.sold + Number(sold), refunded: sum.refunded + Number(refunded) });
  }
  return [...sums.values()]
    .filter(({ sold, refunded }) => sold !== 0 || refunded !== 0)
    .sort((a, b) => a.currency.localeCompare(b.currency));
}

/** @param sign 1 to add, -1 to subtract */
function add(a: Totals, b: Totals, sign: 1 | -1 = 1): Totals {
  const signed = b.revenue.map((one) => ({ ...one, sold: sign * one.sold, refunded: sign * one.refunded }));
  return {
    day: b.day,
    clicks: a.clicks + sign * b.clicks,
    leads: a.leads + sign * b.leads,
    sales: a.sales + sign * b.sales,
    renewals: a.renewals + sign * b.renewals,
    revenue: sumRevenue([...a.revenue, ...signed]),
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
  return [...open, late].reduce((sum, part) => add(sum, part), closed);
}

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
