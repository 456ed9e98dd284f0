import type { Metadata } from 'next';
import { Suspense } from 'react';
import { PageHeader } from '@/components/ui/page-header';
import { PageShell } from '@/components/ui/page-shell';
import { NeedsJavaScript } from '@/components/ui/skeleton';
import { SubmitButton } from '@/components/ui/submit-button';
import type { SearchParams } from '@/lib/service/dashboard/event-filter';
import { Wordmark } from '../_components/wordmark';
import { SignInForm } from './sign-in-form';

export const metadata: Metadata = { title: 'Sign in' };

type SignInPageProps = { searchParams: Promise<SearchParams> };

export default function SignInPage({ searchParams }: SignInPageProps) {
  return (
    <PageShell room="service" header={<Wordmark />}>
      <div className="mx-auto max-w-md py-6">
        <PageHeader title="Sign in" description="Use an API key of your program." />
        <SignInForm>
          <Suspense
            fallback={
              <>
                <SignInButton disabled />
                <NeedsJavaScript />
              </>
            }
          >
            <NextPage searchParams={searchParams} />
            <SignInButton />
          </Suspense>
        </SignInForm>
      </div>
    </PageShell>
  );
}

function SignInButton({ disabled }: { disabled?: boolean }) {
  return (
    <SubmitButton pendingLabel="Signing in…" disabled={disabled}>
      Sign in
    </SubmitButton>
  );
}

/** The path to return to after sign-in. It streams in after the form, which cannot be submitted before. */
async function NextPage({ searchParams }: SignInPageProps) {
  const { next } = await searchParams;
  return typeof next === 'string' && <input type="hidden" name="next" value={next} />;
}
