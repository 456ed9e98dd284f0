import { auth } from '@clerk/nextjs/server';
import type { Metadata } from 'next';
import { Suspense } from 'react';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { isEntitled, isLiveSubscription } from '@/lib/integration/stripe/entitlement';
import { listEntitlements } from '@/lib/integration/stripe/holdings';
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
  const held = await listEntitlements(userId, { grants });
  const [best] = held;
  const current = best && (isEntitled(best) || isLiveSubscription(best)) ? best : null;
  return <PlanList current={current} subscription={held.find(isLiveSubscription) ?? null} />;
}
