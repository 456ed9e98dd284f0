import 'server-only';
import { z } from 'zod';
import { createdFilter, expand, flag, listParameters, mergeMetadata, metadata, text } from '../api/parameters';
import { type Route, route } from '../api/route';
import { buildTaxRate } from '../objects/tax-rate';
import { listPage } from './list-page';

const fields = {
  active: flag.optional(),
  country: text.length(2).optional(),
  description: text.optional(),
  display_name: text.max(100),
  jurisdiction: text.max(50).optional(),
  metadata: metadata.optional(),
  expand,
};

/** Rates that a session's line items name; Stripe Tax, which finds them by itself, is not here. */
export const taxRateRoutes: Route[] = [
  route('POST /v1/tax_rates', {
    params: z.strictObject({ ...fields, percentage: z.coerce.number<string>().min(0).max(100), inclusive: flag }),
    handle: (store, { expand: _expand, ...given }) =>
      store.insert(buildTaxRate({ ...given, metadata: mergeMetadata({}, given.metadata) }, store.now)),
  }),
  route('GET /v1/tax_rates', {
    params: z.strictObject({
      ...listParameters,
      active: flag.optional(),
      inclusive: flag.optional(),
      created: createdFilter,
    }),
    handle: (store, { active, inclusive, ...query }) =>
      listPage(store, 'tax_rate', '/v1/tax_rates', { ...query, where: { active, inclusive } }),
  }),
  route('GET /v1/tax_rates/:id', {
    params: z.strictObject({ expand }),
    handle: (store, _params, { id }) => store.get('tax_rate', id),
  }),
  route('POST /v1/tax_rates/:id', {
    params: z.strictObject({ ...fields, display_name: fields.display_name.optional() }),
    handle: async (store, { metadata: change, expand: _expand, ...given }, { id }) => {
      const rate = await store.lock('tax_rate', id);
      Object.assign(rate, given, { metadata: mergeMetadata(rate.metadata ?? {}, change) });
      return store.save(rate);
    },
  }),
];
