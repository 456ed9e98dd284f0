import { auth } from '@clerk/nextjs/server';
import type { Metadata } from 'next';
import { Suspense } from 'react';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { readCustomer } from '@/lib/integration/stripe/customer';
import { isLiveSubscription } from '@/lib/integration/stripe/entitlement';
import { listEntitlements } from '@/lib/integration/stripe/holdings';
import { requestTime } from '@/lib/shop/request-time'; // part: demo
import { listTransferEntitlements } from '@/lib/shop/transfers'; // part: demo
import { LookAgainBriefly } from '../look-again';
import { AccountPlan } from './account-plan';
import { OpenTransfers } from './open-transfers'; // part: demo

export const metadata: Metadata = { title: 'Account' };

export default function AccountPage({ searchParams }: PageProps<'/account'>) {
  return (
    <>
      <PageHeader title="Account" description="Your plan and billing." />
      <Suspense fallback={<Skeleton className="h-56 max-w-xl" />}>
        <Account searchParams={searchParams} />
      </Suspense>
    </>
  );
}

async function Account({ searchParams }: Pick<PageProps<'/account'>, 'searchParams'>) {
  const { userId } = await auth.protect();
  const { problem, resume, from } = await searchParams;
  const unopened = problem !== undefined ? 'failed' : resume !== undefined ? 'renewed' : null;
  const grants = await listTransferEntitlements(userId, await requestTime()); // part: demo
  const [held, customer] = await Promise.all([listEntitlements(userId, { grants }), readCustomer(userId)]);
  return (
    <div className="grid gap-4">
      {from === 'billing' && <LookAgainBriefly />}
      {/* part: demo */}
      <OpenTransfers userId={userId} held={held} />
      {/* end: demo */}
      <AccountPlan
        entitlement={held[0] ?? null}
        subscription={held.find(isLiveSubscription) ?? null}
        hasBilling={customer !== null}
        unopened={unopened}
      />
    </div>
  );
}
