import 'server-only';
import { database } from '@/prisma/client';

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

const DAYS = 30;
const DAY_MS = 86_400_000;
const TEST_CAP = 1_000;

const startOfDay = (time: Date) => new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS);

/** A program's figures from the daily rollup, which test events never enter (docs/decisions/0018). */
export async function readOverview(programId: string, now: Date): Promise<Overview> {
  const first = new Date(startOfDay(now).getTime() - (DAYS - 1) * DAY_MS);
  const [totals, amounts, days, tests] = await Promise.all([
    database().dailyCount.aggregate({
      where: { programId },
      _sum: { clicks: true, provisional: true, leads: true, sales: true, refunds: true, unattributed: true },
    }),
    database().dailyAmount.groupBy({
      by: ['currency'],
      where: { programId },
      _sum: { salesCents: true, refundedCents: true },
      orderBy: { currency: 'asc' },
    }),
    database().dailyCount.groupBy({
      by: ['day'],
      where: { programId, day: { gte: first } },
      _sum: { clicks: true, leads: true, sales: true },
    }),
    database().trackingEvent.findMany({ where: { programId, test: true }, select: { id: true }, take: TEST_CAP + 1 }),
  ]);
  const { _sum: sum } = totals;
  return {
    totals: {
      clicks: sum.clicks ?? 0,
      provisional: sum.provisional ?? 0,
      leads: sum.leads ?? 0,
      sales: sum.sales ?? 0,
      refunds: sum.refunds ?? 0,
      unattributed: sum.unattributed ?? 0,
    },
    revenue: amounts.map(({ currency, _sum: { salesCents, refundedCents } }) => ({
      currency,
      amount: Number((salesCents ?? 0n) - (refundedCents ?? 0n)),
      refunded: Number(refundedCents ?? 0n),
    })),
    days: Array.from({ length: DAYS }, (_, index) => {
      const day = new Date(first.getTime() + index * DAY_MS);
      const found = days.find((row) => row.day.getTime() === day.getTime())?._sum;
      return { day, clicks: found?.clicks ?? 0, leads: found?.leads ?? 0, sales: found?.sales ?? 0 };
    }),
    testEvents: { count: Math.min(tests.length, TEST_CAP), isCapped: tests.length > TEST_CAP },
  };
}
