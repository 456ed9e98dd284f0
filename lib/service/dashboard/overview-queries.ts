import 'server-only';
import { FEED_KINDS } from '../events/kinds.ts';
import { reportingDatabase } from '../reporting-database.ts';

export type Amount = { amount: number; currency: string };
export type DayCounts = { day: Date; clicks: number; leads: number; sales: number };

export type Overview = {
  totals: { clicks: number; provisional: number; leads: number; sales: number; refunds: number; unattributed: number };
  revenue: Array<Amount & { refunded: number }>;
  /** One entry for each of the last days, oldest first, also where nothing happened. */
  days: DayCounts[];
  /** Test events, capped: above it the figure is "more than". */
  testEvents: { count: number; isCapped: boolean };
};

type Counts = Overview['totals'];
/** `day` is null in the row that sums all closed days before the first. */
type DayRow = Counts & { day: Date | null };
type AmountRow = { currency: string; sales_cents: bigint; refunded_cents: bigint };

const DAYS = 30;
const DAY_MS = 86_400_000;
const TEST_CAP = 1_000;

const startOfDay = (time: Date) => new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS);
const daysBefore = (day: Date, days: number) => new Date(day.getTime() - days * DAY_MS);

/**
 * A program's figures, which test events never enter (docs/decisions/0010): the sums of the days that are over, and the
 * daily counts of the days since.
 */
export async function readOverview(programId: string, now: Date): Promise<Overview> {
  const today = startOfDay(now);
  const first = daysBefore(today, DAYS - 1);
  const lastClosed = await findLastClosedDay(programId);
  const [days, amounts, testEvents] = await Promise.all([
    readDays(programId, first, lastClosed),
    readAmounts(programId, lastClosed),
    countTestEvents(programId),
  ]);
  const lastClosable = daysBefore(today, 2); // a request that began before midnight may still count for yesterday
  if (days.some(({ day }) => day && day > lastClosed && day <= lastClosable)) {
    await closeDays(programId, lastClosed, lastClosable);
  }
  const sum = (name: keyof Counts) => days.reduce((total, day) => total + day[name], 0);
  return {
    totals: {
      clicks: sum('clicks'),
      provisional: sum('provisional'),
      leads: sum('leads'),
      sales: sum('sales'),
      refunds: sum('refunds'),
      unattributed: sum('unattributed'),
    },
    revenue: amounts.map(({ currency, sales_cents, refunded_cents }) => ({
      currency,
      amount: Number(sales_cents - refunded_cents),
      refunded: Number(refunded_cents),
    })),
    days: Array.from({ length: DAYS }, (_, index) => {
      const day = daysBefore(first, -index);
      const found = days.find((row) => row.day?.getTime() === day.getTime());
      return { day, clicks: found?.clicks ?? 0, leads: found?.leads ?? 0, sales: found?.sales ?? 0 };
    }),
    testEvents,
  };
}

async function findLastClosedDay(programId: string): Promise<Date> {
  const { _max } = await reportingDatabase().closedDay.aggregate({ where: { programId }, _max: { day: true } });
  return _max.day ?? new Date(0);
}

/** The closed days from `first` on, the sum of those before, and every day that is not closed. */
const readDays = (programId: string, first: Date, lastClosed: Date) =>
  reportingDatabase().$queryRaw<DayRow[]>`
    SELECT day, clicks, provisional, leads, sales, refunds, unattributed
    FROM service_closed_days
    WHERE program_id = ${programId} AND day >= ${first}::date AND day <= ${lastClosed}::date
    UNION ALL
    SELECT NULL, coalesce(sum(clicks), 0)::int, coalesce(sum(provisional), 0)::int, coalesce(sum(leads), 0)::int,
      coalesce(sum(sales), 0)::int, coalesce(sum(refunds), 0)::int, coalesce(sum(unattributed), 0)::int
    FROM service_closed_days
    WHERE program_id = ${programId} AND day < ${first}::date AND day <= ${lastClosed}::date
    UNION ALL
    SELECT day, sum(clicks)::int, sum(provisional)::int, sum(leads)::int, sum(sales)::int, sum(refunds)::int,
      sum(unattributed)::int
    FROM service_daily_counts WHERE program_id = ${programId} AND day > ${lastClosed}::date
    GROUP BY day`;

const readAmounts = (programId: string, lastClosed: Date) =>
  reportingDatabase().$queryRaw<AmountRow[]>`
    SELECT currency, sum(sales_cents)::bigint AS sales_cents, sum(refunded_cents)::bigint AS refunded_cents
    FROM (
      SELECT currency, sales_cents, refunded_cents
      FROM service_closed_day_amounts WHERE program_id = ${programId} AND day <= ${lastClosed}::date
      UNION ALL
      SELECT currency, sales_cents, refunded_cents
      FROM service_daily_amounts WHERE program_id = ${programId} AND day > ${lastClosed}::date
    ) AS amounts
    GROUP BY currency ORDER BY currency`;

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

/** Sums the days after `since` up to `last`. Two readers at once make the same rows, and the first to write them wins. */
async function closeDays(programId: string, since: Date, last: Date): Promise<void> {
  await reportingDatabase().$executeRaw`
    WITH counts AS (
      INSERT INTO service_closed_days (program_id, day, clicks, provisional, leads, sales, refunds, unattributed)
      SELECT program_id, day, sum(clicks), sum(provisional), sum(leads), sum(sales), sum(refunds), sum(unattributed)
      FROM service_daily_counts WHERE program_id = ${programId} AND day > ${since}::date AND day <= ${last}::date
      GROUP BY program_id, day
      ON CONFLICT DO NOTHING
    )
    INSERT INTO service_closed_day_amounts (program_id, day, currency, sales_cents, refunded_cents)
    SELECT program_id, day, currency, sum(sales_cents), sum(refunded_cents)
    FROM service_daily_amounts WHERE program_id = ${programId} AND day > ${since}::date AND day <= ${last}::date
    GROUP BY program_id, day, currency
    ON CONFLICT DO NOTHING`;
}
