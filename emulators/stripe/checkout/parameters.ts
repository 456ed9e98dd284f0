// The parameters of a new Checkout Session, and which of them contradict each other.
import { z } from 'zod';
import { invalidRequest } from '../errors';
import { inlinePrice } from '../objects/catalog';
import { discounts, email, emptyOr, expand, flag, integer, metadata, text, trialSettings, url } from '../parameters';

const lineItem = z.strictObject({
  price: text.optional(),
  price_data: z.strictObject(inlinePrice).optional(),
  quantity: integer(1, 999_999).optional(),
  tax_rates: z.array(text).max(5).optional(),
});

const customText = emptyOr(z.strictObject({ message: text.max(1200) }));

const methodTypes = z.array(z.enum(['card', 'us_bank_account'])).min(1);

export const newSession = z.strictObject({
  mode: z.enum(['payment', 'subscription']),
  line_items: z.array(lineItem).min(1).max(100),
  success_url: url,
  cancel_url: url.optional(),
  automatic_tax: z.strictObject({ enabled: flag }).optional(),
  allowed_payment_method_types: methodTypes.optional(),
  billing_address_collection: z.enum(['auto', 'required']).optional(),
  client_reference_id: text.max(200).optional(),
  customer: text.optional(),
  customer_email: email.optional(),
  customer_creation: z.enum(['always', 'if_required']).optional(),
  consent_collection: z.strictObject({ terms_of_service: z.enum(['none', 'required']).optional() }).optional(),
  custom_text: z
    .strictObject({
      after_submit: customText.optional(),
      submit: customText.optional(),
      terms_of_service_acceptance: customText.optional(),
    })
    .optional(),
  customer_update: z
    .strictObject({
      address: z.enum(['auto', 'never']).optional(),
      name: z.enum(['auto', 'never']).optional(),
      shipping: z.literal('never').optional(),
    })
    .optional(),
  allow_promotion_codes: flag.optional(),
  discounts: discounts.optional(),
  expires_at: integer().optional(),
  locale: text.optional(),
  metadata: metadata.optional(),
  /** Of API versions before 2026-09-30. */
  payment_method_types: methodTypes.optional(),
  phone_number_collection: z.strictObject({ enabled: flag }).optional(),
  submit_type: z.enum(['auto', 'book', 'donate', 'pay', 'subscribe']).optional(),
  payment_method_collection: z.enum(['always', 'if_required']).optional(),
  subscription_data: z
    .strictObject({
      metadata: metadata.optional(),
      trial_end: integer().optional(),
      trial_period_days: integer(1, 730).optional(),
      trial_settings: trialSettings.optional(),
      description: emptyOr(text).optional(),
    })
    .optional(),
  payment_intent_data: z
    .strictObject({
      metadata: metadata.optional(),
      description: emptyOr(text).optional(),
      capture_method: z.enum(['automatic', 'automatic_async', 'manual']).optional(),
      receipt_email: email.optional(),
      setup_future_usage: z.enum(['off_session', 'on_session']).optional(),
    })
    .optional(),
  invoice_creation: z
    .strictObject({ enabled: flag, invoice_data: z.strictObject({ metadata: metadata.optional() }).optional() })
    .optional(),
  ui_mode: z.literal('hosted_page').optional(),
  expand,
});

export type NewSession = z.output<typeof newSession>;

/** Refuses parameters that exclude each other. */
export function refuseContradictions(given: NewSession): void {
  const { mode } = given;
  const cases: [boolean, string, string][] = [
    [
      mode === 'payment' && Boolean(given.subscription_data),
      'subscription_data',
      'You can not pass `subscription_data` in `payment` mode.',
    ],
    [
      mode === 'subscription' && Boolean(given.payment_intent_data),
      'payment_intent_data',
      'You can not pass `payment_intent_data` in `subscription` mode.',
    ],
    [
      mode === 'subscription' && Boolean(given.invoice_creation),
      'invoice_creation',
      'You can not pass `invoice_creation` in `subscription` mode.',
    ],
    [
      mode === 'subscription' && Boolean(given.customer_creation),
      'customer_creation',
      '`customer_creation` can only be used in `payment` and `setup` mode.',
    ],
    [
      Boolean(given.customer && given.customer_email),
      'customer_email',
      'You may only specify one of these parameters: customer, customer_email.',
    ],
    [
      Boolean(given.customer_update && !given.customer),
      'customer_update',
      '`customer_update` can only be used with `customer`.',
    ],
    [
      Boolean(given.subscription_data?.trial_end && given.subscription_data.trial_period_days),
      'subscription_data[trial_end]',
      'You may only specify one of these parameters: trial_end, trial_period_days.',
    ],
    [
      Boolean(given.discounts) && given.allow_promotion_codes !== undefined,
      'discounts',
      'You may only specify one of these parameters: allow_promotion_codes, discounts.',
    ],
    [
      Boolean(given.automatic_tax?.enabled) && given.line_items.some(({ tax_rates }) => tax_rates),
      'line_items[0][tax_rates]',
      'You can not pass `tax_rates` with `automatic_tax`.',
    ],
  ];
  for (const [isRefused, param, message] of cases) if (isRefused) throw invalidRequest(message, { param });
}
