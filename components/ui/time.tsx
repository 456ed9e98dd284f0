import { cx } from './cx';
import { formatRelativeTime } from './format-relative-time';

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/** "21 Nov 2026, 00:54:12 UTC" */
export const formatExactTime = (value: Date): string => `${exact.format(value)} UTC`;

type TimeProps = {
  value: Date;
  /** What "ago" counts from; without it the exact time is shown. */
  now?: Date;
  className?: string;
};

/** A moment, relative where `now` is given, with the exact one on hover. */
export function Time({ value, now, className }: TimeProps) {
  const text = formatExactTime(value);
  return (
    <time dateTime={value.toISOString()} title={text} className={cx('whitespace-nowrap', className)}>
      {now ? formatRelativeTime(value.getTime(), now.getTime()) : text}
    </time>
  );
}
