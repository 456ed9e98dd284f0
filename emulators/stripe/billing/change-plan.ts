// Changes of a running subscription: its price, its end, its payment method.
import { invalidRequest } from '../errors';
import { buildInvoiceItem } from '../objects/adjustments';
import { buildPlan } from '../objects/catalog';
import type { InvoiceLine, NewInvoice } from '../objects/invoices';
import type { SubscriptionItem } from '../objects/subscriptions';
import { mergeMetadata } from '../parameters';
import { addInterval, periodEnd, prorate, renewsOrEndsAt } from '../pricing/periods';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import { collectInvoice } from './collection';
import { amountOf, currentDiscount, discountByItem, type SubscriptionState } from './discounts';
import { issueWithPendingItems } from './invoices';
import { resolveMethod } from './payment-methods';
import { recurringPrice } from './prices';
import { checkIntervals, hasEnded, itemLine, NO_FEEDBACK } from './subscriptions';

type Subscription = ApiObject<'subscription'>;
type ProrationBehavior = 'always_invoice' | 'create_prorations' | 'none';

type SubscriptionUpdate = {
  cancel_at?: 'min_period_end' | 'max_period_end' | null | undefined;
  cancel_at_period_end?: boolean | undefined;
  default_payment_method?: string | undefined;
  description?: string | null | undefined;
  metadata?: Record<string, string> | undefined;
  items?: { id: string; price?: string | undefined; quantity?: number | undefined }[] | undefined;
  proration_behavior?: ProrationBehavior | undefined;
};

/** Changes what is given, leaves the rest, and reports it in one event. */
export async function updateSubscription(
  store: Store,
  subscription: Subscription,
  given: SubscriptionUpdate,
): Promise<Subscription> {
  if (hasEnded(subscription)) refuseOtherChanges(given);
  const before = structuredClone(subscription);
  subscription.metadata = mergeMetadata(subscription.metadata, given.metadata);
  if (given.description !== undefined) subscription.description = given.description;
  if (given.default_payment_method) {
    const use = { customer: subscription.customer, purpose: 'later charges', param: 'default_payment_method' } as const;
    subscription.default_payment_method = (await resolveMethod(store, given.default_payment_method, use)).id;
  }
  const behavior = given.proration_behavior ?? 'create_prorations';
  const bill = given.items && (await changeItems(store, subscription, given.items, behavior));
  setEnd(subscription, given, store.now);
  await saveSchedule(store, subscription);
  await bill?.();
  store.emitUpdate('customer.subscription.updated', before, subscription);
  return subscription;
}

function refuseOtherChanges({ metadata: _metadata, ...others }: SubscriptionUpdate): void {
  if (Object.keys(others).length === 0) return;
  throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.');
}

/**
 * Ends it when its period does, or takes that back. An end that was set as a date stays until the date is emptied:
 * `cancel_at_period_end: false` takes back only what `true` has set.
 */
function setEnd(
  subscription: Subscription,
  { cancel_at: date, cancel_at_period_end: flag }: SubscriptionUpdate,
  now: number,
): void {
  if (subscription.cancel_at_period_end) subscription.cancel_at = periodEnd(subscription); // the period may have changed
  const takesBack = flag === false && subscription.cancel_at_period_end;
  if (!flag && !takesBack && date === undefined) return;
  const ends = Boolean(flag || date); // all items have one period, so its first end is its last, too
  subscription.cancel_at_period_end = flag ?? false;
  subscription.cancel_at = ends ? periodEnd(subscription) : null;
  subscription.canceled_at = ends ? now : null;
  subscription.cancellation_details = { ...NO_FEEDBACK, reason: ends ? 'cancellation_requested' : null };
}

/** Saves it with the time at which it renews or ends. Another status waits for its next attempt, its expiry, or nothing. */
async function saveSchedule(store: Store, subscription: Subscription): Promise<void> {
  const isRunning = subscription.status === 'active' || subscription.status === 'trialing';
  await store.save(subscription, isRunning ? { dueAt: renewsOrEndsAt(subscription) } : {});
}

type ItemChange = NonNullable<SubscriptionUpdate['items']>[number];
/** An item as it was and as it is now, and whether its period begins anew. */
type ChangedItem = { old: SubscriptionItem; item: SubscriptionItem; startsAnew: boolean };

/**
 * Moves items to other prices or quantities. Where one gets another interval, a new period begins today and everything is
 * invoiced; with the same intervals the rest of the period is prorated: invoiced now, or with the next invoice. The unused
 * part of what was paid is credited; a credit that exceeds the invoice goes to the customer's balance.
 * @returns what bills the change, once the subscription is saved
 */
