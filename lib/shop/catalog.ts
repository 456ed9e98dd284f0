import type Stripe from 'stripe';
import { PLANS, type Plan, type PlanName } from '@/lib/integration/plans';
import { sharedWrite } from '@/lib/integration/stripe/client';
import { listPrices } from '@/lib/integration/stripe/prices';

/**
 * Stripe Tax adds the tax to the amount. The billing portal offers no change between prices of which Stripe does not know whether
 * they include it.
 */
const TAX_BEHAVIOR = 'exclusive';

/** What the set-up does about a plan's price; `completed` is one that had no tax behavior. */
export type CatalogState = 'found' | 'completed' | 'created' | 'replaced';
type CatalogEntry = { plan: PlanName; priceId: string; state: CatalogState };

/**
 * Creates the products and prices that the account lacks, and replaces the prices of plans that have changed. Safe to re-run.
 * A price cannot be changed in Stripe: the new one takes over the lookup key, and the old one is archived. Subscriptions on the
 * old price continue.
 */
export async function setUpCatalog(stripe: Stripe): Promise<CatalogEntry[]> {
  const products = stripe.products.list({ active: true, limit: 100 });
  const productIds = new Map<string, string>();
  for await (const { name, id } of products) productIds.set(name, id); // the oldest one of each name

  const catalog: CatalogEntry[] = [];
  const compared = await compareCatalog(stripe);
  for (const { plan, owner, state } of compared) if (owner && state === 'replaced') assertOurs(plan, owner);
  for (const { plan, owner, state } of compared) {
    if (owner && (state === 'found' || state === 'completed')) {
      if (state === 'completed') {
        await stripe.prices.update(owner.id, { tax_behavior: TAX_BEHAVIOR }, sharedWrite('tax', owner.id));
      }
      catalog.push({ plan: plan.name, priceId: owner.id, state });
      continue;
    }
    const productId = productIds.get(plan.product) ?? (await createProduct(stripe, plan));
    productIds.set(plan.product, productId);
    // Once the lookup key has moved, subscriptions on the old price find their plan by this.
    if (owner) await stripe.prices.update(owner.id, { metadata: { plan: plan.name } }, sharedWrite('name', owner.id));
    const priceId = await createPrice(stripe, plan, productId, owner?.id);
    if (owner) await archivePrice(stripe, owner, { priceId, productId });
    catalog.push({ plan: plan.name, priceId, state });
  }
  return catalog;
}

/** The plans, each with the price under its lookup key, active or archived, and what the set-up does about it. */
export async function compareCatalog(stripe: Stripe) {
  const names = PLANS.map((plan) => plan.name);
  const prices = await listPrices(stripe, names, { expand: ['data.product'] });
  return PLANS.map((plan) => {
    const owner = prices.find((price) => price.lookup_key === plan.name);
    return { plan, owner, state: stateOf(plan, owner) };
  });
}

function stateOf(plan: Plan, owner: Stripe.Price | undefined): CatalogState {
  if (!owner) return 'created';
  if (!owner.active || !isPriceOf(plan, owner)) return 'replaced';
  return owner.tax_behavior === 'unspecified' ? 'completed' : 'found';
}

/** Whether a price in Stripe matches the plan. */
export function isPriceOf(
  plan: Plan,
  price: Pick<Stripe.Price, 'product' | 'unit_amount' | 'currency' | 'recurring'>,
): boolean {
  const { product } = price; // as an object, since it was expanded
  return (
    typeof product === 'object' &&
    !product.deleted &&
    product.active && // Stripe sells no price of an archived product
    product.name === plan.product &&
    price.unit_amount === plan.amount &&
    price.currency === plan.currency &&
    (price.recurring?.interval ?? null) === plan.interval &&
    (price.recurring?.interval_count ?? 1) === 1
  );
}

async function createProduct(stripe: Stripe, { product: name }: Plan): Promise<string> {
  return (await stripe.products.create({ name }, sharedWrite('product', name))).id;
}

/** @param replaced the price whose lookup key the new one takes over */
async function createPrice(stripe: Stripe, plan: Plan, product: string, replaced: string | undefined): Promise<string> {
  const params: Stripe.PriceCreateParams = {
    product,
    lookup_key: plan.name,
    transfer_lookup_key: true,
    metadata: { plan: plan.name },
    currency: plan.currency,
    unit_amount: plan.amount,
    tax_behavior: TAX_BEHAVIOR,
    ...(plan.interval && { recurring: { interval: plan.interval } }),
  };
  return (await stripe.prices.create(params, sharedWrite('price', params, replaced))).id;
}

/** Another product of the account may have a price with the lookup key: its checkout would stop if the key moved. */
function assertOurs(plan: Plan, { id, metadata, product }: Stripe.Price): void {
  const name = typeof product === 'object' && !product.deleted ? product.name : null;
  if (metadata.plan === plan.name || name === plan.product) return;
  throw new Error(
    `The price ${id} of ${name ?? 'a deleted product'} has the lookup key ${plan.name}. Give the plan another name in plans.ts or, ` +
      `if the price is this plan's, set its metadata to plan=${plan.name} in Stripe.`,
  );
}

/**
 * Stripe archives no price that is its product's default, as that of a product from the dashboard is. Such a price stays if the plan
 * has moved to another product.
 */
async function archivePrice(
  stripe: Stripe,
  { id, product }: Stripe.Price,
  { priceId: replacement, productId }: { priceId: string; productId: string },
): Promise<void> {
  if (typeof product === 'object' && !product.deleted && product.default_price === id) {
    if (product.id !== productId) return;
    await stripe.products.update(
      product.id,
      { default_price: replacement },
      sharedWrite('default', product.id, replacement),
    );
  }
  await stripe.prices.update(id, { active: false }, sharedWrite('archive', id, replacement));
}
