import { Announcement } from '@/components/ui/announcement';
import { Button } from '@/components/ui/button';
import { SegmentedLinks } from '@/components/ui/segmented-links';
import { TextLink } from '@/components/ui/text-link';
import { formatDates } from '@/components/ui/time';
import {
  addDays,
  type DateRange,
  extendTo,
  formatDay,
  MAX_DAYS,
  PRESETS,
  writeDateRange,
} from '@/lib/service/dashboard/date-range';
import { DatesPanel } from './dates-panel';
import { DateField, FilterForm, KeptFields } from './filter-form';

type DateRangeControlProps = {
  range: DateRange;
  /** The page. */
  path: '/dashboard' | '/dashboard/partners';
  /** What a new range keeps of the URL's query, such as `currency=eur`; empty for nothing. */
  kept?: string;
};

/** The date range of a page: the last 7, 28 or 90 days, or two dates. */
export function DateRangeControl({ range, path, kept = '' }: DateRangeControlProps) {
  const { from, to, refused } = range;
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:relative">
      <SegmentedLinks
        label="Date range"
        segments={PRESETS.map((days) => ({
          href: hrefOf(path, `range=${days}`, kept),
          name: `${days} days`,
          isCurrent: range.preset === days,
        }))}
      />
      <DatesPanel summary={range.preset ? 'Custom' : formatDates(range)}>
        <FilterForm
          action={path}
          applied={writeDateRange(range)}
          aria-label="Custom dates"
          tabIndex={-1} // a press between the fields focuses the form, so the panel stays open
          className="absolute top-full z-2 mt-1 grid w-60 gap-3 rounded-card border border-border bg-surface p-4 shadow-lg max-sm:left-0 sm:right-0"
        >
          <KeptFields query={kept} />
          <DateField name="from" label="From (UTC)" defaultValue={refused?.from || formatDay(from)} required />
          <DateField name="to" label="To (UTC)" defaultValue={refused?.to || formatDay(to)} required />
          <Button type="submit">Apply</Button>
        </FilterForm>
      </DatesPanel>
      <Announcement of={writeDateRange(range)}>{formatDates(range)}</Announcement>
      {refused && (
        <p role="alert" className="w-0 min-w-full text-danger text-sm">
          {/* Other dates that are refused, too, are announced again. */}
          <span key={`${refused.from} ${refused.to}`}>
            Choose at most {MAX_DAYS} days, with the end on or after the start. The last {range.days} days are shown.
          </span>
        </p>
      )}
    </div>
  );
}

type CountedDaysProps = DateRangeControlProps & {
  /** When the latest live event happened. */
  latest: Date | undefined;
};

/** What the figures count. A payment provider's test clock runs ahead: what it brings is listed, and counted in later days. */
export function CountedDays({ range, latest, path, kept = '' }: CountedDaysProps) {
  const isAhead = range.preset !== null && latest !== undefined && latest >= addDays(range.to, 1);
  return (
    <>
      {formatDates(range)}, UTC. Test events are not included.
      {isAhead && (
        <>
          {' '}
          The latest events are later than this range.{' '}
          <TextLink href={hrefOf(path, writeDateRange(extendTo(latest, range)), kept)}>Include them</TextLink>
        </>
      )}
    </>
  );
}

const hrefOf = (path: string, range: string, kept: string) => `${path}?${range}${kept && `&${kept}`}`;
