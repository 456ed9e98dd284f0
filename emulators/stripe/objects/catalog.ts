// What is sold, and how it is taxed.
import { z } from 'zod';
import { createId } from '../../core/ids';
import {
  amount,
  currency,
  emptyOr,
  expand,
  flag,
  integer,
  mergeMetadata,
  metadata,
  percentage,
  text,
  url,
} from '../parameters';
import type { ApiObject } from '../wire';
import { build } from './build';

/** An empty string for a list empties it. */
const listOfUpTo = <Schema extends z.ZodType>(max: number, entry: Schema) =>
  emptyOr(z.array(entry).max(max)).transform((list) => list ?? []);

/** A product defined inline in a request. */
const writtenProduct = {
  name: text,
  active: flag.optional(),
  description: emptyOr(text).optional(),
  images: listOfUpTo(8, url).optional(),
  metadata: metadata.optional(),
  statement_descriptor: text.max(22).optional(),
  tax_code: emptyOr(text).optional(),
  unit_label: emptyOr(text.max(12)).optional(),
};

export const newProduct = {
  ...writtenProduct,
  marketing_features: listOfUpTo(15, z.strictObject({ name: text.max(80) })).optional(),
  shippable: flag.optional(),
  url: emptyOr(url).optional(),
};

type NewProduct = z.output<z.ZodObject<typeof newProduct>> & { id?: string | undefined };

export function buildProduct(given: NewProduct, now: number): ApiObject<'product'> {
  return build('product', {
    id: given.id ?? createId('prod', 14),
    active: given.active ?? true,
    created: now,
    default_price: null,
    description: given.description,
    images: given.images ?? [],
    marketing_features: given.marketing_features ?? [],
    metadata: mergeMetadata({}, given.metadata),
    name: given.name,
    shippable: given.shippable,
    statement_descriptor: given.statement_descriptor ?? null,
    tax_code: given.tax_code ?? null,
    type: 'service',
    unit_label: given.unit_label ?? null,
    updated: now,
    url: given.url,
  });
}

/** Three years of each. */
const LONGEST = { day: 1095, week: 156, month: 36, year: 3 };

const recurring = z
  .strictObject({
    interval: z.enum(['day', 'week', 'month', 'year']),
    interval_count: integer(1).default(1),
    /** Stored only for the API to show; subscriptions have the trial that they are created with. */
    trial_period_days: integer(1, 730).optional(),
    usage_type: z.literal('licensed').optional(),
  })
  .refine(({ interval, interval_count: count }) => count <= LONGEST[interval], {
    error: 'An interval is at most three years long.',
    path: ['interval_count'],
  });

/** A price defined in a request: on its own, or inline in a session's line items. */
export const inlinePrice = {
  currency,
  unit_amount: amount,
  product: text.optional(),
  product_data: z.strictObject(writtenProduct).optional(),
  recurring: recurring.optional(),
  tax_behavior: z.enum(['exclusive', 'inclusive', 'unspecified']).optional(),
};

export const namedPrice = z.strictObject({
  ...inlinePrice,
  active: flag.optional(),
  lookup_key: text.max(200).optional(),
  nickname: text.optional(),
  metadata: metadata.optional(),
});

type NewPrice = Omit<z.output<typeof namedPrice>, 'product'> & { product: string };

export function buildPrice(given: NewPrice, now: number): ApiObject<'price'> {
  return build('price', {
    id: createId('price', 24),
    active: given.active ?? true,
    billing_scheme: 'per_unit',
    created: now,
    currency: given.currency,
    lookup_key: given.lookup_key,
    metadata: mergeMetadata({}, given.metadata),
    nickname: given.nickname,
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
    type: given.recurring ? 'recurring' : 'one_time',
    unit_amount: given.unit_amount,
    unit_amount_decimal: String(given.unit_amount),
  });
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

export const taxRate = {
  active: flag.optional(),
  country: text.length(2).optional(),
  description: text.optional(),
  display_name: text.max(100),
  jurisdiction: text.max(50).optional(),
  metadata: metadata.optional(),
  expand,
};

export const newTaxRate = z.strictObject({ ...taxRate, percentage, inclusive: flag });

/** The type is set for the rates of automatic tax alone. */
type NewTaxRate = z.output<typeof newTaxRate> & { tax_type?: ApiObject<'tax_rate'>['tax_type'] };

export function buildTaxRate(given: NewTaxRate, now: number): ApiObject<'tax_rate'> {
  return build('tax_rate', {
    id: createId('txr', 24),
    active: given.active ?? true,
    country: given.country,
    created: now,
    description: given.description,
    display_name: given.display_name,
    effective_percentage: given.percentage,
    inclusive: given.inclusive,
    jurisdiction: given.jurisdiction,
    metadata: mergeMetadata({}, given.metadata),
    percentage: given.percentage,
    rate_type: 'percentage',
    tax_type: given.tax_type,
  });
}
