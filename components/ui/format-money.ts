// Payments are kept in the provider's minor units, which differ from ISO 4217's for these: docs.stripe.com/currencies
const MINOR_DIGITS: Readonly<Record<string, number>> = { isk: 2, ugx: 2 };

const formatters = new Map<string, Intl.NumberFormat>();

function formatterOf(currency: string): Intl.NumberFormat {
  const known = formatters.get(currency);
  if (known) return known;
  const digits = MINOR_DIGITS[currency];
  const created = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    ...(digits !== undefined && { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  });
  formatters.set(currency, created);
  return created;
}

/**
 * "$19.00", "¥2,800", "−$5.00" with a minus sign, which a hyphen is not.
 * @param amount integer in the currency's minor units
 * @param currency ISO 4217, in either case
 */
export function formatMoney(amount: number, currency: string): string {
  const formatter = formatterOf(currency.toLowerCase());
  const digits = formatter.resolvedOptions().maximumFractionDigits ?? 2;
  return formatter.format(amount / 10 ** digits).replace('-', '\u2212');
}

/** "$1.2K", "¥280K": for the axis of a chart. */
export function formatMoneyShort(amount: number, currency: string): string {
  const digits = formatterOf(currency.toLowerCase()).resolvedOptions().maximumFractionDigits ?? 2;
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    notation: 'compact',
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  })
    .format(amount / 10 ** digits)
    .replace('-', '\u2212');
}
