import { auth } from '@clerk/nextjs/server';
import type { Metadata } from 'next';
import { Suspense } from 'react';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { findPlan } from '@/lib/integration/plans';
import { NextStep } from './next-step';
import { ReportSignup } from './report-signup';

export const metadata: Metadata = { title: 'Welcome' };

export default function WelcomePage({ searchParams }: PageProps<'/welcome'>) {
  return (
    <>
      <PageHeader title="Welcome to Larkdesk" description="Your account is ready." />
      <Suspense fallback={<Skeleton className="h-44 max-w-xl" />}>
        <ChosenPlan searchParams={searchParams} />
      </Suspense>
      <ReportSignup />
    </>
  );
}

async function ChosenPlan({ searchParams }: Pick<PageProps<'/welcome'>, 'searchParams'>) {
  await auth.protect();
  return <NextStep plan={findPlan((await searchParams).plan)} />;
}
