import { formatRelativeTime } from './format-relative-time';

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });

/** Three letters, as every other month has. */
const shortSeptember = (text: string): string => text.replace(/\bSept\b/g, 'Sep');

/** "21 Nov 2026, 00:54:12 UTC" */
export const formatExactTime = (value: Date): string => `${shortSeptember(exact.format(value))} UTC`;

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** "21 Nov 2026" */
export const formatDate = (value: Date): string => shortSeptember(day.format(value));

// part: service
/** "1–21 Nov 2026", or one day alone. */
export const formatDates = ({ from, to }: { from: Date; to: Date }): string =>
  shortSeptember(day.formatRange(from, to));
// end: service

type TimeProps = {
  value: Date;
  /** Shows the day only. */
  isDay?: boolean;
  /** The reference for relative times; without it the exact time is shown. */
  now?: Date;
  /** Whether it is still to come: under a minute from `now` it is "within a minute", and not "just now". */
  isExpected?: boolean;
};

/** A time, relative if `now` is given, with the exact time on hover. */
export function Time({ value, now, isDay = false, isExpected = false }: TimeProps) {
  const text = formatExactTime(value);
  return (
    <time dateTime={value.toISOString()} title={text} className="whitespace-nowrap">
      {now ? formatRelativeTime(value.getTime(), now.getTime(), isExpected) : isDay ? formatDate(value) : text}
    </time>
  );
}
