import { auth } from '@clerk/nextjs/server';
import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { Suspense } from 'react';
import { Card } from '@/components/ui/card';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { findPlan } from '@/lib/integration/plans';
import { BuyButtons } from '../../buy-buttons';
import { PlanPrice } from '../../plan-price';

export const metadata: Metadata = { title: 'Your plan' };

export default function CheckoutPage({ searchParams }: PageProps<'/checkout'>) {
  return (
    <>
      <PageHeader title="Your plan" description="Nothing is charged before you confirm it on the payment page." />
      <Suspense fallback={<Skeleton className="h-40" />}>
        <ChosenPlan searchParams={searchParams} />
      </Suspense>
    </>
  );
}

async function ChosenPlan({ searchParams }: Pick<PageProps<'/checkout'>, 'searchParams'>) {
  await auth.protect();
  const plan = findPlan((await searchParams).plan);
  if (!plan) redirect('/pricing');
  return (
    <Card
      title={plan.label}
      className="max-w-xl"
      aside={
        <LinkButton href="/pricing" variant="ghost" size="small">
          Change
        </LinkButton>
      }
    >
      <PlanPrice plan={plan} />
      <BuyButtons plan={plan} />
    </Card>
  );
}
