import 'server-only';
import { invalidRequest } from '../api/stripe-fault';
import type { InvoiceLine } from '../objects/invoice-line';
import { buildPlan } from '../objects/price';
import type { SubscriptionItem } from '../objects/subscription';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import { addInterval } from './add-interval';
import { collectInvoice } from './collect-invoice';
import { issueInvoice } from './issue-invoice';
import { prorate } from './proration';
import { periodEnd } from './subscription-state';

type Change = {
  id: string;
  price: string;
  quantity?: number | undefined;
  proration: 'always_invoice' | 'create_prorations' | 'none';
};

/**
 * Moves a subscription's item to another price. With another interval a new period begins today, and its price is
 * invoiced; with the same one the rest of the period is, if prorations are to be invoiced now. What is left of the old
 * price counts against it. A credit that is left over is dropped: the sandbox keeps no customer balance.
 */
export async function changePlan(store: Store, subscription: ApiObject<'subscription'>, change: Change): Promise<void> {
  const item = subscription.items.data.find(({ id }) => id === change.id);
  if (!item) throw invalidRequest(`No such subscription item: '${change.id}'`, { param: 'items[0][id]' });
  const price = await store.get('price', change.price, 'items[0][price]');
  if (!price.recurring) throw invalidRequest('The price is not recurring.', { param: 'items[0][price]' });
  if (price.currency !== subscription.currency) {
    throw invalidRequest('All prices of a subscription must have the same currency.', { param: 'items[0][price]' });
  }
  const old = { ...item };
  const startsAnew =
    price.recurring.interval !== old.price.recurring?.interval ||
    price.recurring.interval_count !== old.price.recurring.interval_count;
  const isTrial = subscription.status === 'trialing';
  item.price = price;
  item.plan = buildPlan(price);
  item.quantity = change.quantity ?? item.quantity ?? 1;
  if (startsAnew && !isTrial) {
    item.current_period_start = store.now;
    item.current_period_end = addInterval(store.now, price.recurring);
    subscription.billing_cycle_anchor = store.now;
  }
  await store.save(subscription, { dueAt: periodEnd(subscription) });
  const isInvoicedNow = !isTrial && (startsAnew || change.proration === 'always_invoice');
  if (isInvoicedNow) await invoiceChange(store, subscription, old, item, change.proration !== 'none');
}

async function invoiceChange(
  store: Store,
  subscription: ApiObject<'subscription'>,
  old: SubscriptionItem,
  item: SubscriptionItem,
  withCredit: boolean,
): Promise<void> {
  const amounts = { oldAmount: amountOf(old), newAmount: amountOf(item) };
  const oldPeriod = { start: old.current_period_start, end: old.current_period_end };
  const { credit, charge } = prorate(amounts, oldPeriod, store.now);
  const startsAnew = item.current_period_start !== old.current_period_start;
  const rest = { start: store.now, end: item.current_period_end };
  const lines = [
    ...(withCredit ? [await changeLine(store, old, -credit, 'Unused time on', { ...rest, end: oldPeriod.end })] : []),
    startsAnew
      ? await changeLine(store, item, amounts.newAmount, '1 ×', rest, false)
      : await changeLine(store, item, charge, 'Remaining time on', rest),
  ];
  const customer = await store.get('customer', subscription.customer);
  const invoice = await issueInvoice(store, {
    customer,
    subscription,
    billingReason: 'subscription_update',
    currency: subscription.currency,
    lines,
    discount: null,
    metadata: {},
  });
  subscription.latest_invoice = invoice.id;
  await store.save(subscription);
  await collectInvoice(store, subscription, invoice);
}

async function changeLine(
  store: Store,
  item: SubscriptionItem,
  amount: number,
  words: string,
  period: { start: number; end: number },
  isProration = true,
): Promise<InvoiceLine> {
  const { name } = await store.get('product', item.price.product);
  const quantity = item.quantity ?? 1;
  return {
    price: item.price,
    quantity,
    amount,
    description: `${words} ${name}`,
    period,
    subscriptionItem: item.id,
    isProration,
    taxRates: item.tax_rates ?? [],
  };
}

const amountOf = (item: SubscriptionItem): number => (item.price.unit_amount ?? 0) * (item.quantity ?? 1);
