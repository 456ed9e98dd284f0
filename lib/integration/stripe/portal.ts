// Stripe's billing portal: customers cancel, change plans and replace cards there.
// Change in your app: what the portal offers, and where it returns to.
import 'server-only';
import type Stripe from 'stripe';
import { appEnv } from '@/lib/integration/env';
import { log } from '@/lib/integration/log';
import { PLANS, type Plan } from '@/lib/integration/plans';
import { fingerprintOf, sharedWrite, stripeClient } from './client';
import { listPrices } from './prices';

type Features = Stripe.BillingPortal.ConfigurationCreateParams.Features;
type Product = { product: string; prices: string[] };

/** What Stripe takes in one configuration. */
const MOST_PRODUCTS = 10;

/** The URL of a new portal session for the customer. */
export async function openPortal(customer: string): Promise<string> {
  const stripe = stripeClient();
  // Each opening is a session of its own, under a key that the SDK draws: they are short-lived.
  const { url } = await stripe.billingPortal.sessions.create({
    customer,
    configuration: (await ensureConfiguration(stripe)).id,
    return_url: `${appEnv().APP_URL}/account`,
  });
  return url;
}

/**
 * The portal's configuration for the plans of today. It is created by API and named by ID, since an account without a default
 * that was saved in the dashboard refuses to open the portal.
 */
export async function ensureConfiguration(
  stripe: Stripe,
  plans: readonly Plan[] = PLANS,
): Promise<{ id: string; isNew: boolean }> {
  const { id, params, leftOut } = await findConfiguration(stripe, plans);
  if (id) return { id, isNew: false };
  if (leftOut.length > 0) {
    log.warn('portal: Stripe takes ten products, so no one can switch to these plans', { plans: leftOut.join() });
  }
  return { id: (await stripe.billingPortal.configurations.create(params, sharedWrite(params))).id, isNew: true };
}

/** The configuration for the plans of today, `null` while there is none, the parameters that create it, and the plans that do not fit. */
export async function findConfiguration(stripe: Stripe, plans: readonly Plan[] = PLANS) {
  const { products, leftOut } = await subscriptionProducts(stripe, plans);
  const features = portalFeatures(products);
  const fingerprint = fingerprintOf('portal', features);
  const { data } = await stripe.billingPortal.configurations.list({ active: true, limit: 100 });
  const existing = data.find(({ metadata }) => metadata?.fingerprint === fingerprint);
  return { id: existing?.id ?? null, params: { features, metadata: { fingerprint } }, leftOut };
}

const portalFeatures = (products: Product[]): Features => ({
  invoice_history: { enabled: true },
  payment_method_update: { enabled: true },
  customer_update: { enabled: true, allowed_updates: ['address', 'tax_id'] }, // the email address is the user's at Clerk
  subscription_cancel: { enabled: true, mode: 'at_period_end' },
  subscription_update:
    products.length > 0
      ? { enabled: true, default_allowed_updates: ['price'], proration_behavior: 'create_prorations', products }
      : { enabled: false },
});

/** The prices between which a subscriber may change, by product, and the names of the plans beyond Stripe's limit. */
async function subscriptionProducts(stripe: Stripe, plans: readonly Plan[]) {
  const names = plans.filter(({ interval }) => interval !== null).map(({ name }) => name);
  const orderOf = ({ lookup_key }: Stripe.Price) => names.indexOf(lookup_key ?? '');
  const prices = await listPrices(stripe, names, { active: true });
  prices.sort((a, b) => orderOf(a) - orderOf(b));
  const offered = [...new Set(prices.map(productOf))].slice(0, MOST_PRODUCTS);
  const pricesOf = (product: string) => prices.filter((price) => productOf(price) === product).map(({ id }) => id);
  return {
    products: offered.map((product) => ({ product, prices: pricesOf(product) })),
    leftOut: prices.filter((price) => !offered.includes(productOf(price))).map(({ lookup_key }) => lookup_key),
  };
}

const productOf = ({ product }: Stripe.Price) => (typeof product === 'string' ? product : product.id);
