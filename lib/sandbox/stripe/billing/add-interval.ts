export type Interval = 'day' | 'week' | 'month' | 'year';
export type Cadence = { interval: Interval; interval_count: number };

const DAY = 86_400;

/**
 * The end of the period that begins at `start` (Unix seconds). Months keep the anchor's day where the month has it, and
 * else end on its last day: 31 January, 28 February, 31 March.
 */
export function addInterval(start: number, { interval, interval_count: count }: Cadence, anchor = start): number {
  if (interval === 'day') return start + count * DAY;
  if (interval === 'week') return start + count * 7 * DAY;
  const at = new Date(start * 1000);
  const months = interval === 'year' ? 12 * count : count;
  const day = new Date(anchor * 1000).getUTCDate();
  const end = new Date(at);
  end.setUTCDate(1);
  end.setUTCMonth(at.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(day, lastDay));
  return Math.floor(end.getTime() / 1000);
}
