import { auth } from '@clerk/nextjs/server';
import type { Metadata } from 'next';
import { Suspense } from 'react';
import { Callout } from '@/components/ui/callout';
import { Empty } from '@/components/ui/empty';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { findEntitlement } from '@/lib/shop/entitlement';
import { requestTime } from '@/lib/shop/request-time';
import { ManageBilling } from '../manage-billing';
import { PlanCard } from '../plan-card';
import { OpenTransfers } from './open-transfers'; // part: demo

export const metadata: Metadata = { title: 'Account' };

export default function AccountPage({ searchParams }: PageProps<'/account'>) {
  return (
    <>
      <PageHeader title="Account" description="Your plan and payments." />
      <Suspense fallback={<Skeleton className="h-56 max-w-xl" />}>
        <Account searchParams={searchParams} />
      </Suspense>
    </>
  );
}

async function Account({ searchParams }: Pick<PageProps<'/account'>, 'searchParams'>) {
  const { userId } = await auth.protect();
  const { problem } = await searchParams;
  const now = await requestTime();
  const entitlement = await findEntitlement(userId, now);
  return (
    <div className="grid gap-4">
      {problem && (
        <Callout tone="danger" title="Billing could not be opened" role="alert">
          Nothing has changed. Please try again in a moment.
        </Callout>
      )}
      {entitlement ? (
        <PlanCard entitlement={entitlement}>{entitlement.source !== 'transfer' && <ManageBilling />}</PlanCard>
      ) : (
        <Empty title="No plan yet" action={<LinkButton href="/account/plans">View plans</LinkButton>}>
          Browse for free. Choose a plan to take bookings.
        </Empty>
      )}
      {/* part: demo */}
      <OpenTransfers userId={userId} />
      {/* end: demo */}
    </div>
  );
}
