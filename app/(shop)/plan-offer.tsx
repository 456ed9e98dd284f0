import type { ReactNode } from 'react';
import { Badge } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { cx } from '@/components/ui/cx';
import type { Plan, PlanName } from '@/lib/integration/plans';
import { PlanPrice, TrialNote } from './plan-price';

const NOTES: Record<PlanName, string> = {
  studio_monthly: 'Cancel anytime.',
  studio_yearly: 'Two months free.',
  studio_lifetime: 'Pay once, lifetime access.',
  studio_monthly_jpy: 'The monthly plan for studios in Japan, billed in yen.',
};

const FEATURES: Record<PlanName, readonly string[]> = {
  studio_monthly: ['Unlimited rooms and teachers', 'Online booking and waiting lists', 'Email reminders'],
  studio_yearly: ['Everything in monthly', 'Priority support'],
  studio_lifetime: ['Everything in monthly', 'Priority support', 'All future updates'],
  studio_monthly_jpy: ['Everything in monthly', 'Invoices in yen'],
};

const RECOMMENDED: PlanName = 'studio_yearly';

type PlanOfferProps = {
  plan: Plan & { name: PlanName };
  /** Replaces the recommendation; `null` shows neither. */
  badge?: ReactNode;
  /** The plan's buttons. */
  children: ReactNode;
};

/** A plan with its price, its features and its buttons. */
export function PlanOffer({ plan, badge, children }: PlanOfferProps) {
  const isRecommended = plan.name === RECOMMENDED && badge === undefined;
  return (
    <Card
      title={plan.label}
      className={cx('relative flex flex-col', isRecommended && 'outline-2 outline-primary -outline-offset-1')}
    >
      <div className="-top-3 absolute right-5">{isRecommended ? <Badge tone="info">Recommended</Badge> : badge}</div>
      <div className="flex-1">
        <PlanPrice price={plan} />
        <p className="mt-2 text-muted-foreground">{NOTES[plan.name]}</p>
        <TrialNote plan={plan} />
        <ul className="mt-4 grid gap-2">
          {FEATURES[plan.name].map((feature) => (
            <li key={feature} className="flex items-start gap-2">
              <svg
                viewBox="0 0 16 16"
                className="mt-1 size-4 shrink-0 text-success"
                fill="none"
                stroke="currentColor"
                strokeWidth="2"
                aria-hidden="true"
              >
                <path d="M3 8.5 6.5 12 13 4.5" />
              </svg>
              {feature}
            </li>
          ))}
        </ul>
      </div>
      {children}
    </Card>
  );
}
