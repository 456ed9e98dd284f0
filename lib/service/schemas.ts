import { z } from 'zod';

// The wire names of docs/decisions/0011. Unknown fields are ignored; null, "" and absent mean the same.

/** A field that may be left out; the sentence says what it has to be where it is sent. */
function optional<T extends z.ZodType>(schema: T, sentence: string) {
  return z
    .union([schema, z.literal(''), z.null()], { error: sentence })
    .optional()
    .transform((value): z.output<T> | undefined =>
      value === '' || value === null ? undefined : (value as z.output<T>),
    );
}

const text = (max: number) => z.string().min(1).max(max);
const optionalText = (max: number) => optional(text(max), `Send a string of at most ${max} characters.`);
const requiredText = (max: number) =>
  z.string({ error: 'Required.' }).min(1, 'Required.').max(max, `At most ${max} characters.`);

const additionalData = optional(
  z.looseObject({ test_mode: optional(z.boolean(), 'Send true or false.'), program_id: optionalText(64) }),
  'Send an object; in it test_mode is true or false, and program_id a string.',
);

const CURRENCIES = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));

export const clickBody = z.object(
  {
    affiliate_url: requiredText(2048).describe(
      "The URL of the page the visitor arrived at, with the partner's code in `aff`.",
    ),
    program_id: requiredText(64),
    existing_click_id: optionalText(255).describe('The click that this visit takes over from: the last click wins.'),
    page_url: optionalText(2048),
    referrer_url: optionalText(2048),
  },
  { error: 'Send a JSON object.' },
);

export const leadBody = z.object(
  {
    customer_key: requiredText(255).describe('Your own stable user ID. Send the same one with every sale.'),
    click_id: optionalText(255).describe('From the cookie `svc_click_id`. Required unless the customer is known.'),
    email: optional(z.email().max(320), 'Send an e-mail address.'),
    program_id: optionalText(64).describe('Required without an API key.'),
    additional_data: additionalData.describe('`test_mode: true` with `program_id` makes a test lead.'),
  },
  { error: 'Send a JSON object.' },
);

export const saleBody = z.object(
  {
    customer_key: requiredText(255).describe('The one the lead was tracked with.'),
    amount_cents: z
      .int({ error: 'Send an integer, in cents.' })
      .min(1, 'At least 1.')
      .max(99_999_999, 'At most 99999999.'),
    transaction_id: requiredText(255).describe('The idempotency key: the invoice ID, else the PaymentIntent ID.'),
    currency: optional(
      z
        .string()
        .refine((code) => CURRENCIES.has(code))
        .describe('ISO 4217'),
      'Send an ISO 4217 code in lower case.',
    ).transform((code) => code ?? 'usd'),
    subscription_id: optionalText(255),
    is_recurring: optional(z.boolean(), 'Send true or false.'),
    additional_data: additionalData.describe('`test_mode: true` makes a test sale.'),
  },
  { error: 'Send a JSON object.' },
);

export type ClickBody = z.output<typeof clickBody>;
export type LeadBody = z.output<typeof leadBody>;
export type SaleBody = z.output<typeof saleBody>;

export const EVENT_KINDS = ['click', 'lead', 'sale', 'refund', 'not_attributed'] as const;

/** Query parameters arrive as text. */
export const eventsQuery = z.object({
  kind: optional(z.enum(EVENT_KINDS), `Send one of ${EVENT_KINDS.join(', ')}.`),
  test: optional(z.enum(['true', 'false']), 'Send true or false.').transform((value) =>
    value === undefined ? undefined : value === 'true',
  ),
  customer: optionalText(255).describe('A customer_key.'),
  cursor: optionalText(512).describe('`next_cursor` of the page before.'),
  limit: optional(
    z
      .string()
      .regex(/^\d{1,3}$/)
      .transform(Number)
      .pipe(z.int().min(1).max(100)),
    'Send an integer from 1 to 100.',
  ).transform((value) => value ?? 50),
});

export const customerPath = z.object({ customer_key: requiredText(255) });
