// Stripe's billing portal: customers cancel, change plans and replace cards there.
// Change in your app: what the portal offers, and where it returns to.
import 'server-only';
import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { appEnv } from '@/lib/integration/env';
import { PLANS } from '@/lib/integration/plans';
import { fingerprintOf, idempotencyKey, stripeClient } from './client';
import { listPrices } from './prices';

type Features = Stripe.BillingPortal.ConfigurationCreateParams.Features;

/** The URL of a new portal session for the customer. */
export async function openPortal(customer: string): Promise<string> {
  const stripe = stripeClient();
  const { url } = await stripe.billingPortal.sessions.create(
    { customer, configuration: (await ensureConfiguration(stripe)).id, return_url: `${appEnv().APP_URL}/account` },
    { idempotencyKey: randomUUID() }, // each opening is a session of its own: they are short-lived
  );
  return url;
}

/**
 * The portal's configuration for the plans of today. It is created by API and named by ID, since an account without a default
 * that was saved in the dashboard refuses to open the portal.
 */
export async function ensureConfiguration(stripe: Stripe): Promise<{ id: string; isNew: boolean }> {
  const { id, params } = await findConfiguration(stripe);
  if (id) return { id, isNew: false };
  const options = { idempotencyKey: idempotencyKey(params) };
  return { id: (await stripe.billingPortal.configurations.create(params, options)).id, isNew: true };
}

/** The configuration for the plans of today, `null` while there is none, and the parameters that create it. */
export async function findConfiguration(stripe: Stripe) {
  const features = await portalFeatures(stripe);
  const fingerprint = fingerprintOf('portal', features);
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 });
  const existing = data.find(({ metadata }) => metadata?.fingerprint === fingerprint);
  return { id: existing?.id ?? null, params: { features, metadata: { fingerprint } } };
}

async function portalFeatures(stripe: Stripe): Promise<Features> {
  const products = await subscriptionProducts(stripe);
  return {
    invoice_history: { enabled: true },
    payment_method_update: { enabled: true },
    customer_update: { enabled: true, allowed_updates: ['address', 'tax_id'] },
    subscription_cancel: { enabled: true, mode: 'at_period_end' },
    subscription_update:
      products.length > 0
        ? { enabled: true, default_allowed_updates: ['price'], proration_behavior: 'create_prorations', products }
        : { enabled: false },
  };
}

/** The prices between which a subscriber may change, by product. */
async function subscriptionProducts(stripe: Stripe) {
  const names = PLANS.filter(({ interval }) => interval !== null).map(({ name }) => name);
  const active = await listPrices(stripe, names, { active: true });
  const prices = new Map<string, string[]>();
  for (const { id, product } of active.sort((a, b) => a.id.localeCompare(b.id))) {
    const productId = typeof product === 'string' ? product : product.id;
    prices.set(productId, [...(prices.get(productId) ?? []), id]);
  }
  return [...prices].map(([product, ids]) => ({ product, prices: ids }));
}
