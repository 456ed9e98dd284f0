import type { ReactNode } from 'react';
import { Badge, type BadgeTone } from '@/components/ui/badge';
import { Card } from '@/components/ui/card';
import { DetailsList } from '@/components/ui/details-list';
import { Time } from '@/components/ui/time';
import { findPlan } from '@/lib/integration/plans';
import type { Entitlement } from '@/lib/integration/stripe/entitlement';
import { nextInvoiceOf } from '@/lib/shop/next-invoice';
import { PlanPrice } from '../plan-price';

const STATUS: Record<Entitlement['status'], { tone: BadgeTone; label: string }> = {
  active: { tone: 'success', label: 'Active' },
  trialing: { tone: 'info', label: 'Trial' },
  past_due: { tone: 'warning', label: 'Payment failed' },
  incomplete: { tone: 'warning', label: 'Payment pending' },
  paused: { tone: 'neutral', label: 'Paused' },
  unpaid: { tone: 'warning', label: 'Payment needed' },
  refunded: { tone: 'neutral', label: 'Refunded' },
  ended: { tone: 'neutral', label: 'Ended' },
};

/** Plan, status, period and next invoice, as stored from Stripe's events. */
export function PlanCard({ entitlement, children }: { entitlement: Entitlement; children?: ReactNode }) {
  const { tone, label } = STATUS[entitlement.status];
  const invoice = nextInvoiceOf(entitlement);
  return (
    <Card
      title={findPlan(entitlement.plan)?.label ?? 'Your plan'}
      aside={<Badge tone={tone}>{label}</Badge>}
      className="max-w-xl"
    >
      <p className="text-muted-foreground">
        <Period entitlement={entitlement} />
      </p>
      {invoice && (
        <div className="mt-4 border-border border-t pt-4">
          <DetailsList
            items={[
              ...(invoice.price ? ([['Price', <PlanPrice key="price" price={invoice.price} isSmall />]] as const) : []),
              ['Next invoice', <Time key="date" value={invoice.date} isDay />],
            ]}
          />
        </div>
      )}
      {children}
    </Card>
  );
}

const PROBLEMS: { [Status in Entitlement['status']]?: { what: string; remedy: string } } = {
  past_due: { what: 'The last payment failed.', remedy: 'Update your card to keep the plan.' },
  unpaid: {
    what: 'You cannot use the plan: a payment failed.',
    remedy: 'Pay the open invoices, or ask us to reactivate it.',
  },
  paused: {
    what: 'You cannot use the plan until it is resumed.',
    remedy: 'Pay the amount due, add a payment method, or ask us to resume it.',
  },
};

function Period({ entitlement: { status, renewsAt, endsAt } }: { entitlement: Entitlement }) {
  if (status === 'incomplete') return 'The first payment is not confirmed yet.';
  const problem = PROBLEMS[status];
  if (problem && endsAt && !renewsAt) {
    return (
      <>
        {problem.what} The plan ends on <Time value={endsAt} isDay /> and does not renew.
      </>
    );
  }
  if (problem) return `${problem.what} ${problem.remedy}`;
  if (endsAt && renewsAt) {
    return (
      <>
        {status === 'trialing' ? 'Free until' : 'Renews on'} <Time value={renewsAt} isDay />. Ends on{' '}
        <Time value={endsAt} isDay />.
      </>
    );
  }
  if (endsAt) {
    const day = <Time value={endsAt} isDay />;
    if (status === 'refunded') return <>Refunded on {day}.</>;
    return status === 'ended' ? <>Ended on {day}.</> : <>Ends on {day} and does not renew.</>;
  }
  if (status === 'ended') return 'The plan has ended.';
  if (!renewsAt) return 'Lifetime access.';
  const day = <Time value={renewsAt} isDay />;
  return status === 'trialing' ? <>Free until {day}, then it renews.</> : <>Renews on {day}.</>;
}
