// Stripe's minor units, which are neither ISO 4217's nor Intl's: https://docs.stripe.com/currencies#zero-decimal
const ZERO_DECIMAL = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ');
const THREE_DECIMAL = 'bhd jod kwd omr tnd'.split(' ');

function digitsOf(currency: string): number {
  if (ZERO_DECIMAL.includes(currency)) return 0;
  return THREE_DECIMAL.includes(currency) ? 3 : 2;
}

const formatters = new Map<string, Intl.NumberFormat>();

function formatterOf(currency: string): Intl.NumberFormat {
  const known = formatters.get(currency);
  if (known) return known;
  const digits = digitsOf(currency);
  const created = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  formatters.set(currency, created);
  return created;
}

/**
 * "$19.00", "¥2,800", "−$5.00" with a minus sign instead of a hyphen.
 * @param amount integer in the currency's minor units
 * @param currency ISO 4217, in either case
 */
export function formatMoney(amount: number, currency: string): string {
  const code = currency.toLowerCase();
  return formatterOf(code)
    .format(amount / 10 ** digitsOf(code))
    .replace('-', '\u2212');
}

// part: service
/** How many minor units make one unit of the currency: 100 for USD, 1 for JPY. */
export const minorUnits = (currency: string): number => 10 ** digitsOf(currency.toLowerCase());

/** "$1.2K", "¥280K": for the axis of a chart. */
export function formatMoneyShort(amount: number, currency: string): string {
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  })
    .format(amount / minorUnits(currency))
    .replace('-', '\u2212');
}
// end: service
