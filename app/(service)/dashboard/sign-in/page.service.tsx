import type { Metadata } from 'next';
import { PageHeader } from '@/components/ui/page-header';
import { PageShell } from '@/components/ui/page-shell';
import { Wordmark } from '../_components/wordmark';
import { SignInForm } from './sign-in-form';

export const metadata: Metadata = { title: 'Sign in' };

export default function SignInPage() {
  return (
    <PageShell room="service" header={<Wordmark />}>
      <div className="mx-auto max-w-md py-6">
        <PageHeader title="Sign in" description="Use an API key of your program." />
        <SignInForm />
      </div>
    </PageShell>
  );
}
