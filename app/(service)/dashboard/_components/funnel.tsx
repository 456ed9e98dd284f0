import { Card } from '@/components/ui/card';
import { percent } from '@/components/ui/delta';
import { formatCount } from '@/components/ui/stat';
import type { Counts } from '@/lib/service/dashboard/overview-queries';

/**
 * Clicks, leads and new sales, each with its rate from the previous step. A lead may lead to several new sales, so a rate can
 * exceed 100%. Renewals are not a step and are shown separately.
 */
export function Funnel({ counts: { clicks, provisional, leads, sales, renewals } }: { counts: Counts }) {
  const newSales = sales - renewals;
  const steps = [
    { name: 'Clicks', count: clicks, before: null },
    { name: 'Leads', count: leads, before: clicks },
    { name: 'New sales', count: newSales, before: leads },
  ];
  const widest = Math.max(1, ...steps.map(({ count }) => count));
  return (
    <Card
      id="funnel"
      title="Funnel"
      description="A plan change counts as a new sale; the first payment after a free trial counts as a renewal."
      className="flex flex-col"
    >
      <ol className="grid gap-4">
        {steps.map(({ name, count, before }) => (
          <li key={name} className="grid gap-1.5">
            <div className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="font-medium">{name}</span>
              <span className="tabular-nums">
                <span className="font-semibold">{formatCount(count)}</span>
                {before !== null && before > 0 && (
                  <span className="ml-2 text-muted-foreground">{percent.format(count / before)} conversion</span>
                )}
              </span>
            </div>
            <div aria-hidden="true" className="h-6 overflow-hidden rounded-control bg-muted">
              <div
                className="h-full min-w-0.5 forced-color-adjust-none rounded-control bg-link"
                style={{ width: `${(count / widest) * 100}%`, opacity: count > 0 ? 1 : 0 }}
              />
            </div>
          </li>
        ))}
      </ol>
      <dl className="mt-5 grid grid-cols-[1fr_auto] gap-y-1 border-border border-t pt-4 text-sm">
        <dt className="text-muted-foreground">Click to new sale</dt>
        <dd className="text-right tabular-nums">{clicks > 0 ? percent.format(newSales / clicks) : '–'}</dd>
        <dt className="text-muted-foreground">Provisional leads, including settled</dt>
        <dd className="text-right tabular-nums">{formatCount(provisional)}</dd>
        <dt className="text-muted-foreground">Renewals</dt>
        <dd className="text-right tabular-nums">{formatCount(renewals)}</dd>
      </dl>
    </Card>
  );
}
