import { z } from 'zod';
import { cleanUrl, isOpaqueId, readEmail, searchableId } from './clean-input';
import { dropField } from './log';

// The wire names of docs/decisions/0005. Unknown fields are ignored; null, "" and absent mean the same.

/** An optional field; the sentence says what to send. */
function optional<T extends z.ZodType>(schema: T, sentence: string) {
  return z
    .union([schema, z.literal(''), z.null()], { error: sentence })
    .optional()
    .transform((value): z.output<T> | undefined =>
      value === '' || value === null ? undefined : (value as z.output<T>),
    );
}

/** A required string; the sentence is the error for a value of another type. */
const requiredText = (sentence: string) =>
  z.string({ error: ({ input }) => (input === undefined || input === null ? 'Required.' : sentence) });

const ID = 'Send a string of 1 to 255 printable characters.';
/** An ID of another system: opaque, never matched against a pattern. */
const opaqueId = requiredText(ID)
  .min(1, { error: 'Required.', abort: true })
  .max(255, { error: 'At most 255 characters.', abort: true })
  .refine(isOpaqueId, 'Send printable characters.')
  .meta({ pattern: '^[^\\x00-\\x1F\\x7F-\\x9F]*$' }); // `isOpaqueId`, as far as a pattern that works in every language can express it
const optionalId = optional(opaqueId, ID);

/** An optional field that is dropped, with a log line, if it cannot be read: it never costs the rest. */
const lenient = <T>(name: string, read: (value: unknown) => T | null, description: string, json: object = {}) =>
  z
    .unknown()
    .optional()
    .transform((value): T | undefined => {
      if (value === undefined || value === null || value === '') return undefined;
      return read(value) ?? dropField(name) ?? undefined;
    })
    .meta({ type: ['string', 'null'], description, ...json });

const idOrNull = (value: unknown): string | null => (isOpaqueId(value) ? value : null);

function flagOrNull(value: unknown): boolean | null {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' ? false : null;
}

// Test mode is read strictly: a test must not count as a live record or in another program.
const additionalData = optional(
  z.union([
    z.looseObject({ test_mode: z.literal(true), program_id: optionalId }),
    z.looseObject({
      test_mode: optional(z.literal(false), 'Send true or false.'),
      program_id: lenient('additional_data.program_id', idOrNull, 'Dropped if it is not an ID.'),
    }),
  ]),
  'Send an object; in it test_mode is true or false, and program_id a string.',
);

const CURRENCY = 'Send an ISO 4217 code in lower case.';
const CURRENCIES = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()));

export const clickBody = z.object(
  {
    affiliate_url: requiredText('Send a string.')
      .min(1, 'Required.')
      .transform((url) => cleanUrl(url, { keepsAff: true }) ?? url) // one that is not a URL is refused, and never stored
      .describe("The URL of the page the visitor arrived at, with the partner's code in `aff`."),
    program_id: opaqueId,
    existing_click_id: lenient(
      'existing_click_id',
      idOrNull,
      'The click that this visit replaces: the last click wins.',
    ),
    page_url: lenient('page_url', cleanUrl, 'Shortened if necessary, and stored without email addresses.'),
    referrer_url: lenient('referrer_url', cleanUrl, 'Shortened if necessary, and stored without email addresses.'),
  },
  { error: 'Send a JSON object.' },
);

export const leadBody = z
  .object(
    {
      customer_key: opaqueId.describe(
        'Your own stable user ID, and not an email address: an erasure does not remove it. Send the same one with every sale.',
      ),
      // A value that is too long or unprintable is an unknown click, not a malformed lead: cookies can be tampered with.
      click_id: optional(z.string().transform(searchableId), 'Send a string.').describe(
        'From the cookie `svc_click_id`. Required unless the customer is known.',
      ),
      email: lenient('email', readEmail, 'Dropped if it is not an email address.'),
      program_id: optionalId.describe('Required without an API key.'),
      additional_data: additionalData.describe('`test_mode: true` with `program_id` creates a test lead.'),
    },
    { error: 'Send a JSON object.' },
  )
  .refine(({ program_id: id, additional_data: { program_id: named = id } = {} }) => !id || id === named, {
    path: ['program_id'],
    error: 'Send the program_id of additional_data, or none.',
  });

export const saleBody = z.object(
  {
    customer_key: opaqueId.describe('The one the lead was tracked with.'),
    amount_cents: z
      .int({ error: 'Send an integer, in minor units of the currency.' })
      .min(1, 'At least 1.')
      .meta({ format: 'int64' })
      .describe('In minor units of the currency, as in Stripe: cents for USD, yen for JPY. Without tax.'),
    transaction_id: opaqueId.describe('The idempotency key: the invoice ID, else the PaymentIntent ID.'),
    currency: optional(
      z
        .string()
        .refine((code) => CURRENCIES.has(code), CURRENCY)
        .meta({
          description: 'ISO 4217, in lower case. Default `usd`.',
          pattern: '^[a-z]{3}$',
        }),
      CURRENCY,
    ).transform((code) => code ?? 'usd'),
    subscription_id: lenient('subscription_id', idOrNull, 'Groups the payments of one subscription.'),
    is_recurring: lenient(
      'is_recurring',
      flagOrNull,
      'Whether it is a renewal. Dropped if it is neither true nor false.',
      {
        type: ['boolean', 'null'],
      },
    ),
    additional_data: additionalData.describe('`test_mode: true` creates a test sale.'),
  },
  { error: 'Send a JSON object.' },
);

export type ClickBody = z.output<typeof clickBody>;
export type LeadBody = z.output<typeof leadBody>;
export type SaleBody = z.output<typeof saleBody>;

export const EVENT_KINDS = ['click', 'lead', 'sale', 'refund', 'not_attributed'] as const;

const CURSOR = 'Send a string of at most 512 characters.';
const LIMIT = 'Send an integer from 1 to 100.';

/** Query parameters arrive as text. */
export const eventsQuery = z.object({
  kind: optional(z.enum(EVENT_KINDS), `Send one of ${EVENT_KINDS.join(', ')}.`),
  test: optional(z.enum(['true', 'false']), 'Send true or false.').transform((value) =>
    value === undefined ? undefined : value === 'true',
  ),
  customer: optionalId.describe('A customer_key.'),
  cursor: optional(z.string().min(1).max(512, CURSOR), CURSOR).describe('`next_cursor` of the previous page.'),
  limit: z
    .unknown()
    .optional()
    .refine((value) => !value || (/^\d{1,3}$/.test(String(value)) && Number(value) >= 1 && Number(value) <= 100), LIMIT)
    .transform((value) => (value ? Number(value) : 50))
    .meta({ type: 'integer', minimum: 1, maximum: 100, description: 'Default 50.' }),
});

export const customerPath = z.object({ customer_key: opaqueId });
