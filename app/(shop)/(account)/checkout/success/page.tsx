import { auth } from '@clerk/nextjs/server';
import type { Metadata } from 'next';
import { Suspense } from 'react';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { findPlan } from '@/lib/integration/plans';
import { findEntitlement } from '@/lib/integration/stripe/holdings';
import { PaymentResult } from './payment-result';

export const metadata: Metadata = { title: 'Thank you' };

/** Shows the purchase as recorded from Stripe's events. The URL names the plan and proves nothing: any user can open it. */
export default function CheckoutSuccessPage({ searchParams }: PageProps<'/checkout/success'>) {
  return (
    <>
      <PageHeader
        title="Thank you"
        description="You can manage your plan in your account."
        actions={<LinkButton href="/account">Go to your account</LinkButton>}
      />
      <Suspense fallback={<Skeleton className="h-44 max-w-xl" />}>
        <BoughtPlan searchParams={searchParams} />
      </Suspense>
    </>
  );
}

async function BoughtPlan({ searchParams }: Pick<PageProps<'/checkout/success'>, 'searchParams'>) {
  const { userId } = await auth.protect();
  const plan = findPlan((await searchParams).plan);
  return <PaymentResult entitlement={await findEntitlement(userId, { plan: plan?.name })} />;
}
