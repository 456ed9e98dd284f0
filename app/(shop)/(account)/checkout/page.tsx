import { auth } from '@clerk/nextjs/server';
import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { Suspense } from 'react';
import { Callout } from '@/components/ui/callout';
import { Card } from '@/components/ui/card';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { findPlan } from '@/lib/integration/plans';
import { BuyButtons } from '../../buy-buttons';
import { PlanPrice } from '../../plan-price';
import { ResumePayment } from './resume-payment';

export const metadata: Metadata = { title: 'Checkout' };

/** By the value of `problem` with which the routes under `/api` lead back here. */
const PROBLEMS: Record<string, string> = {
  payment: 'The payment page could not be opened',
  transfer: 'Your order could not be saved', // part: demo
};

export default function CheckoutPage({ searchParams }: PageProps<'/checkout'>) {
  return (
    <>
      <PageHeader title="Checkout" description="You confirm the payment on the next page." />
      <Suspense fallback={<Skeleton className="h-44 max-w-xl" />}>
        <ChosenPlan searchParams={searchParams} />
      </Suspense>
    </>
  );
}

async function ChosenPlan({ searchParams }: Pick<PageProps<'/checkout'>, 'searchParams'>) {
  const { plan: planName, problem, resume } = await searchParams;
  const plan = findPlan(planName);
  if (!plan) redirect('/pricing');
  // A visitor who chose a plan without a session may be new; every other link here is for signed-in customers.
  if (!resume) await auth.protect();
  else if (!(await auth()).userId) redirect(`/sign-up?plan=${plan.name}`);
  return (
    <div className="grid max-w-xl gap-4">
      {resume === 'payment' && <ResumePayment plan={plan.name} />}
      {/* part: demo */}
      {resume === 'transfer' && (
        <Callout tone="info" title="Confirm your order">
          Choose “Pay by bank transfer” again to place it.
        </Callout>
      )}
      {/* end: demo */}
      {problem && (
        <Callout tone="danger" title={PROBLEMS[String(problem)] ?? 'That did not work'} role="alert">
          Nothing was charged. Please try again in a moment.
        </Callout>
      )}
      <Card
        title={plan.label}
        aside={
          <LinkButton href="/account/plans" variant="ghost" size="small">
            Change plan
          </LinkButton>
        }
      >
        <PlanPrice plan={plan} />
        <BuyButtons plan={plan} />
      </Card>
    </div>
  );
}
