import 'server-only';
import { secondsToNextChange } from '../clock/advance-clock';
import { readClock } from '../clock/clock';
import { changeAccount, readAccount } from '../stripe/account';
import { refundCharge } from '../stripe/billing/refund-charge';
import { periodEnd } from '../stripe/billing/subscription-state';
import type { Store } from '../stripe/store';

export type CustomerOverview = {
  id: string;
  email: string | null;
  /** This customer's own clock, ISO. */
  now: string;
  /** When something next happens by itself; null for never. */
  secondsToNextChange: number | null;
  subscriptions: {
    id: string;
    plan: string;
    status: string;
    periodEnd: string;
    endsAtPeriodEnd: boolean;
    metadata: Record<string, string>;
  }[];
};

/** The newest customers and what they have subscribed to, for the control room. */
export async function listCustomerOverviews({ limit = 20 } = {}): Promise<CustomerOverview[]> {
  return readAccount(async (store) => {
    const { data: customers } = await store.page('customer', { limit });
    const overviews: CustomerOverview[] = [];
    for (const { id, email } of customers) {
      const now = await readClock(id);
      overviews.push({
        id,
        email,
        now: iso(now),
        secondsToNextChange: await secondsToNextChange(id),
        subscriptions: await subscriptionsOf(store, id),
      });
    }
    return overviews;
  });
}

export type PaymentOverview = {
  /** The charge's ID. */
  id: string;
  customer: string | null;
  email: string | null;
  amount: number;
  refunded: number;
  currency: string;
  status: string;
  failure: string | null;
  createdAt: string;
};

/** The newest charges, failed ones too, for the control room. */
export async function listPayments({ limit = 20 } = {}): Promise<PaymentOverview[]> {
  return readAccount(async (store) => {
    const { data: charges } = await store.page('charge', { limit });
    return charges.map((charge) => ({
      id: charge.id,
      customer: charge.customer,
      email: charge.billing_details.email,
      amount: charge.amount,
      refunded: charge.amount_refunded,
      currency: charge.currency,
      status: charge.status,
      failure: charge.failure_message,
      createdAt: iso(charge.created),
    }));
  });
}

/** Refunds a charge, whole or in part (minor units), as you would in Stripe's dashboard. */
export async function refundPayment(charge: string, amount?: number): Promise<void> {
  await changeAccount(async (store) =>
    refundCharge(store, await store.get('charge', charge), { amount, reason: 'requested_by_customer', metadata: {} }),
  );
}

async function subscriptionsOf(store: Store, customer: string): Promise<CustomerOverview['subscriptions']> {
  const subscriptions = await store.all('subscription', { customer });
  const overviews: CustomerOverview['subscriptions'] = [];
  for (const subscription of subscriptions) {
    const product = await store.find('product', subscription.items.data[0]?.price.product ?? '');
    overviews.push({
      id: subscription.id,
      plan: product?.name ?? subscription.id,
      status: subscription.status,
      periodEnd: iso(periodEnd(subscription)),
      endsAtPeriodEnd: subscription.cancel_at_period_end,
      metadata: subscription.metadata,
    });
  }
  return overviews;
}

const iso = (seconds: number): string => new Date(seconds * 1000).toISOString();