async function changeItems(
  store: Store,
  subscription: Subscription,
  changes: ItemChange[],
  behavior: ProrationBehavior,
): Promise<() => Promise<void>> {
  const customer = await store.get('customer', subscription.customer);
  const changed: ChangedItem[] = [];
  for (const [index, change] of changes.entries()) {
    const changedItem = await changeItem(store, subscription, change, `items[${index}]`);
    const { old, item } = changedItem;
    if (old.price.id !== item.price.id || old.quantity !== item.quantity) changed.push(changedItem);
  }
  checkIntervals(subscription);
  const discount = await currentDiscount(store, subscription);
  const { discounted = {} } = await store.internal<SubscriptionState>(subscription.id);
  const byItem = discountByItem(subscription, discount);
  const lines: InvoiceLine[] = [];
  for (const { old, item, startsAnew } of changed) {
    const off = { old: discounted[item.id] ?? 0, new: byItem[item.id] ?? 0 };
    discounted[item.id] = off.new;
    if (subscription.status === 'trialing' || (behavior === 'none' && !startsAnew)) continue;
    lines.push(...(await changeLines(store, { subscription, customer, old, item, startsAnew, off }, behavior)));
  }
  const isInvoiced = behavior === 'always_invoice' || changed.some(({ startsAnew }) => startsAnew);
  return async () => {
    await store.save(subscription, { internal: { discounted } satisfies SubscriptionState });
    if (lines.length === 0) return;
    if (isInvoiced) await invoiceChange(store, subscription, customer, lines, discount);
    else await keepForNextInvoice(store, subscription, customer, lines);
  };
}

async function changeItem(
  store: Store,
  subscription: Subscription,
  change: ItemChange,
  param: string,
): Promise<ChangedItem> {
  const item = subscription.items.data.find(({ id }) => id === change.id);
  if (!item) throw invalidRequest(`No such subscription item: '${change.id}'`, { param: `${param}[id]` });
  const { currency } = subscription;
  const price = change.price
    ? await recurringPrice(store, change.price, { param: `${param}[price]`, currency })
    : item.price;
  const { recurring } = price;
  const old = { ...item };
  const startsAnew =
    recurring !== null &&
    subscription.status !== 'trialing' &&
    (recurring.interval !== old.price.recurring?.interval ||
      recurring.interval_count !== old.price.recurring.interval_count);
  item.price = price;
  item.plan = buildPlan(price);
  item.quantity = change.quantity ?? item.quantity ?? 1;
  if (startsAnew) {
    item.current_period_start = store.now;
    item.current_period_end = addInterval(store.now, recurring);
    subscription.billing_cycle_anchor = store.now;
  }
  return { old, item, startsAnew };
}

type Changed = ChangedItem & {
  subscription: Subscription;
  customer: ApiObject<'customer'>;
  /** What was taken off the whole period of the old item, and is taken off the new one's. */
  off: { old: number; new: number };
};

async function changeLines(store: Store, changed: Changed, behavior: ProrationBehavior): Promise<InvoiceLine[]> {
  const { old, item, startsAnew, off } = changed;
  const oldPeriod = { start: old.current_period_start, end: old.current_period_end };
  const paid = { oldAmount: amountOf(old) - off.old, newAmount: amountOf(item) - off.new };
  const { credit, charge } = prorate(paid, oldPeriod, store.now);
  const rest = { start: store.now, end: item.current_period_end };
  const nameOf = async ({ price }: SubscriptionItem) => (await store.get('product', price.product)).name;
  const credited = await itemLine(
    store,
    { ...changed, item: old },
    {
      amount: -credit,
      description: `Unused time on ${await nameOf(old)}`,
      period: { ...rest, end: oldPeriod.end },
      isProration: true,
    },
  );
  const charged = await itemLine(store, changed, {
    amount: startsAnew ? amountOf(item) : charge,
    description: `${startsAnew ? `${item.quantity ?? 1} ×` : 'Remaining time on'} ${await nameOf(item)}`,
    period: rest,
    isProration: !startsAnew,
  });
  return behavior === 'none' ? [charged] : [credited, charged];
}

async function invoiceChange(
  store: Store,
  subscription: Subscription,
  customer: ApiObject<'customer'>,
  lines: InvoiceLine[],
  discount: NewInvoice['discount'],
): Promise<void> {
  const invoice = await issueWithPendingItems(store, {
    customer,
    subscription,
    billingReason: 'subscription_update',
    currency: subscription.currency,
    lines,
    discount,
    metadata: {},
    hasAutomaticTax: subscription.automatic_tax.enabled,
  });
  subscription.latest_invoice = invoice.id;
  await store.save(subscription);
  await collectInvoice(store, subscription, invoice);
}

async function keepForNextInvoice(
  store: Store,
  { id, currency }: Subscription,
  customer: ApiObject<'customer'>,
  lines: InvoiceLine[],
): Promise<void> {
  for (const line of lines) {
    const item = buildInvoiceItem({ ...line, customer, currency, subscription: id, metadata: {} }, store.now);
    store.emit('invoiceitem.created', await store.insert(item));
  }
}
