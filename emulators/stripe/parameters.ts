// Form parameters: how they are read, their types, and the errors for wrong ones. Everything arrives as text; an
// empty string unsets.
import qs from 'qs';
import { z } from 'zod';
import { type ApiError, emptyParam, invalidRequest, missingParam } from './errors';

const MAX_METADATA_KEYS = 50;
const TOO_MANY_KEYS = 'You can have up to 50 metadata keys.';

/**
 * A form body or query string as Stripe's SDK writes it: `a[b][0][c]=v`. qs stops at five levels and twenty entries
 * unless told otherwise. Objects have no prototype, so that a key like `__proto__` is only a key. Entries of arrays keep
 * their index, which may be a key of metadata.
 */
export function parseForm(text: string): Record<string, unknown> {
  return qs.parse(text, { depth: 12, arrayLimit: 1000, parameterLimit: 5000, plainObjects: true, allowSparse: true });
}

export const text = z.string().min(1).max(5000);
/** An absolute URL; it may have an app's own scheme, and contain `{CHECKOUT_SESSION_ID}`. */
export const url = text.refine((value) => /^[a-z][a-z\d+.-]*:\/\//i.test(value) && URL.canParse(value), {
  error: 'Not a valid URL',
  params: { code: 'url_invalid' },
});
/** Printable ASCII, one @, and a dot in the domain. Stripe takes addresses that `z.email()` refuses, such as `a..b@docomo.ne.jp`. */
const EMAIL = /^[!-?A-~]+@[!-\-/-?A-~]+(\.[!-\-/-?A-~]+)+$/;
export const isEmail = (value: string): boolean => EMAIL.test(value);
export const email = text.refine(isEmail, {
  error: ({ input }) => `Invalid email address: ${input}`,
  params: { code: 'email_invalid' },
});
const digits = z.string().refine((value) => /^-?\d+$/.test(value), {
  error: ({ input }) => `Invalid integer: ${input}`,
  params: { code: 'parameter_invalid_integer' },
});
export const integer = (least = Number.MIN_SAFE_INTEGER, greatest = Number.MAX_SAFE_INTEGER) =>
  digits.transform(Number).pipe(z.number().min(least).max(greatest));
/** In minor units. How much may be charged depends on the currency: pricing/limits.ts. */
export const amount = integer(0);
export const percentage = z
  .string()
  .regex(/^\d+(\.\d+)?$/, 'must be a decimal number')
  .transform(Number)
  .pipe(z.number().max(100));
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));
/** An ISO code in either case. Stripe supports fewer. */
export const currency = z
  .string()
  .refine((value) => CURRENCIES.has(value.toUpperCase()), {
    error: ({ input }) =>
      `Invalid currency: ${input}. See https://docs.stripe.com/currencies for those that Stripe supports.`,
    params: { code: 'parameter_invalid' },
  })
  .transform((value) => value.toLowerCase());
export const emptyOr = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.literal('').transform(() => null), schema]);

const entries = z.preprocess(
  (value) => (Array.isArray(value) ? { ...value } : value), // if all keys are numbers
  z.record(z.string().max(40), z.string().max(500)),
);

/** Stripe's limits: 50 keys, names up to 40 and values up to 500 characters. An empty value removes its key. */
export const metadata = z
  .union([z.literal('').transform(() => ({})), entries])
  .refine((value) => Object.keys(value).length <= MAX_METADATA_KEYS, TOO_MANY_KEYS);

export const address = z.strictObject({
  city: emptyOr(text).optional(),
  country: emptyOr(z.string().length(2)).optional(),
  line1: emptyOr(text).optional(),
  line2: emptyOr(text).optional(),
  postal_code: emptyOr(text).optional(),
  state: emptyOr(text).optional(),
});

/** What happens at the end of a trial without a payment method. */
export const trialSettings = z.strictObject({
  end_behavior: z.strictObject({ missing_payment_method: z.enum(['cancel', 'create_invoice']) }),
});

