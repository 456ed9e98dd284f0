import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { Suspense } from 'react';
import { Button } from '@/components/ui/button';
import { Money } from '@/components/ui/money';
import { SubmitButton } from '@/components/ui/submit-button';
import { isSandboxOn } from '@/lib/sandbox/env';
import { showChallenge } from '@/lib/sandbox/stripe/checkout/show-challenge';
import { HostedPage } from '../../../hosted-page';

export const metadata: Metadata = { title: { absolute: '3-D Secure · Sandbox' }, robots: { index: false } };

type ChallengePageProps = { params: Promise<{ session: string }> };

/** The page on which the card's bank asks its customer. */
export default function ChallengePage({ params }: ChallengePageProps) {
  return (
    <HostedPage name="Checkout">
      <Suspense fallback={<p>Asking your bank…</p>}>
        <Challenge params={params} />
      </Suspense>
    </HostedPage>
  );
}

async function Challenge({ params }: ChallengePageProps) {
  const { session } = await params;
  const view = isSandboxOn('stripe') ? await showChallenge(session) : null;
  if (!view) redirect(`/sandbox/stripe/checkout/${session}`);
  return (
    <form method="post" action={`/sandbox/stripe/checkout/${session}/authenticate/answer`} className="grid gap-4">
      <h1 className="font-semibold text-2xl tracking-tight">Confirm it with your bank</h1>
      <p>
        Larkdesk asks for <Money amount={view.amount} currency={view.currency} /> from your card that ends in{' '}
        {view.last4}. Your bank wants to know that it is you.
      </p>
      <div className="flex flex-wrap gap-3">
        <SubmitButton name="answer" value="complete">
          Complete
        </SubmitButton>
        <Button type="submit" variant="secondary" name="answer" value="fail">
          Fail
        </Button>
      </div>
    </form>
  );
}
