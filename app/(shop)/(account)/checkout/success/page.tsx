import { auth } from '@clerk/nextjs/server';
import type { Metadata } from 'next';
import { Suspense } from 'react';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { findEntitlement } from '@/lib/shop/entitlement';
import { requestTime } from '@/lib/shop/request-time';
import { PlanCard } from '../../plan-card';
import { LookAgain } from './look-again';

export const metadata: Metadata = { title: 'Payment complete' };

/** Shows what Stripe's events say was bought. The address proves nothing: every user can open it. */
export default function CheckoutSuccessPage() {
  return (
    <>
      <PageHeader
        title="Thank you"
        description="You can manage your plan in your account."
        actions={<LinkButton href="/account">Go to your account</LinkButton>}
      />
      <Suspense fallback={<Skeleton className="h-44 max-w-xl" />}>
        <BoughtPlan />
      </Suspense>
    </>
  );
}

async function BoughtPlan() {
  const { userId } = await auth.protect();
  const entitlement = await findEntitlement(userId, await requestTime());
  if (!entitlement) {
    return (
      <p>
        Your payment is being confirmed. Your plan appears here when it is. Card payments take up to a minute, bank
        debits a few days.
        <LookAgain />
      </p>
    );
  }
  return <PlanCard entitlement={entitlement} />;
}
