// A subscription's life: it starts, renews, and ends.
import { notCovered } from '../errors';
import type { SessionItem } from '../objects/checkout-sessions';
import type { InvoiceLine, NewInvoice } from '../objects/invoices';
import { buildSubscription, hasEnded, type NewSubscription, type SubscriptionItem } from '../objects/subscriptions';
import { addInterval, isTrialEnding, nextChangeAt, type Period, renewsOrEndsAt } from '../pricing/periods';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import { automaticRates } from './automatic-tax';
import { cancelSubscription, endWithPeriod } from './cancel-subscription';
import { collectInvoice, collectUnlessPaused, defaultMethod, overdueInvoice } from './collection';
import { amountOf, currentDiscount, discountByItem, giveDiscount, type SubscriptionState } from './discounts';
import { announceStatus, invoiceSubscription, voidInvoice } from './invoices';

type Subscription = ApiObject<'subscription'>;

type Start = Omit<NewSubscription, 'items'> & {
  items: SessionItem[];
  coupon: string | null;
  promotionCode?: string | null;
};

const HOUR = 3_600;
/** How long a first invoice may stay unpaid. */
const HOURS_UNTIL_EXPIRED = 23;

/**
 * A subscription and its first invoice, which is not marked as paid yet. If it awaits its payment, the subscription is
 * incomplete until then: nothing is retried, and it expires unless the invoice is paid in time.
 */
export async function startSubscription(
  store: Store,
  given: Start,
): Promise<{ subscription: Subscription; invoice: ApiObject<'invoice'> }> {
  const { customer, hasAutomaticTax } = given;
  const recurring = given.items
    .filter(({ price }) => price.recurring)
    .map((item) => (hasAutomaticTax ? { ...item, taxRates: [] } : item));
  const subscription = buildSubscription({ ...given, items: recurring }, store.now);
  checkIntervals(subscription);
  if (given.coupon) {
    const { coupon, promotionCode = null } = given;
    const owner = { customer: customer.id, promotionCode, appliesTo: { subscription: subscription.id } };
    subscription.discounts = [(await giveDiscount(store, coupon, owner)).id];
  }
  await store.insert(subscription, { dueAt: nextChangeAt(subscription, store.now) });
  const once = given.items.filter(({ price }) => !price.recurring).map((item) => oneTimeLine(item, store.now));
  const invoice = await invoicePeriod(store, subscription, { customer, billingReason: 'subscription_create', once });
  if (subscription.status === 'incomplete' && invoice.amount_due === 0) subscription.status = 'active';
  const isIncomplete = subscription.status === 'incomplete';
  await store.save(subscription, isIncomplete ? { dueAt: store.now + HOURS_UNTIL_EXPIRED * HOUR } : {});
  store.emit('customer.subscription.created', subscription);
  if (isTrialEnding(subscription, store.now)) store.emit('customer.subscription.trial_will_end', subscription);
  return { subscription, invoice };
}

/** All items renew together. */
export function checkIntervals({ items }: Subscription): void {
  const intervals = new Set(
    items.data.map(({ price: { recurring } }) => `${recurring?.interval_count} ${recurring?.interval}`),
  );
  if (intervals.size > 1) throw notCovered('a subscription whose items have different intervals', 'items');
}

/**
 * What is due on a subscription: its end, the next attempt at an overdue invoice, or its next period. If the overdue
 * invoice was voided, nothing is due before the period ends.
 */
export async function runDueSubscription(store: Store, subscription: Subscription): Promise<void> {
  const overdue = await overdueInvoice(store, subscription);
  const next = renewsOrEndsAt(subscription);
  if (hasEnded(subscription)) await store.save(subscription, { dueAt: null });
  else if (subscription.status === 'incomplete') await expireIncomplete(store, subscription);
  else if (hasReachedEnd(subscription, store.now)) await endWithPeriod(store, subscription);
  else if (overdue) await retryOverdue(store, subscription, overdue);
  else if (store.now < next) await waitFor(store, subscription, next);
  else if (await endsWithTrial(store, subscription)) await cancelSubscription(store, subscription);
  else await renew(store, subscription);
}

const hasReachedEnd = ({ cancel_at: end }: Subscription, now: number): boolean => end !== null && end <= now;

/** Nothing changes before then; only the end of a trial is reported. */
async function waitFor(store: Store, subscription: Subscription, next: number): Promise<void> {
  if (isTrialEnding(subscription, store.now)) store.emit('customer.subscription.trial_will_end', subscription);
  await store.save(subscription, { dueAt: next });
}

/** Whether the subscription ends with its trial: if that is agreed and there is nothing to charge. */
async function endsWithTrial(store: Store, subscription: Subscription): Promise<boolean> {
  const { status, trial_settings: settings, customer } = subscription;
  if (status !== 'trialing' || settings?.end_behavior.missing_payment_method !== 'cancel') return false;
  return (await defaultMethod(store, subscription, customer)) === null;
}

