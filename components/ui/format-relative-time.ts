const UNITS: ReadonlyArray<readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number]> = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/**
 * "3 minutes ago", "in 2 days"; under a minute "just now", or "within a minute" if it is expected. Past times count whole units; future
 * times are rounded, so that a key that was given 24 hours a second ago still expires "in 24 hours". Both in milliseconds since 1970.
 */
export function formatRelativeTime(value: number, now: number, isExpected = false): string {
  const seconds = Math.round((value - now) / 1000);
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) < size) continue;
    const count = seconds / size;
    return relative.format(count > 0 ? Math.round(count) : Math.trunc(count), unit);
  }
  return isExpected ? 'within a minute' : 'just now';
}
