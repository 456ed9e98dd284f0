// Customers, and the balance that applies to their next invoices.
import { z } from 'zod';
import { cancelSubscription } from '../billing/cancel-subscription';
import { changeBalance } from '../billing/invoices';
import { attachNamed, detachMethod, resolveMethod } from '../billing/payment-methods';
import { invalidRequest, resourceMissing } from '../errors';
import { type Address, buildCustomer, EMPTY_ADDRESS } from '../objects/customers';
import { hasEnded } from '../objects/subscriptions';
import {
  address,
  currency,
  defined,
  email,
  emptyOr,
  expand,
  integer,
  mergeMetadata,
  metadata,
  text,
} from '../parameters';
import { list, listOfCustomer, onlyExpand, type Route, route } from '../route';
import { search } from '../search';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

const fields = {
  email: emptyOr(email).optional(),
  name: emptyOr(text).optional(),
  description: emptyOr(text).optional(),
  phone: emptyOr(text).optional(),
  address: emptyOr(address).optional(),
  shipping: emptyOr(z.strictObject({ name: text, address, phone: text.optional() })).optional(),
  invoice_settings: z.strictObject({ default_payment_method: text.optional() }).optional(),
  preferred_locales: z.array(text).optional(),
  tax_exempt: z.enum(['none', 'exempt', 'reverse']).optional(),
  metadata: metadata.optional(),
  expand,
};

type Shipping = ApiObject<'customer'>['shipping'];

const toShipping = (given: z.output<typeof fields.shipping>, current: Shipping): Shipping =>
  given === undefined
    ? current
    : given && {
        name: given.name,
        phone: given.phone ?? null,
        address: toAddress(given.address, null) ?? EMPTY_ADDRESS,
      };

const toAddress = (given: z.output<typeof address> | null | undefined, current: Address | null): Address | null =>
  given === undefined ? current : given && { ...(current ?? EMPTY_ADDRESS), ...defined(given) };

export const customerRoutes: Route[] = [
  route(
    'POST /customers',
    z.strictObject({
      ...fields,
      balance: integer().optional(),
      payment_method: text.optional(),
      test_clock: text.optional(),
    }),
    async (
      store,
      { test_clock: testClock, invoice_settings: settings, balance, payment_method: methodId, ...given },
    ) => {
      if (testClock) store.now = (await store.get('test_helpers.test_clock', testClock, 'test_clock')).frozen_time;
      const customer = buildCustomer(
        {
          ...given,
          testClock,
          address: toAddress(given.address, null),
          shipping: toShipping(given.shipping, null),
          preferredLocales: given.preferred_locales,
          taxExempt: given.tax_exempt,
          metadata: mergeMetadata({}, given.metadata),
        },
        store.now,
      );
      customer.balance = balance ?? 0;
      await store.insert(customer);
      await store.enter(customer.id);
      const method = methodId ? await attachNamed(store, methodId, customer.id) : null;
      // A ready-made one, such as pm_card_visa, may be named in both places.
      const isBoth = method && settings?.default_payment_method === methodId;
      await setDefaultMethod(store, customer, isBoth ? { default_payment_method: method.id } : settings);
      await store.save(customer);
      store.emit('customer.created', customer);
      return customer;
    },
  ),
  list(
    '/customers',
    'customer',
    { email: text.optional(), test_clock: text.optional() },
    ({ email, test_clock = null }) => ({ email, test_clock }),
  ),
  search('/customers', 'customer'),
  route(
    'GET /customers/:id',
    onlyExpand,
    async (store, _params, { id }) => (await store.find('deleted_customer', id)) ?? store.get('customer', id),
  ),
  route('DELETE /customers/:id', z.strictObject({}), (store, _params, { id }) => deleteCustomer(store, id)),
  route(
    'POST /customers/:id',
    z.strictObject(fields),
    async (
      store,
      { metadata: change, invoice_settings: settings, address: place, shipping, expand: _expand, ...given },
      { id },
    ) => {
      const customer = await store.enter(id);
      return store.update('customer.updated', customer, () => {
        Object.assign(customer, given, {
          address: toAddress(place, customer.address ?? null),
          shipping: toShipping(shipping, customer.shipping),
          metadata: mergeMetadata(customer.metadata, change),
        });
        return setDefaultMethod(store, customer, settings);
      });
    },
  ),
  route('GET /customers/:id/payment_methods/:method', onlyExpand, async (store, _params, { id, method: methodId }) => {
    const method = await store.get('payment_method', methodId);
    if (method.customer !== id) throw resourceMissing('payment_method', methodId);
    return method;
  }),
  route(
    'POST /customers/:id/balance_transactions',
    z.strictObject({
      amount: integer(),
      currency,
      description: text.optional(),
      metadata: metadata.optional(),
      expand,
    }),
    async (store, { expand: _expand, ...given }, { id }) => {
      const customer = await store.enter(id);
      refuseOtherCurrency(customer, given.currency);
      const type = 'adjustment';
      return changeBalance(store, customer, { ...given, type, metadata: mergeMetadata({}, given.metadata) });
    },
  ),
  listOfCustomer('balance_transactions', 'customer_balance_transaction'),
  route(
    'GET /customers/:id/balance_transactions/:transaction',
    onlyExpand,
    async (store, _params, { id, transaction: transactionId }) => {
      const transaction = await store.get('customer_balance_transaction', transactionId);
      if (transaction.customer !== id) throw resourceMissing('customer_balance_transaction', transactionId);
      return transaction;
    },
  ),
];

/** Its subscriptions end now, and its payment methods are detached. What it bought stays. */
async function deleteCustomer(store: Store, id: string): Promise<ApiObject<'deleted_customer'>> {
  await store.enter(id);
  for (const subscription of await store.all('subscription', { customer: id })) {
    if (!hasEnded(subscription)) await cancelSubscription(store, subscription);
  }
  for (const method of await store.all('payment_method', { customer: id })) await detachMethod(store, method);
  store.emit('customer.deleted', await store.get('customer', id));
  return store.deleteCustomer(id);
}

async function setDefaultMethod(
  store: Store,
  { id, invoice_settings: settings }: ApiObject<'customer'>,
  given: z.output<typeof fields.invoice_settings>,
): Promise<void> {
  if (!given?.default_payment_method) return;
  const param = 'invoice_settings[default_payment_method]';
  const use = { customer: id, purpose: 'later charges', param } as const;
  settings.default_payment_method = (await resolveMethod(store, given.default_payment_method, use)).id;
}

function refuseOtherCurrency(customer: ApiObject<'customer'>, given: string): void {
  if (!customer.currency || customer.currency === given) return;
  throw invalidRequest(`The customer's currency is ${customer.currency}; a balance has one currency.`, {
    param: 'currency',
  });
}
