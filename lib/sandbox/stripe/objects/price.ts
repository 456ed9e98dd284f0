import { newId } from '../api/new-id';
import type { Cadence } from '../billing/add-interval';
import type { ApiObject } from '../wire';

type NewPrice = {
  currency: string;
  product: string;
  unit_amount: number;
  recurring?: Cadence | undefined;
  active?: boolean | undefined;
  lookup_key?: string | null | undefined;
  nickname?: string | null | undefined;
  tax_behavior?: 'exclusive' | 'inclusive' | 'unspecified' | undefined;
  metadata?: Record<string, string> | undefined;
};

export function buildPrice(given: NewPrice, now: number): ApiObject<'price'> {
  return {
    id: newId('price'),
    object: 'price',
    active: given.active ?? true,
    billing_scheme: 'per_unit',
    created: now,
    currency: given.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: given.lookup_key ?? null,
    metadata: given.metadata ?? {},
    nickname: given.nickname ?? null,
    product: given.product,
    recurring: given.recurring
      ? { ...given.recurring, meter: null, trial_period_days: null, usage_type: 'licensed' }
      : null,
    tax_behavior: given.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: given.recurring ? 'recurring' : 'one_time',
    unit_amount: given.unit_amount,
    unit_amount_decimal: String(given.unit_amount),
  };
}

/** The older form of a recurring price, which subscription items still carry. */
export function buildPlan(price: ApiObject<'price'>) {
  return {
    id: price.id,
    object: 'plan' as const,
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit' as const,
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: {},
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed' as const,
  };
}
