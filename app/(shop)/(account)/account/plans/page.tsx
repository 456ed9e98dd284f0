import { auth } from '@clerk/nextjs/server';
import type { Metadata } from 'next';
import { Suspense } from 'react';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { findEntitlement } from '@/lib/shop/entitlement';
import { isEntitled } from '@/lib/shop/offer';
import { requestTime } from '@/lib/shop/request-time';
import { PlanList } from './plan-list';

export const metadata: Metadata = { title: 'Plans' };

export default function PlansPage() {
  return (
    <>
      <PageHeader title="Plans" description="Change your plan at any time." />
      <Suspense fallback={<Skeleton className="h-96" />}>
        <Plans />
      </Suspense>
    </>
  );
}

async function Plans() {
  const { userId } = await auth.protect();
  const entitlement = await findEntitlement(userId, await requestTime());
  return <PlanList current={entitlement && isEntitled(entitlement) ? entitlement : null} />;
}
