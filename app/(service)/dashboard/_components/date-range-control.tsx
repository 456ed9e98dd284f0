import Form from 'next/form';
import { Button } from '@/components/ui/button';
import { TextField } from '@/components/ui/field';
import { SegmentedLinks } from '@/components/ui/segmented-links';
import { formatDates } from '@/components/ui/time';
import { type DateRange, formatDay, MAX_DAYS, PRESETS } from '@/lib/service/dashboard/date-range';

type DateRangeControlProps = {
  range: DateRange;
  /** The page. */
  path: '/dashboard' | '/dashboard/partners';
  /** The other parameters of the URL, which a new range keeps. */
  currency?: string;
};

/** The date range of a page: the last 7, 28 or 90 days, or two dates. */
export function DateRangeControl({ range, path, currency }: DateRangeControlProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SegmentedLinks
        label="Date range"
        segments={PRESETS.map((days) => ({
          href: `${path}?${new URLSearchParams({ range: `${days}`, ...(currency && { currency }) })}`,
          name: `${days} days`,
          isCurrent: range.preset === days,
        }))}
      />
      <details className="group relative">
        <summary className="hit-area inline-flex min-h-8 list-none items-center rounded-control border border-border-strong bg-surface px-2.5 font-medium text-sm hover:bg-muted [&::-webkit-details-marker]:hidden">
          {range.preset ? 'Custom' : formatDates(range)}
        </summary>
        <Form
          action={path}
          aria-label="Custom dates"
          className="absolute top-full z-2 mt-1 grid w-60 gap-3 rounded-card border border-border bg-surface p-4 shadow-lg max-sm:left-0 sm:right-0"
        >
          {currency && <input type="hidden" name="currency" value={currency} />}
          <TextField
            id="from"
            name="from"
            type="date"
            label="From (UTC)"
            defaultValue={formatDay(range.from)}
            required
          />
          <TextField id="to" name="to" type="date" label="To (UTC)" defaultValue={formatDay(range.to)} required />
          <Button type="submit">Apply</Button>
        </Form>
      </details>
      {range.isRefused && (
        <p role="alert" className="w-0 min-w-full text-danger text-sm">
          Choose at most {MAX_DAYS} days, with the end on or after the start. The last {range.days} days are shown.
        </p>
      )}
    </div>
  );
}
