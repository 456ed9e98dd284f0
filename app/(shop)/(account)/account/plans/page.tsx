import { auth } from '@clerk/nextjs/server';
import type { Metadata } from 'next';
import { Suspense } from 'react';
import { Badge } from '@/components/ui/badge';
import { Callout } from '@/components/ui/callout';
import { PageHeader } from '@/components/ui/page-header';
import { Skeleton } from '@/components/ui/skeleton';
import { PLANS } from '@/lib/integration/plans';
import { findEntitlement } from '@/lib/shop/entitlement';
import { isEntitled } from '@/lib/shop/offer';
import { requestTime } from '@/lib/shop/request-time';
import { BuyButtons } from '../../../buy-buttons';
import { PlanOffer } from '../../../plan-offer';
import { ManageBilling } from '../../manage-billing';

export const metadata: Metadata = { title: 'Plans' };

export default function PlansPage() {
  return (
    <>
      <PageHeader title="Plans" description="Change your plan at any time." />
      <Suspense fallback={<Skeleton className="h-96" />}>
        <Plans />
      </Suspense>
    </>
  );
}

/** The plans for a customer who may have one: a subscriber changes it in the billing portal and is never charged twice. */
async function Plans() {
  const { userId } = await auth.protect();
  const entitlement = await findEntitlement(userId, await requestTime());
  const current = entitlement && isEntitled(entitlement) ? entitlement : null;
  return (
    <div className="grid gap-4">
      {current?.source === 'subscription' && (
        <Callout tone="info" title="You have a subscription">
          Switch plans or cancel in the billing portal. Stripe credits the unused part of your current plan.
        </Callout>
      )}
      <div className="grid gap-x-4 gap-y-6 pt-3 md:grid-cols-2">
        {PLANS.map((plan) => {
          const isCurrent = current?.plan === plan.name;
          return (
            <PlanOffer
              key={plan.name}
              plan={plan}
              {...(isCurrent && { badge: <Badge tone="success">Current plan</Badge> })}
            >
              {current?.source === 'subscription' ? (
                <ManageBilling label={isCurrent ? 'Manage billing' : 'Change plan'} subject={plan.label} />
              ) : (
                !isCurrent && <BuyButtons plan={plan} />
              )}
            </PlanOffer>
          );
        })}
      </div>
    </div>
  );
}
