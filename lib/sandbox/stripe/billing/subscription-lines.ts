import 'server-only';
import type { InvoiceLine } from '../objects/invoice-line';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

/** What a subscription's current period costs, a line per item. During a trial the lines stand there at zero. */
export async function subscriptionLines(
  store: Store,
  subscription: ApiObject<'subscription'>,
  { isTrial = false } = {},
): Promise<InvoiceLine[]> {
  const lines: InvoiceLine[] = [];
  for (const item of subscription.items.data) {
    const product = await store.get('product', item.price.product);
    const quantity = item.quantity ?? 1;
    lines.push({
      price: item.price,
      quantity,
      amount: isTrial ? 0 : (item.price.unit_amount ?? 0) * quantity,
      description: isTrial ? `Trial period for ${product.name}` : `${quantity} × ${product.name}`,
      period: { start: item.current_period_start, end: item.current_period_end },
      subscriptionItem: item.id,
      isProration: false,
      taxRates: item.tax_rates ?? [],
    });
  }
  return lines;
}
