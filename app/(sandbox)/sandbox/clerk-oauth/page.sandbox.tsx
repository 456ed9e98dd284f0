import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { connection } from 'next/server';
import { Card } from '@/components/ui/card';
import { PageShell } from '@/components/ui/page-shell';
import { readOauthVisit } from '@/lib/sandbox/clerk/read-oauth-visit';
import { isSandboxOn } from '@/lib/sandbox/env';
import { ConsentForm } from './consent-form';

export const metadata: Metadata = { title: 'Continue with Postbox' };
export const instant = false;

type Search = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** The "Continue with …" provider: who are you, and may the shop know it? */
export default async function ConsentPage({ searchParams }: Search) {
  await connection();
  if (!isSandboxOn('clerk')) notFound();
  const { state } = await searchParams;
  const visit = typeof state === 'string' ? await readOauthVisit(state, new Date()) : null;
  return (
    <PageShell room="sandbox" header={<p className="inline-block bg-surface px-1 py-3 font-semibold">Postbox</p>}>
      <div className="mx-auto max-w-md">{visit ? <ConsentForm {...visit} /> : <VisitOver />}</div>
    </PageShell>
  );
}

function VisitOver() {
  return (
    <Card>
      <h1 className="font-semibold text-lg">This visit is over</h1>
      <p className="mt-1">Go back to the shop and choose “Continue with Postbox” again.</p>
    </Card>
  );
}
