import { Delta } from '@/components/ui/delta';
import { Money, ReturnedMoney } from '@/components/ui/money';
import { Sparkline } from '@/components/ui/sparkline';
import { formatCount, Stat } from '@/components/ui/stat';
import { TextLink } from '@/components/ui/text-link';
import { type DateRange, endsOf } from '@/lib/service/dashboard/date-range';
import { type EventFilter, writeEventFilter } from '@/lib/service/dashboard/event-filter';
import type { Counts, Overview } from '@/lib/service/dashboard/overview-queries';

/** The totals of a range, each with its change against the previous period and its trend. */
export function Figures({ overview }: { overview: Overview }) {
  const { current, previous, days } = overview;
  const figure = (label: string, read: (counts: Counts) => number) => (
    <Stat label={label} value={read(current)} change={<Delta current={read(current)} previous={read(previous)} />}>
      <Course label={label} values={days.map(read)} />
    </Stat>
  );
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {figure('Clicks', ({ clicks }) => clicks)}
      {figure('Leads', ({ leads }) => leads)}
      {figure('New sales', ({ sales, renewals }) => sales - renewals)}
      {figure('Renewals', ({ renewals }) => renewals)}
    </dl>
  );
}

/** What to check: refunds and lost disputes, payments that were not attributed, and test events. */
export function Exceptions({ overview, range }: { overview: Overview; range: DateRange }) {
  const { current, previous, testEvents } = overview;
  const list = (kind: EventFilter['kind']) =>
    `/dashboard/events?${writeEventFilter({ kind, mode: 'live', ...endsOf(range) })}`;
  const refunded = current.revenue.filter((revenue) => revenue.refunded > 0);
  return (
    <dl className="grid gap-3 sm:grid-cols-3">
      <Stat
        label="Refunds and lost disputes"
        value={current.refunds}
        change={<Delta current={current.refunds} previous={previous.refunds} rise="bad" />}
        remark={
          <span className="flex flex-wrap gap-x-3">
            {refunded.map(({ currency, refunded: amount }) => (
              <ReturnedMoney key={currency} amount={amount} currency={currency} />
            ))}
            <TextLink href={list('refund')}>View refunds and all disputes</TextLink>
          </span>
        }
      />
      <Stat
        label="Payments not attributed"
        value={current.unattributed}
        change={<Delta current={current.unattributed} previous={previous.unattributed} rise="bad" />}
        remark={<TextLink href={list('not_attributed')}>See reasons</TextLink>}
      />
      <Stat
        label="Test events, all time"
        value={testEvents.isCapped ? `${formatCount(testEvents.count)}+` : testEvents.count}
        remark={<TextLink href="/dashboard/events?mode=test">View test events</TextLink>}
      />
    </dl>
  );
}

function Course({ label, values }: { label: string; values: number[] }) {
  const sum = values.reduce((total, value) => total + value, 0);
  return (
    <Sparkline
      values={values}
      label={`${label}: ${sum} in ${values.length} ${values.length === 1 ? 'day' : 'days'}, at most ${Math.max(...values)} a day`}
    />
  );
}

/** Net revenue by currency: what was paid less what was returned. */
export function NetRevenue({ revenue }: { revenue: Overview['current']['revenue'] }) {
  if (revenue.length === 0) return '–';
  return revenue.map(({ currency, sold, refunded }) => (
    <Money key={currency} amount={sold - refunded} currency={currency} className="block" />
  ));
}
