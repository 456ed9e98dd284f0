// Stripe's billing portal, in which customers cancel, change plans and replace cards.
// Change in your app: what the portal offers, and the return URL.
import 'server-only';
import type Stripe from 'stripe';
import { appEnv } from '@/lib/integration/env';
import { log } from '@/lib/integration/log';
import { PLANS, type Plan } from '@/lib/integration/plans';
import { fingerprintOf, idOf, sharedWrite, stripeClient } from './client';
import { listPrices } from './prices';

type Features = Stripe.BillingPortal.ConfigurationCreateParams.Features;
type Product = { product: string; prices: string[] };

/** Stripe's limit for one configuration. */
const MAX_PRODUCTS = 10;

/** The URL of a new portal session for the customer. */
export async function openPortal(customer: string): Promise<string> {
  const stripe = stripeClient();
  // Sessions are short-lived, so each opening creates one, with the idempotency key of the SDK.
  const { url } = await stripe.billingPortal.sessions.create({
    customer,
    configuration: (await ensureConfiguration(stripe)).id,
    return_url: `${appEnv().APP_URL}/account?from=billing`, // in this app, the page then refreshes until Stripe's event has arrived
  });
  return url;
}

/**
 * The portal's configuration for the current plans, created if it does not exist. Passed by ID, because the portal does not open in an
 * account whose default configuration was never saved in the dashboard.
 */
export async function ensureConfiguration(
  stripe: Stripe,
  plans: readonly Plan[] = PLANS,
): Promise<{ id: string; isNew: boolean }> {
  const { id, params, leftOut } = await findConfiguration(stripe, plans);
  if (id) return { id, isNew: false };
  if (leftOut.length > 0) {
    const reason = 'Stripe allows ten products, and one price of a product for each billing interval';
    log.warn(`portal: customers cannot switch to these plans: ${reason}`, { plans: leftOut.join() });
  }
  return { id: (await stripe.billingPortal.configurations.create(params, sharedWrite(params))).id, isNew: true };
}

/** The ID of the configuration for the current plans or `null`, the parameters that create it, and the plans that it leaves out. */
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
  customer_update: { enabled: true, allowed_updates: ['address', 'tax_id'] }, // the email address comes from Clerk
  subscription_cancel: { enabled: true, mode: 'at_period_end' },
  subscription_update:
    products.length > 0
      ? {
          enabled: true,
          default_allowed_updates: ['price'],
          proration_behavior: 'create_prorations',
          trial_update_behavior: 'continue_trial', // Stripe's default ends the trial and charges at once
          products,
        }
      : { enabled: false },
});

/** The prices a subscriber can switch between, by product, and the names of the plans that Stripe's limits leave out. */
async function subscriptionProducts(stripe: Stripe, plans: readonly Plan[]) {
  const names = plans.filter(({ interval }) => interval !== null).map(({ name }) => name);
  const orderOf = ({ lookup_key }: Stripe.Price) => names.indexOf(lookup_key ?? '');
  const prices = await listPrices(stripe, names, { active: true });
  prices.sort((a, b) => orderOf(a) - orderOf(b));
  const placeOf = ({ product, recurring }: Stripe.Price) =>
    [idOf(product), recurring?.interval, recurring?.interval_count].join();
  const distinct = prices.filter((price) => price === prices.find((other) => placeOf(other) === placeOf(price)));
  const products = [...new Set(distinct.map(({ product }) => idOf(product)))].slice(0, MAX_PRODUCTS);
  const offered = distinct.filter(({ product }) => products.includes(idOf(product)));
  const pricesOf = (product: string) => offered.filter((price) => idOf(price.product) === product).map(({ id }) => id);
  return {
    products: products.map((product) => ({ product, prices: pricesOf(product) })),
    leftOut: prices.filter((price) => !offered.includes(price)).map(({ lookup_key }) => lookup_key),
  };
}
