const format = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** "21 Nov 2026" */
export const formatDate = (day: Date): string => format.format(day);

/** "1–21 Nov 2026", or one day alone. */
export const formatDates = ({ from, to }: { from: Date; to: Date }): string => format.formatRange(from, to);
