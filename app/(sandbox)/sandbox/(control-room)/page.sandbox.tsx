import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { connection } from 'next/server';
import { Suspense } from 'react';
import { Live } from '@/components/ui/live';
import { PageHeader } from '@/components/ui/page-header';
import { PageShell } from '@/components/ui/page-shell';
import { Skeleton } from '@/components/ui/skeleton';
import { formatExactTime } from '@/components/ui/time';
import { readClock } from '@/lib/sandbox/clock/clock';
import { readPayments, readSwitches, readUsers } from '@/lib/sandbox/control-room/read-control-room';
import { listDeliveries } from '@/lib/sandbox/deliveries/delivery-queries';
import { isSandboxOn, sandboxedProviders } from '@/lib/sandbox/env';
import { Clock } from './_components/clock';
import { Deliveries } from './_components/deliveries';
import { Failures } from './_components/failures';
import { Payments } from './_components/payments';
import { People } from './_components/people';

export const metadata: Metadata = { title: 'Control room' };

export default function ControlRoomPage() {
  return (
    <PageShell room="sandbox" header={<Header />}>
      <Suspense fallback={<Skeleton label="Loading the control room" />}>
        <ControlRoom />
      </Suspense>
    </PageShell>
  );
}

async function ControlRoom() {
  await connection();
  if (sandboxedProviders().length === 0) notFound();
  const now = new Date();
  const [deliveries, users, { charges, subscriptions }, switches, clock] = await Promise.all([
    listDeliveries({ limit: 30 }),
    readUsers(),
    readPayments(),
    readSwitches(),
    readClock(),
  ]);
  const customers = new Map(subscriptions.map(({ customerId, customerEmail }) => [customerId, customerEmail]));
  return (
    <>
      <PageHeader
        title="Control room"
        description="What Clerk and Stripe do on their own servers, at your command. No money moves, and no mail is sent."
        actions={<Live ids={deliveries.map(({ id }) => id)} noun="delivery" plural="deliveries" />}
      />
      <div className="grid gap-6">
        {isSandboxOn('stripe') && (
          <Clock
            today={formatExactTime(new Date(clock * 1000))}
            customers={Array.from(customers, ([id, email]) => ({ id, name: email ?? id }))}
          />
        )}
        <Failures switches={switches} />
        <Deliveries deliveries={deliveries} now={now} />
        {isSandboxOn('clerk') && <People users={users} now={now} />}
        {isSandboxOn('stripe') && <Payments subscriptions={subscriptions} charges={charges} />}
      </div>
    </>
  );
}

function Header() {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
      <span className="bg-primary px-2 py-0.5 font-semibold text-primary-foreground uppercase tracking-wide">
        Sandbox
      </span>
      <span className="bg-surface px-1 text-sm">stands in for Clerk and Stripe</span>
      <nav aria-label="Elsewhere" className="ml-auto flex gap-4 bg-surface px-1">
        <Link href="/" className="inline-flex min-h-11 items-center">
          Shop
        </Link>
        <Link href="/dashboard" className="inline-flex min-h-11 items-center">
          Dashboard
        </Link>
      </nav>
    </div>
  );
}
