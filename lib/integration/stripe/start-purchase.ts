import 'server-only';
import { isSubscriber } from '@/lib/integration/domain/decide-subscriber';
import type { Plan } from '@/lib/integration/plans';
import { type Buyer, findCustomer } from './customers';
import { openPortal } from './open-portal';
import { startCheckout } from './start-checkout';
import { stripeClient } from './stripe-client';

/**
 * Where a signed-in user buys a plan: the payment page, or the billing portal for a subscriber who chose another (or the
 * same) subscription, since a second one would charge them twice. A plan for life is sold to anybody.
 */
export async function startPurchase(buyer: Buyer, plan: Plan, clickId: string | null): Promise<string> {
  const portal = plan.interval && (await hasSubscription(buyer.userId)) ? await openPortal(buyer.userId) : null;
  return portal ?? (await startCheckout(buyer, plan, clickId));
}

// Stripe is asked, and not the shop's own rows: those wait for a webhook, and this comes right after a purchase, too.
async function hasSubscription(userId: string): Promise<boolean> {
  const customer = await findCustomer(userId);
  if (!customer) return false;
  const { data } = await stripeClient().subscriptions.list({ customer, limit: 100 });
  return isSubscriber(data);
}
