// Automatic tax: a simple, documented calculation instead of Stripe Tax. Each country in the table has one standard rate
// for everything; elsewhere (the United States among them) no tax is collected. A price whose `tax_behavior` is unspecified
// excludes tax in dollars and includes it in other currencies, as Stripe's automatic default does.
import { buildTaxRate } from '../objects/catalog';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

const STANDARD_RATES: Record<string, { name: 'VAT' | 'GST' | 'JCT'; percentage: number }> = {
  AT: { name: 'VAT', percentage: 20 },
  AU: { name: 'GST', percentage: 10 },
  BE: { name: 'VAT', percentage: 21 },
  CA: { name: 'GST', percentage: 5 },
  CH: { name: 'VAT', percentage: 8.1 },
  DE: { name: 'VAT', percentage: 19 },
  DK: { name: 'VAT', percentage: 25 },
  ES: { name: 'VAT', percentage: 21 },
  FR: { name: 'VAT', percentage: 20 },
  GB: { name: 'VAT', percentage: 20 },
  IE: { name: 'VAT', percentage: 23 },
  IT: { name: 'VAT', percentage: 22 },
  JP: { name: 'JCT', percentage: 10 },
  NL: { name: 'VAT', percentage: 21 },
  NO: { name: 'VAT', percentage: 25 },
  NZ: { name: 'GST', percentage: 15 },
  PL: { name: 'VAT', percentage: 23 },
  PT: { name: 'VAT', percentage: 23 },
  SE: { name: 'VAT', percentage: 25 },
};

type TaxedPrice = Pick<ApiObject<'price'>, 'currency' | 'tax_behavior'>;

/** Whether automatic tax is within a price. */
const isTaxIncluded = ({ currency, tax_behavior: behavior }: TaxedPrice): boolean =>
  behavior === 'inclusive' || (behavior !== 'exclusive' && currency !== 'usd' && currency !== 'cad');

/** The rates that apply to a price in a country: one, or none. They are ordinary tax rates, created when first needed. */
export async function automaticRates(
  store: Store,
  price: TaxedPrice,
  country: string | null | undefined,
): Promise<ApiObject<'tax_rate'>[]> {
  const standard = country ? STANDARD_RATES[country] : undefined;
  if (!country || !standard) return [];
  const inclusive = isTaxIncluded(price);
  const { name: display_name, percentage } = standard;
  const tax_type = display_name.toLowerCase() as 'vat' | 'gst' | 'jct';
  const [known] = await store.all('tax_rate', { country, inclusive, tax_type });
  if (known) return [known];
  return [
    await store.insert(
      buildTaxRate({ display_name, percentage, inclusive, country, tax_type, active: false, metadata: {} }, store.now),
    ),
  ];
}
