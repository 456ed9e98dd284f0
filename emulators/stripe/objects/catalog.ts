// What is sold, and how it is taxed.
import { createId } from '../../core/ids';
import type { Cadence } from '../pricing/periods';
import type { ApiObject } from '../wire';

type NewProduct = {
  id?: string | undefined;
  name: string;
  active?: boolean | undefined;
  description?: string | null | undefined;
  images?: string[] | undefined;
  marketing_features?: { name: string }[] | undefined;
  metadata?: Record<string, string> | undefined;
  shippable?: boolean | undefined;
  statement_descriptor?: string | undefined;
  tax_code?: string | null | undefined;
  unit_label?: string | null | undefined;
  url?: string | null | undefined;
};

export function buildProduct(given: NewProduct, now: number): ApiObject<'product'> {
  return {
    id: given.id ?? createId('prod', 14),
    object: 'product',
    active: given.active ?? true,
    created: now,
    default_price: null,
    description: given.description ?? null,
    images: given.images ?? [],
    livemode: false,
    marketing_features: given.marketing_features ?? [],
    metadata: given.metadata ?? {},
    name: given.name,
    package_dimensions: null,
    shippable: given.shippable ?? null,
    statement_descriptor: given.statement_descriptor ?? null,
    tax_code: given.tax_code ?? null,
    tax_details: null,
    type: 'service',
    unit_label: given.unit_label ?? null,
    updated: now,
    url: given.url ?? null,
  };
}

type NewPrice = {
  currency: string;
  product: string;
  unit_amount: number;
  /** The trial is stored only for the API to show; subscriptions have the one that they are created with. */
  recurring?: (Cadence & { trial_period_days?: number | undefined }) | undefined;
  active?: boolean | undefined;
  lookup_key?: string | null | undefined;
  nickname?: string | null | undefined;
  tax_behavior?: 'exclusive' | 'inclusive' | 'unspecified' | undefined;
  metadata?: Record<string, string> | undefined;
};

export function buildPrice(given: NewPrice, now: number): ApiObject<'price'> {
  return {
    id: createId('price', 24),
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
      ? {
          ...given.recurring,
          meter: null,
          trial_period_days: given.recurring.trial_period_days ?? null,
          usage_type: 'licensed',
        }
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
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: price.recurring?.trial_period_days ?? null,
    usage_type: 'licensed' as const,
  };
}

type NewTaxRate = {
  display_name: string;
  percentage: number;
  inclusive: boolean;
  active?: boolean | undefined;
  country?: string | undefined;
  description?: string | undefined;
  jurisdiction?: string | undefined;
  /** Set for the rates of automatic tax alone. */
  tax_type?: ApiObject<'tax_rate'>['tax_type'];
  metadata: Record<string, string>;
};

export function buildTaxRate(given: NewTaxRate, now: number): ApiObject<'tax_rate'> {
  return {
    id: createId('txr', 24),
    object: 'tax_rate',
    active: given.active ?? true,
    country: given.country ?? null,
    created: now,
    description: given.description ?? null,
    display_name: given.display_name,
    effective_percentage: given.percentage,
    flat_amount: null,
    inclusive: given.inclusive,
    jurisdiction: given.jurisdiction ?? null,
    jurisdiction_level: null,
    livemode: false,
    metadata: given.metadata,
    percentage: given.percentage,
    rate_type: 'percentage',
    state: null,
    tax_type: given.tax_type ?? null,
  };
}
