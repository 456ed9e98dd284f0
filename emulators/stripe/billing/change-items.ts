// Changes to the items of a running subscription: other prices and quantities, added and removed items.
import { z } from 'zod';
import { invalidRequest } from '../errors';
import { buildInvoiceItem } from '../objects/adjustments';
import { buildPlan } from '../objects/catalog';
import type { InvoiceLine } from '../objects/invoices';
import { buildItem, type SubscriptionItem } from '../objects/subscriptions';
import { flag, integer, type prorationBehavior, text } from '../parameters';
import { addInterval, prorate } from '../pricing/periods';
import { discountOf, shareOut } from '../pricing/taxes';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import { collectInvoice, declineOf } from './collection';
import { amountOf, currentDiscount, type Discount, type SubscriptionState } from './discounts';
import { invoiceSubscription } from './invoices';
import { itemPrice, itemPriceData, refuseSamePrice } from './prices';
import { checkIntervals, itemLine } from './subscriptions';

type Subscription = ApiObject<'subscription'>;
type Customer = ApiObject<'customer'>;
export const itemFields = {
  price: text.optional(),
  price_data: itemPriceData.optional(),
  quantity: integer(1).optional(),
};

/** Without an ID, an item is added. */
export const itemChange = z.strictObject({ ...itemFields, id: text.optional(), deleted: flag.optional() });

export type ItemChange = z.output<typeof itemChange>;
type ProrationBehavior = z.output<typeof prorationBehavior>;

/** An item before and after, one of them null if it is added or removed; and whether a new period begins. */
type ChangedItem = { old: SubscriptionItem | null; item: SubscriptionItem | null; startsAnew: boolean };

type How = { behavior: ProrationBehavior; isErrorIfUnpaid: boolean; isOnSession: boolean };

/**
 * Changes the items. If one gets another interval, or a free subscription gets a price, a new period begins today and
 * everything is invoiced; else the rest of the period is prorated: invoiced now, or with the next invoice. The unused part
 * of what was billed is credited; a credit that exceeds the invoice goes to the customer's balance.
 * @returns a function that bills the change, once the subscription is saved
 */
export async function changeItems(
  store: Store,
  subscription: Subscription,
  changes: ItemChange[],
  { behavior, ...collection }: How,
): Promise<() => Promise<void>> {
  const customer = await store.get('customer', subscription.customer);
  const changed = await applyChanges(store, subscription, changes);
  checkIntervals(subscription);
  const discount = await currentDiscount(store, subscription);
  const state = await store.internal<SubscriptionState>(subscription.id);
  const off = discountOfChanged(subscription, changed, discount, state);
  const [discounted, billed] = [{ ...state.discounted }, { ...state.billed }];
  const lines: InvoiceLine[] = [];
  for (const [index, change] of changed.entries()) {
    const { old, item, startsAnew } = change;
    const isBilled = subscription.status !== 'trialing' && (behavior !== 'none' || startsAnew);
    const paid = old ? (billed[old.id] ?? amountOf(old) - (discounted[old.id] ?? 0)) : 0;
    const due = item ? amountOf(item) - (off[index] ?? 0) : 0;
    if (isBilled) lines.push(...(await changeLines(store, { ...change, subscription, customer, paid, due }, behavior)));
    if (old) delete discounted[old.id];
    if (old) delete billed[old.id];
    if (!item) continue;
    discounted[item.id] = isBilled || !old ? (off[index] ?? 0) : (state.discounted?.[old.id] ?? 0);
    billed[item.id] = isBilled ? due : paid; // without prorations, the period stays paid at the old price
  }
  const isInvoiced = behavior === 'always_invoice' || changed.some(({ startsAnew }) => startsAnew);
  return async () => {
    await store.save(subscription, { internal: { discounted, billed } satisfies SubscriptionState });
    if (lines.length === 0) return;
    if (isInvoiced) await invoiceChange(store, subscription, { customer, lines, discount, ...collection });
    else await keepForNextInvoice(store, subscription, customer, lines);
  };
}

/** @returns what changed: items that were named without a change are left out */
async function applyChanges(store: Store, subscription: Subscription, changes: ItemChange[]): Promise<ChangedItem[]> {
  const [before] = structuredClone(subscription.items.data);
  const wasFree = isFree(subscription);
  const changed: ChangedItem[] = [];
  const added: [ItemChange, string][] = [];
  for (const [index, change] of changes.entries()) {
    const param = `items[${index}]`;
    if (change.id === undefined) added.push([change, param]);
    else changed.push(await changeItem(store, subscription, change, param));
  }
  // Once all of them have changed: two may exchange their prices.
  for (const [index, { id }] of changes.entries()) {
    const item = subscription.items.data.find((one) => one.id === id);
    const others = subscription.items.data.filter((one) => one !== item);
    if (item) refuseSamePrice(others, item.price, `items[${index}]`);
  }
  for (const [change, param] of added) changed.push(await addItem(store, subscription, before, change, param));
  if (subscription.items.data.length === 0) {
    throw invalidRequest('A subscription must have at least one item. Cancel it instead.', { param: 'items' });
  }
  const movesToPaid = subscription.status !== 'trialing' && wasFree && !isFree(subscription);
  if (movesToPaid) for (const item of subscription.items.data) beginPeriod(subscription, item, store.now);
  return changed
    .filter(({ old, item }) => old?.price.id !== item?.price.id || old?.quantity !== item?.quantity)
    .map((one) => ({ ...one, startsAnew: one.startsAnew || (movesToPaid && one.item !== null) }));
}

const isFree = ({ items }: Subscription): boolean => items.data.every((item) => amountOf(item) === 0);

