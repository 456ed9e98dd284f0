import type { Metadata } from 'next';
import { Suspense } from 'react';
import { Live } from '@/components/ui/live';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { readMetrics } from '@/lib/integration/metrics';
import { requireOperator } from '@/lib/shop/operator';
import { findReports, listEntries } from '@/lib/shop/outbox';
import { readPageCursor } from '@/lib/shop/page-cursor';
import { requestTime } from '@/lib/shop/request-time';
import { listAllTransfers, saleEntryId } from '@/lib/shop/transfers';
import { HealthCard } from './health-card';
import { ActionResults } from './operator-form';
import { OutboxCard } from './outbox-card';
import { TransfersCard } from './transfers-card';

export const metadata: Metadata = { title: 'Operator' };

export default function OperatorPage({ searchParams }: PageProps<'/operator'>) {
  return (
    <>
      <PageHeader title="Operator" description="Confirm bank transfers, and retry reports to the tracking service." />
      <Suspense fallback={<Skeleton className="h-64" />}>
        <Desk searchParams={searchParams} />
      </Suspense>
    </>
  );
}

async function Desk({ searchParams }: Pick<PageProps<'/operator'>, 'searchParams'>) {
  await requireOperator();
  const query = await searchParams;
  const after = (list: string) => ({ after: readPageCursor(query[list]) });
  const now = await requestTime();
  const [metrics, transfers, dead, pending] = await Promise.all([
    readMetrics(now),
    listAllTransfers(after('transfers')),
    listEntries('dead', after('dead')),
    listEntries('pending', after('pending')),
  ]);
  const reports = await findReports(transfers.rows.map(({ invoiceId }) => saleEntryId(invoiceId)));
  const rows = transfers.rows.map((transfer) => ({
    ...transfer,
    report: reports.get(saleEntryId(transfer.invoiceId)),
  }));
  return (
    <ActionResults>
      <div className="grid gap-6">
        <Live
          key={JSON.stringify([query.transfers, query.dead])}
          ids={[
            ...(query.transfers ? [] : rows.map(({ invoiceId }) => invoiceId)),
            ...(query.dead ? [] : dead.rows.map(({ id }) => id)),
          ]}
          noun="item"
        />
        <HealthCard metrics={metrics} />
        <TransfersCard transfers={{ ...transfers, rows }} query={query} />
        <OutboxCard dead={dead} pending={pending} query={query} now={now} />
      </div>
    </ActionResults>
  );
}
