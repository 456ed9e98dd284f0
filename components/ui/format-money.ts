// Stripe's minor units, which are neither ISO 4217's nor Intl's: https://docs.stripe.com/currencies#zero-decimal
const ZERO_DECIMAL = 'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' ');
const THREE_DECIMAL = 'bhd jod kwd omr tnd'.split(' ');

function digitsOf(currency: string): number {
  if (ZERO_DECIMAL.includes(currency)) return 0;
  return THREE_DECIMAL.includes(currency) ? 3 : 2;
}

type Format = (value: number) => string;

const formats = new Map<string, Format>();

function formatOf(currency: string): Format {
  const known = formats.get(currency);
  if (known) return known;
  const digits = digitsOf(currency);
  const created = createFormat(currency, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  formats.set(currency, created);
  return created;
}

/** Intl accepts only three-letter codes. A longer one, such as the stablecoin "usdc", goes before the number, as Intl puts unknown codes. */
function createFormat(currency: string, options: Intl.NumberFormatOptions): Format {
  const isIso = currency.length === 3;
  const { format } = new Intl.NumberFormat('en-US', { ...options, ...(isIso && { style: 'currency', currency }) });
  return (value) => `${isIso ? '' : `${currency.toUpperCase()}\u00a0`}${format(value)}`.replace('-', '\u2212');
}

/**
 * "$19.00", "¥2,800", "−$5.00" with a minus sign instead of a hyphen.
 * @param amount integer in the currency's minor units
 * @param currency in either case
 */
export function formatMoney(amount: number, currency: string): string {
  const code = currency.toLowerCase();
  return formatOf(code)(amount / 10 ** digitsOf(code));
}

// part: service
/** How many minor units make one unit of the currency: 100 for USD, 1 for JPY. */
export const minorUnits = (currency: string): number => 10 ** digitsOf(currency.toLowerCase());

/** "$1.2K", "¥280K": for the axis of a chart. */
export function formatMoneyShort(amount: number, currency: string): string {
  const format = createFormat(currency, { notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 });
  return format(amount / minorUnits(currency));
}
// end: service
