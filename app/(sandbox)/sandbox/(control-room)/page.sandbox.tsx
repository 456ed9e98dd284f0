import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { connection } from 'next/server';
import { Suspense } from 'react';
import { Live } from '@/components/ui/live';
import { PageHeader } from '@/components/ui/page-header';
import { PageShell } from '@/components/ui/page-shell';
import { Skeleton } from '@/components/ui/skeleton';
import { formatExactTime } from '@/components/ui/time';
import { readPayments, readUsers } from '@/lib/sandbox/control-room/read-control-room';
import { readOutage } from '@/lib/sandbox/control-room/service-outage';
import { listDeliveries } from '@/lib/sandbox/deliveries/delivery-queries';
import { isSandboxOn, sandboxedProviders } from '@/lib/sandbox/env';
import { readOwnSettings } from '@/lib/sandbox/settings/settings';
import { Clock } from './_components/clock';
import { ControlRoomHeader } from './_components/control-room-header';
import { Deliveries } from './_components/deliveries';
import { Failures } from './_components/failures';
import { Payments } from './_components/payments';
import { People } from './_components/people';
import { Sections } from './_components/sections';
import { Whom } from './_components/whom';

export const metadata: Metadata = { title: 'Control room' };

type ControlRoomProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default function ControlRoomPage({ searchParams }: ControlRoomProps) {
  return (
    <PageShell room="sandbox" header={<ControlRoomHeader />}>
      <Suspense fallback={<Skeleton label="Loading the control room" />}>
        <ControlRoom searchParams={searchParams} />
      </Suspense>
    </PageShell>
  );
}

async function ControlRoom({ searchParams }: ControlRoomProps) {
  await connection();
  if (sandboxedProviders().length === 0) notFound();
  const now = new Date();
  const { customer: asked } = await searchParams;
  const customer = typeof asked === 'string' ? asked.trim().toLowerCase() : '';
  const [deliveries, users, { charges, subscriptions, now: stripeNow }, settings, isServiceOut] = await Promise.all([
    listDeliveries({ limit: 30, ...(customer && { subject: customer }) }),
    readUsers(customer),
    readPayments(customer),
    readOwnSettings(customer),
    readOutage(customer),
  ]);
  return (
    <>
      <PageHeader
        title="Control room"
        description="What Clerk and Stripe do on their own servers, at your command. No money moves, and no mail is sent."
        actions={<Live ids={deliveries.map(({ id }) => id)} noun="delivery" plural="deliveries" />}
      />
      <Whom customer={customer} known={users.flatMap(({ email }) => email ?? [])} />
      <Sections sandboxed={sandboxedProviders()} />
      <div className="grid gap-6">
        {isSandboxOn('stripe') && <Clock today={formatExactTime(stripeNow)} customer={customer} />}
        <Failures
          customer={customer}
          settings={settings}
          isServiceOut={isServiceOut}
          isStripeSandboxed={isSandboxOn('stripe')}
        />
        <Deliveries deliveries={deliveries} now={now} />
        {isSandboxOn('clerk') && <People users={users} now={now} />}
        {isSandboxOn('stripe') && <Payments subscriptions={subscriptions} charges={charges} />}
      </div>
    </>
  );
}
