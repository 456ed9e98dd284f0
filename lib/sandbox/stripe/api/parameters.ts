// The types of form parameters. Everything arrives as text; an empty string unsets.
import { z } from 'zod';
import { invalidRequest, type StripeFault } from './stripe-fault';

const MAX_METADATA_KEYS = 50;

export const text = z.string().min(1).max(5000);
export const integer = z.coerce.number<string>().int();
export const amount = integer.min(0).max(99_999_999);
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
export const emptyOr = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.literal('').transform(() => null), schema]);

/** Stripe's limits: 50 keys, names up to 40 and values up to 500 characters. An empty value removes its key. */
export const metadata = z
  .union([z.literal('').transform(() => ({})), z.record(z.string().max(40), z.string().max(500))])
  .refine((value) => Object.keys(value).length <= MAX_METADATA_KEYS, 'You can have up to 50 metadata keys.');

export const expand = z.array(z.string()).max(20).optional();

export const listParameters = {
  limit: integer.min(1).max(100).default(10),
  starting_after: text.optional(),
  ending_before: text.optional(),
  expand,
};

export const createdFilter = z
  .union([integer.transform((at) => ({ gte: at, lte: at })), z.strictObject(bounds())])
  .optional();

function bounds() {
  return { gt: integer.optional(), gte: integer.optional(), lt: integer.optional(), lte: integer.optional() };
}

/** Metadata after an update: given keys are set, empty ones removed, the rest stays; `''` for the whole removes all. */
export function mergeMetadata(
  current: Record<string, string>,
  change: Record<string, string> | undefined,
): Record<string, string> {
  if (!change) return current;
  if (Object.keys(change).length === 0) return {};
  return Object.fromEntries(Object.entries({ ...current, ...change }).filter(([, value]) => value !== ''));
}

/** The first thing that zod found, said as Stripe says it: with `param`, and a code for missing and unknown ones. */
export function toFault(error: z.ZodError, params: unknown): StripeFault {
  const issue = deepestIssue(error.issues[0]);
  if (!issue) return invalidRequest('Invalid request.');
  if (issue.code === 'unrecognized_keys') {
    const param = paramName([...issue.path, issue.keys[0] ?? '']);
    return invalidRequest(`Received unknown parameter: ${param}`, { param, code: 'parameter_unknown' });
  }
  const param = paramName(issue.path);
  if (valueAt(params, issue.path) === undefined) {
    return invalidRequest(`Missing required param: ${param}.`, { param, code: 'parameter_missing' });
  }
  return invalidRequest(`Invalid ${param}: ${issue.message}`, { param, code: 'parameter_invalid' });
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
