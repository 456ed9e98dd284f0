import 'server-only';
import { z } from 'zod';
import { changedFields } from '../api/changed-fields';
import { createdFilter, emptyOr, expand, listParameters, mergeMetadata, metadata, text } from '../api/parameters';
import { type Route, route } from '../api/route';
import { emitEvent } from '../emit-event';
import { buildCustomer } from '../objects/customer';
import { listPage } from './list-page';

const fields = {
  email: emptyOr(z.email()).optional(),
  name: emptyOr(text).optional(),
  description: emptyOr(text).optional(),
  phone: emptyOr(text).optional(),
  metadata: metadata.optional(),
  expand,
};

export const customerRoutes: Route[] = [
  route('POST /v1/customers', {
    params: z.strictObject(fields),
    handle: async (store, given) => {
      const customer = buildCustomer({ ...given, metadata: mergeMetadata({}, given.metadata) }, store.now);
      await store.insert(customer);
      await store.enter(customer.id);
      emitEvent(store, 'customer.created', customer);
      return customer;
    },
  }),
  route('GET /v1/customers', {
    params: z.strictObject({ ...listParameters, email: text.optional(), created: createdFilter }),
    handle: (store, { email, ...query }) =>
      listPage(store, 'customer', '/v1/customers', { ...query, where: { email } }),
  }),
  route('GET /v1/customers/:id', {
    params: z.strictObject({ expand }),
    handle: (store, _params, { id }) => store.get('customer', id),
  }),
  route('POST /v1/customers/:id', {
    params: z.strictObject({
      ...fields,
      invoice_settings: z.strictObject({ default_payment_method: text.optional() }).optional(),
    }),
    handle: async (store, { metadata: change, invoice_settings, expand: _expand, ...given }, { id }) => {
      const customer = await store.enter(id);
      const before = structuredClone(customer);
      Object.assign(customer, given, { metadata: mergeMetadata(customer.metadata, change) });
      if (invoice_settings?.default_payment_method) {
        const method = await store.get('payment_method', invoice_settings.default_payment_method, 'invoice_settings');
        customer.invoice_settings.default_payment_method = method.id;
      }
      await store.save(customer);
      emitEvent(store, 'customer.updated', customer, changedFields(before, customer));
      return customer;
    },
  }),
];
