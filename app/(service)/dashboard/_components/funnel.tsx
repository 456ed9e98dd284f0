import { Card } from '@/components/ui/card';
import type { Overview } from '@/lib/service/dashboard/overview-queries';

/** How many of the clicks became leads, and how many sales there were to them. */
export function Funnel({ totals }: { totals: Overview['totals'] }) {
  const steps = [
    { name: 'Clicks', count: totals.clicks, remark: 'visitors who came through a partner’s link', share: '' },
    {
      name: 'Leads',
      count: totals.leads,
      remark: `settled; ${totals.provisional} were provisional at first`,
      share: totals.clicks > 0 ? `${Math.round((totals.leads / totals.clicks) * 100)} % of the clicks` : '',
    },
    {
      name: 'Sales',
      count: totals.sales,
      remark: 'payments, renewals included',
      share: totals.leads > 0 ? `${(totals.sales / totals.leads).toFixed(1)} for each lead` : '',
    },
  ];
  const widest = Math.max(1, ...steps.map(({ count }) => count));
  return (
    <Card id="funnel" title="Funnel">
      <ol className="grid gap-3">
        {steps.map(({ name, count, remark, share }) => (
          <li key={name} className="grid gap-1">
            <div className="flex flex-wrap justify-between gap-x-4">
              <span>
                <span className="font-medium">{name}</span> <span className="text-muted-foreground">{remark}</span>
              </span>
              <span className="tabular-nums">
                <span className="font-medium">{count}</span>
                {share && <span className="text-muted-foreground">, {share}</span>}
              </span>
            </div>
            <div aria-hidden="true" className="h-2.5 rounded-full bg-muted">
              <div className="h-full rounded-full bg-link" style={{ width: `${(count / widest) * 100}%` }} />
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
