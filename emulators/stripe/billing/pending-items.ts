// Invoice items that wait for the next invoice of their customer or subscription.
import { invalidRequest } from '../errors';
import type { InvoiceLine } from '../objects/invoices';
import { CURRENT_STATUSES, hasEnded } from '../objects/subscriptions';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

/** The invoice items of a subscription that wait for an invoice. */
export const itemsOf = (
  store: Store,
  { id, customer }: ApiObject<'subscription'>,
): Promise<ApiObject<'invoiceitem'>[]> =>
  store.all('invoiceitem', { customer, invoice: null, parent: { subscription_details: { subscription: id } } });

/** The invoice items that wait for this invoice: of the customer, of the subscription, and of those that have ended. */
export async function pendingItems(
  store: Store,
  { customer, subscription, currency }: { customer: string; subscription: string | null; currency: string },
): Promise<ApiObject<'invoiceitem'>[]> {
  const ended = (await store.all('subscription', { customer })).filter(hasEnded);
  const owners = [null, subscription, ...ended.map(({ id }) => id)];
  const items = await store.all('invoiceitem', { customer, currency, invoice: null });
  return items.filter(({ parent }) => owners.includes(parent?.subscription_details?.subscription ?? null));
}

export async function pendingLine(store: Store, item: ApiObject<'invoiceitem'>): Promise<InvoiceLine> {
  const priceId = item.pricing?.price_details?.price;
  return {
    price: priceId ? await store.get('price', priceId) : null,
    quantity: item.quantity,
    amount: item.amount,
    description: item.description ?? 'Invoice item',
    period: item.period,
    subscriptionItem: item.parent?.subscription_details?.subscription_item ?? null,
    invoiceItem: item.id,
    isProration: item.proration,
    taxRates: item.tax_rates ?? [],
    metadata: item.proration ? null : item.metadata,
  };
}

/** @throws ApiError if a subscription or an item of the customer is still to be invoiced in another currency */
export async function refuseMixedCurrencies(store: Store, customer: string, currency: string): Promise<void> {
  const subscriptions = await store.all('subscription', { customer, status: CURRENT_STATUSES });
  const items = await store.all('invoiceitem', { customer, invoice: null });
  const other = [...subscriptions, ...items].find((one) => one.currency !== currency);
  if (!other) return;
  throw invalidRequest(
    `You cannot combine currencies on a single customer. This customer has an active subscription, subscription schedule, discount, quote, or invoice item with currency ${other.currency}.`,
  );
}
