import type { Metadata } from 'next';
import { Suspense } from 'react';
import { Live } from '@/components/ui/live';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { requireOperator } from '@/lib/shop/operator';
import { findReports, listOpenEntries } from '@/lib/shop/outbox';
import { requestTime } from '@/lib/shop/request-time';
import { listTransfers, saleEntryId } from '@/lib/shop/transfers';
import { OutboxCard } from './outbox-card';
import { TransfersCard } from './transfers-card';

export const metadata: Metadata = { title: 'Operator' };

export default function OperatorPage() {
  return (
    <>
      <PageHeader title="Operator" description="Confirm bank transfers, and retry reports to the tracking service." />
      <Suspense fallback={<Skeleton className="h-64" />}>
        <Desk />
      </Suspense>
    </>
  );
}

async function Desk() {
  await requireOperator();
  const [transfers, entries] = await Promise.all([listTransfers(), listOpenEntries()]);
  const reports = await findReports(transfers.map(({ invoiceId }) => saleEntryId(invoiceId)));
  const rows = transfers.map((transfer) => ({ ...transfer, report: reports.get(saleEntryId(transfer.invoiceId)) }));
  return (
    <div className="grid gap-6">
      <Live ids={entries.map(({ id }) => id)} noun="report" />
      <TransfersCard transfers={rows} />
      <OutboxCard entries={entries} now={await requestTime()} />
    </div>
  );
}
