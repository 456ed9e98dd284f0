import { Announcement } from '@/components/ui/announcement';
import { Card } from '@/components/ui/card';
import { Delta } from '@/components/ui/delta';
import { formatMoney, formatMoneyShort, minorUnits } from '@/components/ui/format-money';
import { LineChart } from '@/components/ui/line-chart';
import { Money } from '@/components/ui/money';
import { SegmentedLinks } from '@/components/ui/segmented-links';
import { formatDate, formatDates } from '@/components/ui/time';
import { type DateRange, previousRange, writeDateRange } from '@/lib/service/dashboard/date-range';
import type { Day, Overview } from '@/lib/service/dashboard/overview-queries';

type RevenueCardProps = { overview: Overview; range: DateRange; asked: string };

const USUAL = 'usd';

/** Net revenue by day in one currency, with a switch to the others: currencies are not converted. */
export function RevenueCard({ overview, range, asked }: RevenueCardProps) {
  const paid = [...overview.current.revenue, ...overview.previous.revenue];
  const chosen = /^[a-z]{3,8}$/.test(asked) ? [asked] : []; // stays chosen in a range without payments in it
  const currencies = [...new Set([...chosen, ...paid.map(({ currency }) => currency)])].sort();
  const currency = chosen[0] ?? currencies.find((name) => name === USUAL) ?? currencies[0] ?? USUAL;
  const total = netOf(overview.current, currency);
  const before = netOf(overview.previous, currency);
  return (
    <Card
      id="revenue"
      title="Net revenue"
      description="Attributed sales and renewals without tax, less refunds and lost disputes."
      aside={
        currencies.length > 1 && (
          <SegmentedLinks
            label="Currency"
            segments={currencies.map((name) => ({
              href: `/dashboard?${writeDateRange(range)}&currency=${name}`,
              name: name.toUpperCase(),
              isCurrent: name === currency,
            }))}
          />
        )
      }
    >
      <Announcement of={currency}>{currency.toUpperCase()}</Announcement>
      <p className="mb-5 flex flex-wrap items-baseline gap-x-3">
        <Money amount={total} currency={currency} className="font-semibold text-2xl tracking-tight" />
        <Delta current={total} previous={before} />
        <span className="text-muted-foreground text-sm">
          <span
            aria-hidden="true"
            className="mr-2 inline-block w-6 border-border-strong border-t-[1.5px] border-dashed align-middle"
          />
          <Money amount={before} currency={currency} /> in the previous period, {formatDates(previousRange(range))}
        </span>
      </p>
      <LineChart
        label={`Net revenue by day, ${currency.toUpperCase()}`}
        points={overview.days.map((day, index) => ({
          name: formatDate(day.day),
          value: netOf(day, currency),
          ...pointBefore(overview.previousDays[index], currency),
        }))}
        format={(amount) => formatMoney(amount, currency)}
        formatTick={(amount) => formatMoneyShort(amount, currency)}
        smallestStep={minorUnits(currency)}
      />
    </Card>
  );
}

const pointBefore = (day: Day | undefined, currency: string) =>
  day && { previous: { name: formatDate(day.day), value: netOf(day, currency) } };

function netOf({ revenue }: Pick<Day, 'revenue'>, wanted: string): number {
  const found = revenue.find(({ currency }) => currency === wanted);
  return found ? found.sold - found.refunded : 0;
}
