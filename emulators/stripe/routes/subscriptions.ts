import { z } from 'zod';
import { updateSubscription } from '../billing/change-plan';
import { collectInvoice, declineOf, defaultMethod, NO_METHOD } from '../billing/collection';
import { announceStatus } from '../billing/invoices';
import { resolveMethod } from '../billing/payment-methods';
import { recurringPrice } from '../billing/prices';
import { resolveCoupon } from '../billing/redemptions';
import { cancelSubscription, startSubscription } from '../billing/subscriptions';
import { invalidRequest, notCovered } from '../errors';
import { CURRENT_STATUSES } from '../objects/subscriptions';
import { emptyOr, expand, flag, integer, mergeMetadata, metadata, text } from '../parameters';
import { list, type Route, retrieve, route } from '../route';
import { search } from '../search';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

const newSubscription = z.strictObject({
  customer: text,
  items: z
    .array(z.strictObject({ price: text, quantity: integer.min(1).default(1), tax_rates: z.array(text).optional() }))
    .min(1)
    .max(20),
  automatic_tax: z.strictObject({ enabled: flag }).optional(),
  default_payment_method: text.optional(),
  description: emptyOr(text).optional(),
  discounts: z
    .array(z.strictObject({ coupon: text.optional(), promotion_code: text.optional() }))
    .max(1)
    .optional(),
  metadata: metadata.optional(),
  off_session: flag.optional(),
  payment_behavior: z.enum(['allow_incomplete', 'error_if_incomplete']).default('allow_incomplete'),
  trial_period_days: integer.min(1).max(730).optional(),
  expand,
});

const update = z.strictObject({
  cancel_at: emptyOr(z.enum(['min_period_end', 'max_period_end'])).optional(),
  cancel_at_period_end: flag.optional(),
  default_payment_method: text.optional(),
  description: emptyOr(text).optional(),
  metadata: metadata.optional(),
  items: z
    .array(z.strictObject({ id: text, price: text.optional(), quantity: integer.min(1).optional() }))
    .max(20)
    .optional(),
  proration_behavior: z.enum(['always_invoice', 'create_prorations', 'none']).optional(),
  expand,
});

const status = z.enum([...CURRENT_STATUSES, 'canceled', 'incomplete_expired', 'ended', 'all']);

export const subscriptionRoutes: Route[] = [
  route('POST /subscriptions', newSubscription, createSubscription),
  list(
    '/subscriptions',
    'subscription',
    { customer: text.optional(), status: status.optional(), test_clock: text.optional() },
    ({ status: asked, customer, test_clock = customer ? undefined : null }) => ({
      customer,
      test_clock,
      status: statusesListed(asked),
    }),
  ),
  search('/subscriptions', 'subscription'),
  retrieve('/subscriptions', 'subscription'),
  route('POST /subscriptions/:id', update, async (store, { expand: _expand, ...given }, { id }) =>
    updateSubscription(store, await enterSubscription(store, id), given),
  ),
  route(
    'DELETE /subscriptions/:id',
    z.strictObject({ invoice_now: flag.optional(), prorate: flag.optional(), expand }),
    async (store, { invoice_now, prorate }, { id }) => {
      if (prorate) throw notCovered('prorations of a cancellation', 'prorate');
      if (invoice_now) throw notCovered('a last invoice with a cancellation', 'invoice_now');
      return cancelSubscription(store, await enterSubscription(store, id));
    },
  ),
];

/** Without Checkout: the first invoice is collected at once from a saved payment method. */
async function createSubscription(
  store: Store,
  given: z.output<typeof newSubscription>,
): Promise<ApiObject<'subscription'>> {
  const customer = await store.enter(given.customer, { param: 'customer' });
  const chosen = given.default_payment_method;
  const use = { customer: customer.id, purpose: 'later charges', param: 'default_payment_method' } as const;
  const paymentMethod = chosen ? (await resolveMethod(store, chosen, use)).id : null;
  const items = [];
  for (const [index, { price: priceId, quantity, tax_rates = [] }] of given.items.entries()) {
    const currency = items[0]?.price.currency;
    const price = await recurringPrice(store, priceId, { param: `items[${index}][price]`, currency });
    const taxRates = [];
    for (const id of tax_rates) taxRates.push(await store.get('tax_rate', id, `items[${index}][tax_rates]`));
    const { name: description } = await store.get('product', price.product);
    items.push({ price, quantity, description, taxRates });
  }
  const discount = await resolveCoupon(store, given.discounts?.[0], {
    customer: customer.id,
    amount: items.reduce((sum, { price, quantity }) => sum + (price.unit_amount ?? 0) * quantity, 0),
    currency: items[0]?.price.currency ?? 'usd',
  });
  const { subscription, invoice } = await startSubscription(store, {
    customer,
    items,
    paymentMethod,
    metadata: mergeMetadata({}, given.metadata),
    description: given.description ?? null,
    trialDays: given.trial_period_days ?? null,
    coupon: discount?.coupon.id ?? null,
    promotionCode: discount?.promotionCode?.id ?? null,
    hasAutomaticTax: given.automatic_tax?.enabled ?? false,
    awaitsPayment: true,
  });
  if (invoice.amount_due > 0 && !(await defaultMethod(store, subscription, customer.id))) {
    throw invalidRequest(NO_METHOD, { code: 'resource_missing' });
  }
  const { status: before } = subscription;
  await collectInvoice(store, subscription, invoice);
  if (invoice.status === 'open' && given.payment_behavior === 'error_if_incomplete') {
    const decline = await declineOf(store, invoice.id);
    if (decline) throw decline;
  }
  announceStatus(store, subscription, before);
  return subscription;
}

/** The subscription, in its customer's time. */
async function enterSubscription(store: Store, id: string): Promise<ApiObject<'subscription'>> {
  const subscription = await store.get('subscription', id);
  await store.enter(subscription.customer);
  return subscription;
}

/** Without a status, the list leaves out canceled subscriptions. */
function statusesListed(asked: string | undefined): string[] | string | undefined {
  if (asked === 'all') return undefined;
  if (asked === 'ended') return ['canceled', 'incomplete_expired'];
  return asked ?? CURRENT_STATUSES;
}
