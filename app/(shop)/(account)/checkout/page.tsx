import { auth } from '@clerk/nextjs/server';
import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { Suspense } from 'react';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { findPlan } from '@/lib/integration/plans';
import { isEntitled } from '@/lib/integration/stripe/entitlement';
import { findEntitlement } from '@/lib/integration/stripe/holdings';
import { requestTime } from '@/lib/shop/request-time'; // part: demo
import { listTransferEntitlements } from '@/lib/shop/transfers'; // part: demo
import { ChosenPlan } from './chosen-plan';

export const metadata: Metadata = { title: 'Checkout' };

export default function CheckoutPage({ searchParams }: PageProps<'/checkout'>) {
  return (
    <>
      <PageHeader title="Checkout" description="Check the plan, then pay." />
      <Suspense fallback={<Skeleton className="h-44 max-w-xl" />}>
        <Checkout searchParams={searchParams} />
      </Suspense>
    </>
  );
}

async function Checkout({ searchParams }: Pick<PageProps<'/checkout'>, 'searchParams'>) {
  const { plan: planName, problem, resume } = await searchParams;
  const plan = findPlan(planName);
  if (!plan) redirect('/pricing');
  // A visitor who chose a plan without a session may be new; all other links to this page are for signed-in customers. A pending
  // session belongs to a customer: protect() redirects to its tasks, and back.
  const { isAuthenticated } = await auth({ treatPendingAsSignedOut: false });
  if (resume && !isAuthenticated) redirect(`/sign-up?plan=${plan.name}`);
  const { userId } = await auth.protect();
  const grants = await listTransferEntitlements(userId, await requestTime()); // part: demo
  const entitlement = await findEntitlement(userId, { grants });
  const held = entitlement?.plan === plan.name && isEntitled(entitlement) ? entitlement : null;
  const isForever = held && !held.renewsAt && !held.endsAt;
  if (isForever || (held && !problem && !resume)) redirect('/account/plans'); // where it is shown as the current one
  return <ChosenPlan plan={plan} problem={problem} resume={resume} />;
}
