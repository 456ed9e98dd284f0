import type Stripe from 'stripe';
import { PLANS, type Plan, type PlanName } from '@/lib/integration/plans';

export type CatalogueEntry = { plan: PlanName; priceId: string; created: boolean };

/** Creates the products and prices that the account lacks. Safe to repeat: prices are found by lookup key. */
export async function setUpCatalogue(stripe: Stripe): Promise<CatalogueEntry[]> {
  const { data: prices } = await stripe.prices.list({ lookup_keys: PLANS.map((plan) => plan.name), limit: 100 });
  const { data: products } = await stripe.products.list({ active: true, limit: 100 });
  const productIds = new Map(products.map((product) => [product.name, product.id]));

  const catalogue: CatalogueEntry[] = [];
  for (const plan of PLANS) {
    const price = prices.find((candidate) => candidate.lookup_key === plan.name);
    if (price) {
      catalogue.push({ plan: plan.name, priceId: price.id, created: false });
      continue;
    }
    const productId = productIds.get(plan.product) ?? (await stripe.products.create({ name: plan.product })).id;
    productIds.set(plan.product, productId);
    const { id } = await stripe.prices.create(priceOf(plan, productId));
    catalogue.push({ plan: plan.name, priceId: id, created: true });
  }
  return catalogue;
}

function priceOf(plan: Plan, product: string): Stripe.PriceCreateParams {
  return {
    product,
    lookup_key: plan.name,
    currency: plan.currency,
    unit_amount: plan.amount,
    ...(plan.interval && { recurring: { interval: plan.interval } }),
  };
}