/** One discount at most: a coupon, by itself or by a promotion code. */
export const discounts = z.array(z.strictObject({ coupon: text.optional(), promotion_code: text.optional() })).max(1);

/** Whether the payment method that pays an invoice becomes the subscription's default. */
export const paymentSettings = z.strictObject({
  save_default_payment_method: z.enum(['off', 'on_subscription']).optional(),
});

/** What a change within a period costs is invoiced at once, invoiced with the next period, or not charged. */
export const prorationBehavior = z.enum(['always_invoice', 'create_prorations', 'none']);

/** Why a customer cancels. */
export const cancellationReason = z.enum([
  'customer_service',
  'low_quality',
  'missing_features',
  'other',
  'switched_service',
  'too_complex',
  'too_expensive',
  'unused',
]);

export const expand = z.array(z.string()).max(20).optional();

const bounds = {
  gt: integer().optional(),
  gte: integer().optional(),
  lt: integer().optional(),
  lte: integer().optional(),
};

export const listParameters = {
  limit: integer(1, 100).default(10),
  starting_after: text.optional(),
  ending_before: text.optional(),
  created: z.union([integer().transform((at) => ({ gte: at, lte: at })), z.strictObject(bounds)]).optional(),
  expand,
};

/** Metadata after an update: given keys are set, empty ones removed, the rest stays; `''` for the whole removes all. */
export function mergeMetadata(
  current: Record<string, string> | null,
  change: Record<string, string> | undefined,
): Record<string, string> {
  if (!change) return current ?? {};
  if (Object.keys(change).length === 0) return {};
  const merged = Object.entries({ ...current, ...change }).filter(([, value]) => value !== '');
  if (merged.length > MAX_METADATA_KEYS) throw invalidRequest(TOO_MANY_KEYS, { param: 'metadata' });
  return Object.fromEntries(merged);
}

type Update = { metadata?: Record<string, string> | undefined; expand?: string[] | undefined };

/** Changes an object by the parameters of an update: metadata is merged, every other parameter replaces its field. */
export function applyUpdate(
  object: { metadata: Record<string, string> | null },
  { metadata: change, expand: _expand, ...given }: Update,
): void {
  Object.assign(object, given, { metadata: mergeMetadata(object.metadata, change) });
}

/** The first problem that zod found, as Stripe words it: with `param`, and a code for missing and unknown ones. */
export function toApiError(error: z.ZodError, params: unknown): ApiError {
  const issue = deepestIssue(error.issues[0]);
  if (!issue) return invalidRequest('Invalid request.');
  if (issue.code === 'unrecognized_keys') {
    const param = paramName([...issue.path, issue.keys[0] ?? '']);
    return invalidRequest(
      `Received unknown parameter: ${param}. Stripe has no such parameter here, or the Stripe emulator does not cover it.`,
      { param, code: 'parameter_unknown' },
    );
  }
  const param = paramName(issue.path);
  if (valueAt(params, issue.path) === undefined) {
    return missingParam(param);
  }
  if (valueAt(params, issue.path) === '') return emptyParam(param);
  if (issue.code === 'custom' && issue.params?.code) {
    return invalidRequest(issue.message, { param, code: String(issue.params.code) });
  }
  const limits = issue.code === 'invalid_value' ? ' The Stripe emulator does not cover other values.' : '';
  return invalidRequest(`Invalid ${param}: ${issue.message}${limits}`, { param, code: 'parameter_invalid' });
}

function deepestIssue(issue: z.core.$ZodIssue | undefined, path: PropertyKey[] = []): z.core.$ZodIssue | undefined {
  if (!issue) return undefined;
  const here = { ...issue, path: [...path, ...issue.path] };
  return issue.code === 'invalid_union' ? (deepestIssue(issue.errors.at(-1)?.[0], here.path) ?? here) : here;
}

const valueAt = (value: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);

const paramName = ([first = '', ...rest]: PropertyKey[]): string =>
  String(first) + rest.map((key) => `[${String(key)}]`).join('');

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** The fields that were given. */
export const defined = <T extends object>(value: T): Defined<T> =>
  Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as Defined<T>;
