// The prices of plans, which their lookup keys name. Change in your app: nothing.
import 'server-only';
import type Stripe from 'stripe';
import { findPlan, type Plan } from '@/lib/integration/plans';

/** What Stripe takes in one request. */
const LOOKUP_KEYS_AT_ONCE = 10;

/** The prices with these lookup keys, active and archived ones unless `filter` says otherwise. */
export async function listPrices(
  stripe: Stripe,
  lookupKeys: string[],
  filter: Stripe.PriceListParams = {},
): Promise<Stripe.Price[]> {
  const prices: Stripe.Price[] = [];
  for (let start = 0; start < lookupKeys.length; start += LOOKUP_KEYS_AT_ONCE) {
    const lookup_keys = lookupKeys.slice(start, start + LOOKUP_KEYS_AT_ONCE);
    prices.push(...(await stripe.prices.list({ ...filter, lookup_keys, limit: 100 })).data);
  }
  return prices;
}

/** The plan of a price. The lookup key moves on when a plan gets a new price, so the price itself names its plan, too. */
export const planOf = ({ metadata, lookup_key }: Stripe.Price): Plan | null =>
  findPlan(metadata.plan) ?? findPlan(lookup_key);
