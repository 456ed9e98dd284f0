import type { Metadata } from 'next';
import { PageHeader } from '@/components/ui/page-header';
import { PLANS } from '@/lib/integration/plans';
import { BuyButtons } from '../buy-buttons';
import { PlanOffer } from '../plan-offer';
import { ShopShell } from '../shop-shell';

const description = 'Every plan includes unlimited rooms, teachers and guests.';

export const metadata: Metadata = { title: 'Pricing', description };

/** Static, so it does not know who is signed in; /account/plans does. */
export default function PricingPage() {
  return (
    <ShopShell current="/pricing">
      <PageHeader title="One price for the whole studio" description={description} />
      <div className="grid gap-x-4 gap-y-6 pt-3 md:grid-cols-2">
        {PLANS.map((plan) => (
          <PlanOffer key={plan.name} plan={plan}>
            <BuyButtons plan={plan} />
          </PlanOffer>
        ))}
      </div>
    </ShopShell>
  );
}
