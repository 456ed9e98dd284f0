// How the pages and the trace write amounts, times and failures: one format each.

// Stripe's minor units, which are neither ISO 4217's nor Intl's: https://docs.stripe.com/currencies#zero-decimal
const ZERO_DECIMAL = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ');
const THREE_DECIMAL = 'bhd jod kwd omr tnd'.split(' ');

function digitsOf(currency: string): number {
  if (ZERO_DECIMAL.includes(currency)) return 0;
  return THREE_DECIMAL.includes(currency) ? 3 : 2;
}

/**
 * "$19.00", "¥2,800", "−$5.00".
 * @param amount integer in the currency's minor units
 * @param currency ISO 4217, in either case
 */
export function formatMoney(amount: number, currency: string): string {
  const digits = digitsOf(currency.toLowerCase());
  const formatter = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return formatter.format(amount / 10 ** digits).replace('-', '\u2212');
}

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone: 'UTC' });

/** "21 Nov 2026" */
export const formatDate = (value: Date): string => day.format(value).replace('Sept', 'Sep');

/** "21 Nov 2026, 00:54 UTC" */
export const formatMinute = (value: Date): string => `${formatDate(value)}, ${clock.format(value).slice(0, 5)} UTC`;

/** "21 Nov 2026, 00:54:12 UTC" */
export const formatTime = (value: Date): string => `${formatDate(value)}, ${clock.format(value)} UTC`;

/** "379 ms", and from ten seconds on, "24 s" */
export const formatDuration = (ms: number): string => (ms < 10_000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`);

/** JSON with line breaks; other text as it is. */
export function formatBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** What failed, and why: "fetch failed: connect ECONNREFUSED …". Where a name has several addresses, only the code says why. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { message, code, name, cause } = error as NodeJS.ErrnoException;
  return `${message || code || name}${cause ? `: ${describeError(cause)}` : ''}`;
}

/** "1 event", "3 events" */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
