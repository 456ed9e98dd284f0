import 'server-only';
import { z } from 'zod';
import { createdFilter, expand, listParameters, text } from '../api/parameters';
import { type Route, route } from '../api/route';
import { listPage } from './list-page';

export const invoiceRoutes: Route[] = [
  route('GET /v1/invoices', {
    params: z.strictObject({
      ...listParameters,
      customer: text.optional(),
      subscription: text.optional(),
      status: z.enum(['draft', 'open', 'paid', 'uncollectible', 'void']).optional(),
      created: createdFilter,
    }),
    handle: (store, { customer, subscription, status, ...query }) =>
      listPage(store, 'invoice', '/v1/invoices', {
        ...query,
        where: { customer, status, parent: subscription && { subscription_details: { subscription } } },
      }),
  }),
  route('GET /v1/invoices/:id', {
    params: z.strictObject({ expand }),
    handle: (store, _params, { id }) => store.get('invoice', id),
  }),
  route('GET /v1/invoice_payments', {
    params: z.strictObject({
      ...listParameters,
      invoice: text.optional(),
      status: text.optional(),
      payment: z.strictObject({ type: text.optional(), payment_intent: text.optional() }).optional(),
    }),
    handle: (store, { invoice, status, payment, ...query }) =>
      listPage(store, 'invoice_payment', '/v1/invoice_payments', { ...query, where: { invoice, status, payment } }),
  }),
  route('GET /v1/invoice_payments/:id', {
    params: z.strictObject({ expand }),
    handle: (store, _params, { id }) => store.get('invoice_payment', id),
  }),
];
