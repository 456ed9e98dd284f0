import qs from 'qs';

/**
 * A form body or query string as Stripe's SDK writes it: `a[b][0][c]=v`. qs stops at five levels and twenty entries
 * unless told otherwise. Objects have no prototype, so that a key like `__proto__` is only a key.
 */
export function parseForm(text: string): Record<string, unknown> {
  return qs.parse(text, { depth: 12, arrayLimit: 1000, parameterLimit: 5000, plainObjects: true });
}
