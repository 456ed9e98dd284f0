// Finds prices by the lookup keys that name their plans.
import 'server-only';
import type Stripe from 'stripe';
import { findPlan, type Plan } from '@/lib/integration/plans';

/** Stripe's limit for one request. */
const MAX_LOOKUP_KEYS = 10;

/** The prices with these lookup keys, including archived ones unless `filter` says otherwise. */
export async function listPrices(
  stripe: Stripe,
  lookupKeys: string[],
  filter: Stripe.PriceListParams = {},
): Promise<Stripe.Price[]> {
  const prices: Stripe.Price[] = [];
  for (let start = 0; start < lookupKeys.length; start += MAX_LOOKUP_KEYS) {
    const lookup_keys = lookupKeys.slice(start, start + MAX_LOOKUP_KEYS);
    prices.push(...(await stripe.prices.list({ ...filter, lookup_keys, limit: 100 })).data);
  }
  return prices;
}

/** The plan of a price, or `null`. Its metadata comes first: the lookup key moves when a plan gets a new price. */
export const planOf = ({ metadata, lookup_key }: Stripe.Price): Plan | null =>
  findPlan(metadata.plan) ?? findPlan(lookup_key);

/** Whether a subscription is to a plan; it may have add-ons as well, such as seats. */
export const hasPlan = ({ items }: Stripe.Subscription): boolean => items.data.some(({ price }) => planOf(price));

/** The name of a plan that the subscription has and plans.ts does not; `null` if there is none. */
export const unknownPlanOf = (subscription: Stripe.Subscription): string | null =>
  hasPlan(subscription)
    ? null
    : (subscription.items.data.map(({ price }) => price.metadata.plan).find(Boolean) ?? null);

/** Typed by SDKs since version 22. */
type Presented = { presentment_details?: { presentment_currency: string } | null };

/**
 * What a period of a subscription costs, in minor units, or null if that is unknown: with add-ons or a discount, of a price that has
 * tiers, is metered or sold in packages, and in another currency than the price's first, whose amount Stripe does not send (with
 * Adaptive Pricing `presentment_details` names it).
 * @param subscription with its customer expanded: a discount of the customer lowers it, too
 */
export function periodAmount(subscription: Stripe.Subscription & Presented): number | null {
  const { items, discounts, customer, currency, presentment_details: presented } = subscription;
  const [item, ...addOns] = items.data;
  if (!item || addOns.length > 0) return null;
  if (presented && presented.presentment_currency !== currency) return null;
  const { price, quantity = 1 } = item;
  const ofCustomer = typeof customer === 'string' || customer.deleted ? null : customer.discount;
  if (ofCustomer || discounts?.length || item.discounts?.length) return null;
  if (price.recurring?.usage_type === 'metered' || price.transform_quantity) return null;
  return price.currency === currency && price.unit_amount !== null ? price.unit_amount * quantity : null;
}
