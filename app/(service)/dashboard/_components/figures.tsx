import { Money } from '@/components/ui/money';
import { Sparkline } from '@/components/ui/sparkline';
import { Stat } from '@/components/ui/stat';
import { TextLink } from '@/components/ui/text-link';
import type { DayCounts, Overview } from '@/lib/service/dashboard/overview-queries';

/** The totals, each with its course over the last days; test events apart. */
export function Figures({ overview: { totals, revenue, days, testEvents } }: { overview: Overview }) {
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-3">
      <Stat label="Clicks" value={totals.clicks}>
        <Course days={days} name="clicks" />
      </Stat>
      <Stat label="Leads" value={totals.leads}>
        <Course days={days} name="leads" />
      </Stat>
      <Stat label="Sales" value={totals.sales}>
        <Course days={days} name="sales" />
      </Stat>
      <Stat
        label="Revenue, less refunds"
        value={
          <span className="flex flex-col">
            {revenue.length === 0 && '–'}
            {revenue.map(({ amount, currency }) => (
              <Money key={currency} amount={amount} currency={currency} />
            ))}
          </span>
        }
        remark={totals.refunds > 0 ? plural(totals.refunds, 'refund') : undefined}
      />
      <Stat
        label="Payments not attributed"
        value={totals.unattributed}
        remark={<TextLink href="/dashboard/events?kind=not_attributed">Why not?</TextLink>}
      />
      <Stat
        label="Test events"
        value={testEvents.isCapped ? `${testEvents.count}+` : testEvents.count}
        remark={<TextLink href="/dashboard/events?mode=test">In a world of their own</TextLink>}
      />
    </dl>
  );
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

function Course({ days, name }: { days: DayCounts[]; name: 'clicks' | 'leads' | 'sales' }) {
  const values = days.map((day) => day[name]);
  const sum = values.reduce((total, value) => total + value, 0);
  return (
    <Sparkline
      values={values}
      label={`${sum} ${name} in the last ${days.length} days, at most ${Math.max(...values)} a day`}
    />
  );
}
