import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { connection } from 'next/server';
import { Live } from '@/components/ui/live';
import { PageHeader } from '@/components/ui/page-header';
import { PageShell } from '@/components/ui/page-shell';
import { listDeliveries } from '@/lib/sandbox/deliveries/delivery-queries';
import { isSandboxOn } from '@/lib/sandbox/env';
import { Deliveries } from './_components/deliveries';

export const metadata: Metadata = { title: 'Control room' };
export const instant = false;

export default async function ControlRoomPage() {
  await connection();
  if (!isSandboxOn('clerk') && !isSandboxOn('stripe')) notFound();
  const deliveries = await listDeliveries({ limit: 30 });
  return (
    <PageShell room="sandbox" header={<Header />}>
      <PageHeader
        title="Control room"
        description="What Clerk and Stripe do on their own servers, at your command. No money moves, and no mail is sent."
        actions={<Live ids={deliveries.map(({ id }) => id)} noun="delivery" plural="deliveries" />}
      />
      <div className="grid gap-6">
        <Deliveries deliveries={deliveries} now={new Date()} />
      </div>
    </PageShell>
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
