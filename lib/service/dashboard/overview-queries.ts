import 'server-only';
import { FEED_KINDS } from '../events/kinds';
import { reportingDatabase } from '../reporting-database';
import { CLOSED_BY_DATABASE } from '../sql';
import { type DateRange, daysOf, lastClosedDay, previousRange } from './date-range';
import { type Revenue, sumRevenue } from './partner-totals';

export type Counts = {
  clicks: number;
  /** Leads that a browser reported first. */
  provisional: number;
  leads: number;
  /** New sales and renewals. */
  sales: number;
  renewals: number;
  refunds: number;
  unattributed: number;
};

export type Day = Counts & { day: Date; revenue: Revenue[] };
export type Period = Counts & { revenue: Revenue[] };

export type Overview = {
  current: Period;
  previous: Period;
  /** One entry per day of the range, oldest first, including days without events; and as many days before it. */
  days: Day[];
  previousDays: Day[];
  /** Test events of all time, capped: above it the figure is "more than". */
  testEvents: { count: number; isCapped: boolean };
};

type CountRow = Counts & { day: Date };
type AmountRow = { day: Date; currency: string; sold: bigint; refunded: bigint };

const TEST_CAP = 1_000;
const NONE: Counts = { clicks: 0, provisional: 0, leads: 0, sales: 0, renewals: 0, refunds: 0, unattributed: 0 };
const NAMES = Object.keys(NONE) as Array<keyof Counts>;

/**
 * A program's figures in a range of days and in the days before it, without test events. An event counts on the day on which it
 * happened. Past days are read from their stored sums, so the cost depends on the number of days, not of partners or events; only
 * what was recorded on a later day is added up for each view.
 */
export async function readOverview(programId: string, range: DateRange, now: Date): Promise<Overview> {
  const lastClosed = await closeDaysBefore(programId, lastClosedDay(now));
  const previous = previousRange(range);
  const scope = { programId, from: previous.from, to: range.to, lastClosed };
  const [counts, amounts, testEvents] = await Promise.all([
    readCounts(scope),
    readAmounts(scope),
    countTestEvents(programId),
  ]);
  const [countsOf, amountsOf] = [groupByDay(counts), groupByDay(amounts)];
  const sumUpDay = (day: Date) => ({ day, ...sumUp(countsOf(day), amountsOf(day)) });
  const isCurrent = ({ day }: { day: Date }) => day >= range.from;
  const isPrevious = ({ day }: { day: Date }) => day < range.from;
  return {
    current: sumUp(counts.filter(isCurrent), amounts.filter(isCurrent)),
    previous: sumUp(counts.filter(isPrevious), amounts.filter(isPrevious)),
    days: daysOf(range).map(sumUpDay),
    previousDays: daysOf({ from: previous.from, days: range.days }).map(sumUpDay),
    testEvents,
  };
}

/** @returns a function that finds the rows of a day */
function groupByDay<Row extends { day: Date }>(rows: readonly Row[]): (day: Date) => Row[] {
  const days = new Map<number, Row[]>();
  for (const row of rows) days.set(row.day.getTime(), [...(days.get(row.day.getTime()) ?? []), row]);
  return (day) => days.get(day.getTime()) ?? [];
}

function sumUp(counts: CountRow[], amounts: AmountRow[]): Period {
  const sums = { ...NONE };
  for (const row of counts) for (const name of NAMES) sums[name] += row[name];
  return { ...sums, revenue: sumRevenue(amounts) };
}

type Scope = { programId: string; from: Date; to: Date; lastClosed: Date };

/** The sums of closed days, the totals by partner of each open day, and what was recorded on a later day. */
const readCounts = ({ programId, from, to, lastClosed }: Scope) =>
  reportingDatabase().$queryRaw<CountRow[]>`
    SELECT day, clicks, provisional, leads, sales, renewals, refunds, unattributed
    FROM service_closed_days
    WHERE program_id = ${programId} AND day BETWEEN ${from}::date AND ${to}::date AND day <= ${lastClosed}::date
    UNION ALL
    SELECT day, sum(clicks)::int, sum(provisional)::int, sum(leads)::int, sum(sales)::int, sum(renewals)::int,
      sum(refunds)::int, sum(unattributed)::int
    FROM service_daily_counts
    WHERE program_id = ${programId} AND day BETWEEN ${from}::date AND ${to}::date AND day > ${lastClosed}::date
    GROUP BY day
    UNION ALL
    SELECT day, 0, 0, sum(leads)::int, sum(sales)::int, sum(renewals)::int, sum(refunds)::int, sum(unattributed)::int
    FROM service_late_counts
    WHERE program_id = ${programId} AND day BETWEEN ${from}::date AND ${to}::date
    GROUP BY day`;

