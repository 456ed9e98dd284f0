// Customers, and the balance that applies to their next invoices.
import { z } from 'zod';
import { changeBalance } from '../billing/invoices';
import { resolveMethod } from '../billing/payment-methods';
import { invalidRequest } from '../errors';
import { type Address, buildCustomer, EMPTY_ADDRESS } from '../objects/customers';
import {
  address,
  currency,
  defined,
  emptyOr,
  expand,
  integer,
  listParameters,
  mergeMetadata,
  metadata,
  text,
} from '../parameters';
import { list, listOf, type Route, retrieve, route } from '../route';
import type { Store } from '../store';
import type { ApiObject } from '../wire';

const fields = {
  email: emptyOr(z.email()).optional(),
  name: emptyOr(text).optional(),
  description: emptyOr(text).optional(),
  phone: emptyOr(text).optional(),
  address: emptyOr(address).optional(),
  invoice_settings: z.strictObject({ default_payment_method: text.optional() }).optional(),
  metadata: metadata.optional(),
  expand,
};

const toAddress = (given: z.output<typeof address> | null | undefined, current: Address | null): Address | null =>
  given === undefined ? current : given && { ...(current ?? EMPTY_ADDRESS), ...defined(given) };

export const customerRoutes: Route[] = [
  route(
    'POST /customers',
    z.strictObject({ ...fields, balance: integer.optional(), test_clock: text.optional() }),
    async (store, { test_clock: testClock, invoice_settings: settings, balance, ...given }) => {
      if (testClock) store.now = (await store.get('test_helpers.test_clock', testClock, 'test_clock')).frozen_time;
      const customer = buildCustomer(
        { ...given, testClock, address: toAddress(given.address, null), metadata: mergeMetadata({}, given.metadata) },
        store.now,
      );
      customer.balance = balance ?? 0;
      await setDefaultMethod(store, customer, settings);
      await store.insert(customer);
      await store.enter(customer.id);
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
  retrieve('/customers', 'customer'),
  route(
    'POST /customers/:id',
    z.strictObject(fields),
    async (
      store,
      { metadata: change, invoice_settings: settings, address: place, expand: _expand, ...given },
      { id },
    ) => {
      const customer = await store.enter(id);
      const before = structuredClone(customer);
      Object.assign(customer, given, {
        address: toAddress(place, customer.address ?? null),
        metadata: mergeMetadata(customer.metadata, change),
      });
      await setDefaultMethod(store, customer, settings);
      await store.save(customer);
      store.emitUpdate('customer.updated', before, customer);
      return customer;
    },
  ),
  route(
    'POST /customers/:id/balance_transactions',
    z.strictObject({ amount: integer, currency, description: text.optional(), metadata: metadata.optional(), expand }),
    async (store, { expand: _expand, ...given }, { id }) => {
      const customer = await store.enter(id);
      refuseOtherCurrency(customer, given.currency);
      const type = 'adjustment';
      return changeBalance(store, customer, { ...given, type, metadata: mergeMetadata({}, given.metadata) });
    },
  ),
  route(
    'GET /customers/:id/balance_transactions',
    z.strictObject(listParameters),
    async (store, { expand: _expand, ...query }, { id }) => {
      const { id: customer } = await store.get('customer', id);
      return listOf(
        `/v1/customers/${customer}/balance_transactions`,
        await store.page('customer_balance_transaction', { ...query, where: { customer } }),
      );
    },
  ),
  route('GET /customers/:id/balance_transactions/:transaction', z.strictObject({ expand }), (store, _params, names) =>
    store.get('customer_balance_transaction', names.transaction),
  ),
];

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
