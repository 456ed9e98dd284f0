import { auth } from '@clerk/nextjs/server';
import type { Metadata } from 'next';
import { Suspense } from 'react';
import { Card } from '@/components/ui/card';
import { LinkButton } from '@/components/ui/link-button';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { findPlan } from '@/lib/integration/plans';
import { ReportSignup } from './report-signup';

export const metadata: Metadata = { title: 'Welcome' };

export default function WelcomePage({ searchParams }: PageProps<'/welcome'>) {
  return (
    <>
      <PageHeader
        title="Your studio is open"
        description="The calendar is yours. Here is what most studios do first."
      />
      <Suspense fallback={<Skeleton className="h-40" />}>
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
      <Card title={`You chose ${plan.label}`} description="One more step, and everything is switched on.">
        <LinkButton href={`/checkout?plan=${plan.name}`}>Continue to payment</LinkButton>
      </Card>
    );
  }
  return (
    <Card title="Choose a plan" description="Browse for free. Choose a plan to take bookings.">
      <LinkButton href="/pricing">See the plans</LinkButton>
    </Card>
  );
}