async function changeItem(
  store: Store,
  subscription: Subscription,
  change: ItemChange,
  param: string,
): Promise<ChangedItem> {
  const { items } = subscription;
  const item = items.data.find(({ id }) => id === change.id);
  if (!item) throw invalidRequest(`No such subscription item: '${change.id}'`, { param: `${param}[id]` });
  const old = { ...item };
  if (change.deleted) {
    items.data = items.data.filter(({ id }) => id !== item.id);
    return { old, item: null, startsAnew: false };
  }
  const { currency } = subscription;
  item.price = change.price || change.price_data ? await itemPrice(store, change, { param, currency }) : item.price;
  item.plan = buildPlan(item.price);
  item.quantity = change.quantity ?? item.quantity ?? 1;
  const startsAnew = subscription.status !== 'trialing' && !isSameInterval(old, item);
  if (startsAnew) beginPeriod(subscription, item, store.now);
  return { old, item, startsAnew };
}

/** An item that is added has the period of the others. */
async function addItem(
  store: Store,
  subscription: Subscription,
  before: SubscriptionItem | undefined,
  change: ItemChange,
  param: string,
): Promise<ChangedItem> {
  const price = await itemPrice(store, change, { param, currency: subscription.currency });
  refuseSamePrice(subscription.items.data, price, param);
  const added = { price, quantity: change.quantity ?? 1, taxRates: before?.tax_rates ?? [] };
  const item = buildItem(subscription.id, added, store.now, subscription.trial_end);
  const startsAnew = subscription.status !== 'trialing' && before !== undefined && !isSameInterval(before, item);
  if (startsAnew) beginPeriod(subscription, item, store.now);
  else if (before) {
    item.current_period_start = before.current_period_start;
    item.current_period_end = before.current_period_end;
  }
  subscription.items.data.push(item);
  return { old: null, item, startsAnew };
}

const isSameInterval = ({ price: one }: SubscriptionItem, { price: other }: SubscriptionItem): boolean =>
  one.recurring?.interval === other.recurring?.interval &&
  one.recurring?.interval_count === other.recurring?.interval_count;

export function beginPeriod(subscription: Subscription, item: SubscriptionItem, now: number): void {
  item.current_period_start = now;
  if (item.price.recurring) item.current_period_end = addInterval(now, item.price.recurring);
  subscription.billing_cycle_anchor = now;
}

/** What the discount takes off a whole period of each changed item: what the other items leave of it. */
function discountOfChanged(
  { items }: Subscription,
  changed: ChangedItem[],
  discount: Discount | null,
  { discounted = {} }: SubscriptionState,
): number[] {
  const isChanged = ({ id }: SubscriptionItem) => changed.some(({ item }) => item?.id === id);
  const others = items.data.filter((item) => !isChanged(item));
  const whole = discountOf(
    discount?.coupon ?? null,
    items.data.reduce((sum, item) => sum + amountOf(item), 0),
  );
  const left = others.reduce((sum, { id }) => sum - (discounted[id] ?? 0), whole);
  const amounts = changed.map(({ item }) => (item ? amountOf(item) : 0));
  const amount = amounts.reduce((sum, one) => sum + one, 0);
  return shareOut(Math.min(Math.max(left, 0), amount), amounts);
}

type Billed = ChangedItem & {
  subscription: Subscription;
  customer: Customer;
  /** What a whole period was billed at for the old item, and is billed at for the new one. */
  paid: number;
  due: number;
};

async function changeLines(store: Store, changed: Billed, behavior: ProrationBehavior): Promise<InvoiceLine[]> {
  const { old, item, startsAnew, paid, due } = changed;
  const nameOf = async ({ price }: SubscriptionItem) => (await store.get('product', price.product)).name;
  const current = old ?? item;
  if (!current) return [];
  const period = { start: current.current_period_start, end: current.current_period_end };
  const { credit, charge } = prorate({ oldAmount: paid, newAmount: due }, period, store.now);
  const lines: InvoiceLine[] = [];
  if (old && behavior !== 'none') {
    const description = `Unused time on ${await nameOf(old)}`;
    const rest = { start: store.now, end: period.end };
    const line = { amount: -credit, description, period: rest, isProration: true };
    lines.push(await itemLine(store, { ...changed, item: old }, line));
  }
  if (item) {
    const description = `${startsAnew ? `${item.quantity ?? 1} ×` : 'Remaining time on'} ${await nameOf(item)}`;
    const rest = { start: store.now, end: item.current_period_end };
    const amount = startsAnew ? amountOf(item) : charge;
    lines.push(
      await itemLine(store, { ...changed, item }, { amount, description, period: rest, isProration: !startsAnew }),
    );
  }
  return lines;
}

type InvoicedChange = Omit<How, 'behavior'> & { customer: Customer; lines: InvoiceLine[]; discount: Discount | null };

/** @throws ApiError if the payment fails and the caller refuses an unpaid change: nothing is changed then */
async function invoiceChange(
  store: Store,
  subscription: Subscription,
  { isErrorIfUnpaid, isOnSession, ...change }: InvoicedChange,
): Promise<void> {
  const given = { ...change, billingReason: 'subscription_update' } as const;
  const invoice = await invoiceSubscription(store, subscription, given);
  await collectInvoice(store, subscription, invoice, { canWait: isOnSession });
  const decline = isErrorIfUnpaid && invoice.status === 'open' && (await declineOf(store, invoice.id));
  if (decline) throw decline;
}

async function keepForNextInvoice(
  store: Store,
  { id, currency }: Subscription,
  customer: Customer,
  lines: InvoiceLine[],
): Promise<void> {
  for (const line of lines) {
    const item = buildInvoiceItem({ ...line, customer, currency, subscription: id, metadata: {} }, store.now);
    store.emit('invoiceitem.created', await store.insert(item));
  }
}
