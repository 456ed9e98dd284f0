// A subscription without Checkout: its first invoice is collected at once from a saved payment method, or waits for the
// browser to confirm the payment.
import { z } from 'zod';
import { invalidRequest } from '../errors';
import type { SessionItem } from '../objects/checkout-sessions';
import {
  discounts,
  emptyOr,
  expand,
  flag,
  integer,
  mergeMetadata,
  metadata,
  paymentSettings,
  text,
  trialSettings,
} from '../parameters';
import type { Store } from '../store';
import type { ApiObject } from '../wire';
import { checkTrialEnd, updateSubscription } from './change-plan';
import { collectInvoice, declineOf, defaultMethod, intentOf, NO_METHOD } from './collection';
import { announceStatus } from './invoices';
import { resolveMethod } from './payment-methods';
import { refuseMixedCurrencies } from './pending-items';
import { itemPrice, itemPriceData, loadTaxRates, refuseSamePrice } from './prices';
import { resolveCoupon } from './redemptions';
import { startSubscription } from './subscriptions';

const item = z.strictObject({
  price: text.optional(),
  price_data: itemPriceData.optional(),
  quantity: integer(1).default(1),
  tax_rates: z.array(text).optional(),
});

export const newSubscription = z.strictObject({
  customer: text,
  items: z.array(item).min(1).max(20),
  automatic_tax: z.strictObject({ enabled: flag }).optional(),
  cancel_at_period_end: flag.optional(),
  collection_method: z.literal('charge_automatically').optional(),
  default_payment_method: text.optional(),
  description: emptyOr(text).optional(),
  discounts: discounts.optional(),
  metadata: metadata.optional(),
  off_session: flag.optional(),
  payment_behavior: z
    .enum(['allow_incomplete', 'default_incomplete', 'error_if_incomplete'])
    .default('allow_incomplete'),
  payment_settings: paymentSettings.optional(),
  trial_end: integer().optional(),
  trial_period_days: integer(1, 730).optional(),
  trial_settings: trialSettings.optional(),
  expand,
});

type NewSubscription = z.output<typeof newSubscription>;
type Subscription = ApiObject<'subscription'>;

export async function createSubscription(store: Store, given: NewSubscription): Promise<Subscription> {
  const customer = await store.enter(given.customer, { param: 'customer' });
  refuseTrial(given, store.now);
  const chosen = given.default_payment_method;
  const use = { customer: customer.id, purpose: 'later charges', param: 'default_payment_method' } as const;
  const paymentMethod = chosen ? (await resolveMethod(store, chosen, use)).id : null;
  const items = await loadItems(store, given);
  const currency = items[0]?.price.currency ?? 'usd';
  await refuseMixedCurrencies(store, customer.id, currency);
  const discount = await resolveCoupon(store, given.discounts?.[0], {
    customer: customer.id,
    amount: items.reduce((sum, { price, quantity }) => sum + (price.unit_amount ?? 0) * quantity, 0),
    currency,
  });
  const { subscription, invoice } = await startSubscription(store, {
    customer,
    items,
    paymentMethod,
    metadata: mergeMetadata({}, given.metadata),
    description: given.description ?? null,
    trialDays: given.trial_period_days ?? null,
    trialEnd: given.trial_end ?? null,
    trialSettings: given.trial_settings,
    savesMethod: given.payment_settings?.save_default_payment_method === 'on_subscription',
    coupon: discount?.coupon.id ?? null,
    promotionCode: discount?.promotionCode?.id ?? null,
    hasAutomaticTax: given.automatic_tax?.enabled ?? false,
    awaitsPayment: true,
  });
  if (given.payment_behavior === 'default_incomplete' && invoice.amount_due > 0) await intentOf(store, invoice);
  else await collectFirst(store, subscription, invoice, given);
  if (given.cancel_at_period_end) await updateSubscription(store, subscription, { cancel_at_period_end: true });
  return subscription;
}

async function collectFirst(
  store: Store,
  subscription: Subscription,
  invoice: ApiObject<'invoice'>,
  { off_session: isOffSession = false, payment_behavior: behavior }: NewSubscription,
): Promise<void> {
  if (invoice.amount_due > 0 && !(await defaultMethod(store, subscription, subscription.customer))) {
    throw invalidRequest(NO_METHOD, { code: 'resource_missing' });
  }
  const { status: before } = subscription;
  await collectInvoice(store, subscription, invoice, { canWait: !isOffSession });
  const decline =
    behavior === 'error_if_incomplete' && invoice.status === 'open' && (await declineOf(store, invoice.id));
  if (decline) throw decline;
  announceStatus(store, subscription, before);
}

async function loadItems(store: Store, given: NewSubscription): Promise<SessionItem[]> {
  const items: SessionItem[] = [];
  for (const [index, { quantity, tax_rates = [], ...asked }] of given.items.entries()) {
    const param = `items[${index}]`;
    const price = await itemPrice(store, asked, { param, currency: items[0]?.price.currency });
    const taxRates = await loadTaxRates(store, tax_rates, `${param}[tax_rates]`);
    refuseSamePrice(items, price, param);
    const { name: description } = await store.get('product', price.product);
    items.push({ price, quantity, description, taxRates });
  }
  return items;
}

function refuseTrial({ trial_end: end, trial_period_days: days }: NewSubscription, now: number): void {
  if (end === undefined) return;
  const param = 'trial_end';
  if (days) {
    throw invalidRequest('You may only specify one of these parameters: trial_end, trial_period_days.', { param });
  }
  checkTrialEnd(end, now, param);
}
