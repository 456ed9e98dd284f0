// Billing periods and what part of one a change of price is worth.
import { addMonths } from '../../core/clock';
import type { ApiObject } from '../wire';

type Interval = 'day' | 'week' | 'month' | 'year';
export type Cadence = { interval: Interval; interval_count: number };
export type Period = { start: number; end: number };

const DAY = 86_400;

/**
 * The end of the period that begins at `start` (Unix seconds). Months keep the anchor's day if the month has it, and
 * else end on its last day: 31 January, 28 February, 31 March.
 */
export function addInterval(start: number, { interval, interval_count: count }: Cadence, anchor = start): number {
  if (interval === 'day') return start + count * DAY;
  if (interval === 'week') return start + count * 7 * DAY;
  const months = interval === 'year' ? 12 * count : count;
  return addMonths(start, months, new Date(anchor * 1000).getUTCDate());
}

/** The end of a subscription's current period, in Unix seconds: the earliest of its items'. */
export const periodEnd = (subscription: ApiObject<'subscription'>): number =>
  Math.min(...subscription.items.data.map((item) => item.current_period_end));

/** When a subscription next renews or ends, in Unix seconds. */
export const renewsOrEndsAt = (subscription: ApiObject<'subscription'>): number =>
  Math.min(subscription.cancel_at ?? Number.POSITIVE_INFINITY, periodEnd(subscription));

/** When the end of a trial is reported: three days before it. */
const REPORTED_BEFORE = 3 * DAY;

/** Whether the trial of a subscription ends so soon that it is reported now. */
export const isTrialEnding = ({ status, trial_end: end }: ApiObject<'subscription'>, now: number): boolean =>
  status === 'trialing' && end !== null && end - REPORTED_BEFORE <= now;

/** When something next happens to a subscription by itself: it renews or ends, or the end of its trial is reported. */
export function nextChangeAt(subscription: ApiObject<'subscription'>, now: number): number {
  const next = renewsOrEndsAt(subscription);
  if (subscription.status !== 'trialing' || isTrialEnding(subscription, now)) return next;
  return Math.min(next, (subscription.trial_end ?? next) - REPORTED_BEFORE);
}

type Proration = { credit: number; charge: number };

/**
 * What a change of price within a period is worth, in minor units: the unused part of the old price back, the same part
 * of the new one due. Each is rounded by itself, as its own line on the invoice.
 */
export function prorate(
  { oldAmount, newAmount }: { oldAmount: number; newAmount: number },
  period: Period,
  now: number,
): Proration {
  const length = period.end - period.start;
  const left = Math.min(Math.max(period.end - now, 0), length);
  const share = length > 0 ? left / length : 0;
  return { credit: Math.round(oldAmount * share), charge: Math.round(newAmount * share) };
}