async function expireIncomplete(store: Store, subscription: Subscription): Promise<void> {
  const invoice = await store.get('invoice', subscription.latest_invoice ?? '');
  if (invoice.status === 'open') await voidInvoice(store, invoice);
  subscription.status = 'incomplete_expired';
  subscription.ended_at = store.now;
  await store.save(subscription, { dueAt: null });
  store.emit('customer.subscription.updated', subscription, { status: 'incomplete' });
}

async function retryOverdue(store: Store, subscription: Subscription, invoice: ApiObject<'invoice'>): Promise<void> {
  if (invoice.next_payment_attempt === null) {
    await cancelSubscription(store, subscription, 'payment_failed');
    return;
  }
  await collectInvoice(store, subscription, invoice);
  announceStatus(store, subscription, 'past_due');
}

async function renew(store: Store, subscription: Subscription): Promise<void> {
  const before = structuredClone(subscription);
  for (const item of subscription.items.data) {
    item.current_period_start = item.current_period_end;
    if (item.price.recurring) {
      const anchor = subscription.billing_cycle_anchor;
      item.current_period_end = addInterval(item.current_period_end, item.price.recurring, anchor);
    }
  }
  if (subscription.status === 'trialing') subscription.status = 'active';
  const customer = await store.get('customer', subscription.customer);
  const periodStart = before.items.data[0]?.current_period_start;
  const given = { customer, billingReason: 'subscription_cycle', periodStart } as const;
  const invoice = await invoicePeriod(store, subscription, given);
  await store.save(subscription, { dueAt: renewsOrEndsAt(subscription) });
  await collectUnlessPaused(store, subscription, invoice);
  store.emitUpdate('customer.subscription.updated', before, subscription);
}

/** Issues the invoice of the current period, with its discount. */
export async function invoicePeriod(
  store: Store,
  subscription: Subscription,
  { once = [], ...given }: Pick<NewInvoice, 'customer' | 'billingReason' | 'periodStart'> & { once?: InvoiceLine[] },
): Promise<ApiObject<'invoice'>> {
  const discount = await currentDiscount(store, subscription);
  const lines = [...(await subscriptionLines(store, subscription, given.customer)), ...once];
  const invoice = await invoiceSubscription(store, subscription, { ...given, lines, discount });
  const discounted = discountByItem(subscription, discount);
  const billed = subscription.items.data.map((item) => [item.id, amountOf(item) - (discounted[item.id] ?? 0)]);
  const state: SubscriptionState = { discounted, billed: Object.fromEntries(billed) };
  await store.save(subscription, { internal: state });
  return invoice;
}

/** What the current period costs, a line for each item. During a trial, the lines have amount zero. */
async function subscriptionLines(
  store: Store,
  subscription: Subscription,
  customer: ApiObject<'customer'>,
): Promise<InvoiceLine[]> {
  const isTrial = subscription.status === 'trialing';
  const lines: InvoiceLine[] = [];
  for (const item of subscription.items.data) {
    const { name } = await store.get('product', item.price.product);
    const quantity = item.quantity ?? 1;
    lines.push(
      await itemLine(
        store,
        { subscription, item, customer },
        {
          amount: isTrial ? 0 : amountOf(item),
          description: isTrial ? `Trial period for ${name}` : `${quantity} × ${name}`,
          period: { start: item.current_period_start, end: item.current_period_end },
          isProration: false,
        },
      ),
    );
  }
  return lines;
}

type Owner = { subscription: Subscription; item: SubscriptionItem; customer: ApiObject<'customer'> };
type LineOfItem = { amount: number; description: string; period: Period; isProration: boolean };

/** A line for an item of a subscription, with the tax rates that apply to it. */
export async function itemLine(
  store: Store,
  { subscription, item, customer }: Owner,
  line: LineOfItem,
): Promise<InvoiceLine> {
  const taxRates = subscription.automatic_tax.enabled
    ? await automaticRates(store, item.price, customer.address?.country)
    : (item.tax_rates ?? []);
  return {
    ...line,
    price: item.price,
    quantity: item.quantity ?? 1,
    subscriptionItem: item.id,
    invoiceItem: null,
    taxRates,
    metadata: null,
  };
}

/** A line for a one-time purchase. */
export const oneTimeLine = ({ price, quantity, description, taxRates }: SessionItem, now: number): InvoiceLine => ({
  price,
  quantity,
  amount: (price.unit_amount ?? 0) * quantity,
  description,
  period: { start: now, end: now },
  subscriptionItem: null,
  invoiceItem: null,
  isProration: false,
  taxRates,
  metadata: {},
});
