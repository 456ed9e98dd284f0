import { auth } from '@clerk/nextjs/server';
import type { Metadata } from 'next';
import { Suspense } from 'react';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { isEntitled, isLiveSubscription } from '@/lib/integration/stripe/entitlement';
import { findEntitlement } from '@/lib/integration/stripe/holdings';
import { requestTime } from '@/lib/shop/request-time'; // part: demo
import { listTransferEntitlements } from '@/lib/shop/transfers'; // part: demo
import { PlanList } from './plan-list';

export const metadata: Metadata = { title: 'Plans' };

export default function PlansPage() {
  return (
    <>
      <PageHeader title="Plans" description="Choose or change your plan." />
      <Suspense fallback={<Skeleton className="h-96" />}>
        <Plans />
      </Suspense>
    </>
  );
}

async function Plans() {
  const { userId } = await auth.protect();
  const grants = await listTransferEntitlements(userId, await requestTime()); // part: demo
  const entitlement = await findEntitlement(userId, { grants });
  const isHeld = entitlement && (isEntitled(entitlement) || isLiveSubscription(entitlement));
  return <PlanList current={isHeld ? entitlement : null} />;
}
