import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Suspense } from 'react';
import { isSandboxOn } from '@/lib/sandbox/env';
import { showCheckout } from '@/lib/sandbox/stripe/checkout/show-checkout';
import { HostedPage } from '../../hosted-page';
import { CheckoutForm } from './checkout-form';
import { OrderSummary } from './order-summary';

export const metadata: Metadata = { title: { absolute: 'Checkout · Sandbox' }, robots: { index: false } };

type CheckoutPageProps = { params: Promise<{ session: string }> };

export default function CheckoutPage({ params }: CheckoutPageProps) {
  return (
    <HostedPage name="Checkout">
      <Suspense fallback={<p>Loading the checkout…</p>}>
        <Checkout params={params} />
      </Suspense>
    </HostedPage>
  );
}

async function Checkout({ params }: CheckoutPageProps) {
  const { session } = await params;
  const view = isSandboxOn('stripe') ? await showCheckout(session) : null;
  if (!view) notFound();
  if (view.status !== 'open') {
    return (
      <>
        <h1 className="font-semibold text-2xl">
          {view.status === 'complete' ? 'This checkout has been paid' : 'This checkout has expired'}
        </h1>
        <p className="mt-2 text-muted-foreground">
          {view.status === 'complete' ? 'You can close this page.' : 'Nothing was charged. Start again from the shop.'}
        </p>
      </>
    );
  }
  return (
    <div className="grid gap-8 md:grid-cols-2">
      <OrderSummary session={session} view={view} />
      <CheckoutForm session={session} view={view} />
    </div>
  );
}
