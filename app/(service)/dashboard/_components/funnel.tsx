import { Card } from '@/components/ui/card';
import type { Overview } from '@/lib/service/dashboard/overview-queries';

/** How many of the clicks became leads, and how many sales there were to them. */
export function Funnel({ totals }: { totals: Overview['totals'] }) {
  const steps = [
    { name: 'Clicks', count: totals.clicks, remark: 'visitors who came through a partner’s link' },
    { name: 'Leads', count: totals.leads, remark: `settled; ${totals.provisional} were provisional at first` },
    { name: 'Sales', count: totals.sales, remark: 'payments, renewals included' },
  ];
  const widest = Math.max(1, ...steps.map(({ count }) => count));
  return (
    <Card id="funnel" title="Funnel">
      <ol className="grid gap-3">
        {steps.map(({ name, count, remark }, index) => {
          const before = steps[index - 1]?.count;
          return (
            <li key={name} className="grid gap-1">
              <div className="flex flex-wrap justify-between gap-x-4">
                <span>
                  <span className="font-medium">{name}</span> <span className="text-muted-foreground">{remark}</span>
                </span>
                <span className="tabular-nums">
                  {count}
                  {before ? (
                    <span className="text-muted-foreground"> ({Math.round((count / before) * 100)} %)</span>
                  ) : null}
                </span>
              </div>
              <div aria-hidden="true" className="h-2.5 rounded-full bg-muted">
                <div className="h-full rounded-full bg-link" style={{ width: `${(count / widest) * 100}%` }} />
              </div>
            </li>
          );
        })}
      </ol>
    </Card>
  );
}
