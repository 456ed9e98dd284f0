import { auth } from '@clerk/nextjs/server';
import type { Metadata } from 'next';
import { Suspense } from 'react';
import { Card } from '@/components/ui/card';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { findPlan } from '@/lib/integration/plans';
import { PlanPrice } from '../../plan-price';
import { ReportSignup } from './report-signup';

export const metadata: Metadata = { title: 'Welcome' };

export default function WelcomePage({ searchParams }: PageProps<'/welcome'>) {
  return (
    <>
      <PageHeader title="Welcome to Larkdesk" description="Your account is ready." />
      <Suspense fallback={<Skeleton className="h-44 max-w-xl" />}>
        <NextStep searchParams={searchParams} />
      </Suspense>
      <ReportSignup />
    </>
  );
}

async function NextStep({ searchParams }: Pick<PageProps<'/welcome'>, 'searchParams'>) {
  await auth.protect();
  const plan = findPlan((await searchParams).plan);
  if (plan) {
    return (
      <Card title={`You chose ${plan.label}`} description="Complete the payment to start." className="max-w-xl">
        <PlanPrice plan={plan} />
        <LinkButton href={`/checkout?plan=${plan.name}`} className="mt-6">
          Continue to payment
        </LinkButton>
      </Card>
    );
  }
  return (
    <Card title="Choose a plan" description="Browse for free. Choose a plan to take bookings." className="max-w-xl">
      <LinkButton href="/account/plans">View plans</LinkButton>
    </Card>
  );
}
