import { auth } from '@clerk/nextjs/server';
import type { Metadata } from 'next';
import { Suspense } from 'react';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { findEntitlement } from '@/lib/integration/stripe/holdings';
import { requestTime } from '@/lib/shop/request-time'; // part: demo
import { listTransferEntitlements } from '@/lib/shop/transfers'; // part: demo
import { PaymentResult } from './payment-result';

export const metadata: Metadata = { title: 'Payment complete' };

/** Shows the purchase as recorded from Stripe's events. The URL proves nothing: any user can open it. */
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
  const others = await listTransferEntitlements(userId, await requestTime()); // part: demo
  return <PaymentResult entitlement={await findEntitlement(userId, others)} />;
}
