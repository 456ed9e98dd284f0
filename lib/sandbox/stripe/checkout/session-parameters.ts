import { z } from 'zod';
import { emptyOr, expand, flag, integer, metadata, text } from '../api/parameters';
import { inlinePrice } from '../resources/prices';

const lineItem = z.strictObject({
  price: text.optional(),
  price_data: z.strictObject(inlinePrice).optional(),
  quantity: integer.min(1).max(999_999).default(1),
  tax_rates: z.array(text).max(5).optional(),
});

export const newSession = z.strictObject({
  mode: z.enum(['payment', 'subscription']),
  line_items: z.array(lineItem).min(1).max(20),
  success_url: text,
  cancel_url: text.optional(),
  client_reference_id: text.max(200).optional(),
  customer: text.optional(),
  customer_email: z.email().optional(),
  customer_creation: z.enum(['always', 'if_required']).optional(),
  customer_update: z.record(z.string(), z.string()).optional(),
  allow_promotion_codes: flag.optional(),
  discounts: z
    .array(z.strictObject({ coupon: text.optional(), promotion_code: text.optional() }))
    .max(1)
    .optional(),
  expires_at: integer.optional(),
  locale: text.optional(),
  metadata: metadata.optional(),
  payment_method_collection: z.enum(['always', 'if_required']).optional(),
  subscription_data: z
    .strictObject({
      metadata: metadata.optional(),
      trial_period_days: integer.min(1).max(730).optional(),
      description: emptyOr(text).optional(),
    })
    .optional(),
  payment_intent_data: z
    .strictObject({ metadata: metadata.optional(), description: emptyOr(text).optional() })
    .optional(),
  invoice_creation: z
    .strictObject({ enabled: flag, invoice_data: z.strictObject({ metadata: metadata.optional() }).optional() })
    .optional(),
  ui_mode: z.literal('hosted_page').optional(),
  expand,
});

export type NewSessionParameters = z.output<typeof newSession>;
