import type { Metadata } from 'next';
import { Card } from '@/components/ui/card';
import { PageHeader } from '@/components/ui/page-header';
import { PLANS, type PlanName } from '@/lib/integration/plans';
import { BuyButtons } from '../buy-buttons';
import { PlanPrice } from '../plan-price';
import { ShopShell } from '../shop-shell';

export const metadata: Metadata = { title: 'Pricing' };

const NOTES: Record<PlanName, string> = {
  studio_monthly: 'Every month, until you say stop.',
  studio_yearly: 'Two months for nothing, and 14 days to try it before you pay.',
  studio_lifetime: 'Pay once, and keep Larkdesk for as long as it exists.',
  studio_monthly_jpy: 'The same plan for studios in Japan, billed in yen.',
};

export default function PricingPage() {
  return (
    <ShopShell current="/pricing">
      <PageHeader
        title="One price for the whole studio"
        description="Every plan has everything: any number of rooms, teachers and guests."
      />
      <div className="grid gap-4 md:grid-cols-2">
        {PLANS.map((plan) => (
          <Card key={plan.name} title={plan.label} className="flex flex-col justify-between">
            <div>
              <PlanPrice plan={plan} />
              <p className="mt-2 text-muted-foreground">{NOTES[plan.name]}</p>
            </div>
            <BuyButtons plan={plan} />
          </Card>
        ))}
      </div>
    </ShopShell>
  );
}