const readAmounts = ({ programId, from, to, lastClosed }: Scope) =>
  reportingDatabase().$queryRaw<AmountRow[]>`
    SELECT day, currency, sales_cents AS sold, refunded_cents AS refunded
    FROM service_closed_day_amounts
    WHERE program_id = ${programId} AND day BETWEEN ${from}::date AND ${to}::date AND day <= ${lastClosed}::date
    UNION ALL
    SELECT day, currency, sum(sales_cents)::bigint, sum(refunded_cents)::bigint
    FROM service_daily_amounts
    WHERE program_id = ${programId} AND day BETWEEN ${from}::date AND ${to}::date AND day > ${lastClosed}::date
    GROUP BY day, currency
    UNION ALL
    SELECT day, currency, sum(sales_cents)::bigint, sum(refunded_cents)::bigint
    FROM service_late_amounts
    WHERE program_id = ${programId} AND day BETWEEN ${from}::date AND ${to}::date
    GROUP BY day, currency`;

async function countTestEvents(programId: string): Promise<Overview['testEvents']> {
  const [row] = await reportingDatabase().$queryRaw<Array<{ count: number }>>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM unnest(${[...FEED_KINDS]}::text[]) AS of_kind
        CROSS JOIN LATERAL (
          SELECT FROM service_events
          WHERE program_id = ${programId} AND kind = of_kind AND test
          LIMIT ${TEST_CAP + 1}
        ) AS event
      LIMIT ${TEST_CAP + 1}
    ) AS counted`;
  const count = row?.count ?? 0;
  return { count: Math.min(count, TEST_CAP), isCapped: count > TEST_CAP };
}

/**
 * Sums the days up to `last` that are not summed yet. Two concurrent readers write the same rows, and the first one wins.
 * @returns the last day whose sums can be read
 */
async function closeDaysBefore(programId: string, last: Date): Promise<Date> {
  const [state] = await reportingDatabase().$queryRaw<Array<{ closed: Date; closing: Date; open: boolean }>>`
    SELECT closed.day AS closed, closing.day AS closing, EXISTS (
      SELECT FROM service_daily_counts
      WHERE program_id = ${programId} AND day > closed.day AND day <= closing.day
    ) AS open
    FROM (
      SELECT coalesce(max(day), '1970-01-01') AS day FROM service_closed_days WHERE program_id = ${programId}
    ) AS closed, (SELECT least(${last}::date, ${CLOSED_BY_DATABASE}) AS day) AS closing`;
  if (!state?.open) return state?.closed ?? new Date(0);
  const { closed, closing } = state;
  await reportingDatabase().$executeRaw`
    WITH counts AS (
      INSERT INTO service_closed_days (program_id, day, clicks, provisional, leads, sales, renewals, refunds, unattributed)
      SELECT program_id, day, sum(clicks), sum(provisional), sum(leads), sum(sales), sum(renewals), sum(refunds),
        sum(unattributed)
      FROM service_daily_counts WHERE program_id = ${programId} AND day > ${closed}::date AND day <= ${closing}::date
      GROUP BY program_id, day
      ON CONFLICT DO NOTHING
    )
    INSERT INTO service_closed_day_amounts (program_id, day, currency, sales_cents, refunded_cents)
    SELECT program_id, day, currency, sum(sales_cents), sum(refunded_cents)
    FROM service_daily_amounts WHERE program_id = ${programId} AND day > ${closed}::date AND day <= ${closing}::date
    GROUP BY program_id, day, currency
    ON CONFLICT DO NOTHING`;
  return closing;
}
