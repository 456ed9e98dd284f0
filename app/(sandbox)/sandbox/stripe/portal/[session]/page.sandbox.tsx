import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Suspense } from 'react';
import { Callout } from '@/components/ui/callout';
import { Empty } from '@/components/ui/empty';
import { isSandboxOn } from '@/lib/sandbox/env';
import { showPortal } from '@/lib/sandbox/stripe/portal/show-portal';
import { HostedPage } from '../../hosted-page';
import { InvoiceList } from './invoice-list';
import { SubscriptionCard } from './subscription-card';

export const metadata: Metadata = { title: { absolute: 'Billing · Sandbox' }, robots: { index: false } };

type PortalPageProps = { params: Promise<{ session: string }> };

export default function PortalPage({ params }: PortalPageProps) {
  return (
    <HostedPage name="customer portal">
      <Suspense fallback={<p>Loading your billing…</p>}>
        <Portal params={params} />
      </Suspense>
    </HostedPage>
  );
}

async function Portal({ params }: PortalPageProps) {
  const { session } = await params;
  const view = isSandboxOn('stripe') ? await showPortal(session) : null;
  if (!view) notFound();
  return (
    <div className="grid gap-6">
      <div>
        <h1 className="font-semibold text-2xl tracking-tight">Your billing with Larkdesk</h1>
        <p className="text-muted-foreground">{view.email}</p>
        {view.returnUrl && (
          <p className="mt-2">
            <a href={view.returnUrl} className="hit-area text-link underline underline-offset-4">
              Return to Larkdesk
            </a>
          </p>
        )}
      </div>
      {view.notice && (
        <Callout tone={view.notice.tone} role={view.notice.tone === 'danger' ? 'alert' : 'status'}>
          {view.notice.message}
        </Callout>
      )}
      {view.subscriptions.length === 0 && <Empty title="No subscription">You have nothing that renews.</Empty>}
      {view.subscriptions.map((subscription) => (
        <SubscriptionCard key={subscription.id} session={session} subscription={subscription} notice={view.notice} />
      ))}
      <InvoiceList invoices={view.invoices} />
    </div>
  );
}
