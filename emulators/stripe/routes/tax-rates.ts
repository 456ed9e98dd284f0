import { z } from 'zod';
import { buildTaxRate } from '../objects/catalog';
import { expand, flag, mergeMetadata, metadata, text } from '../parameters';
import { list, type Route, retrieve, route } from '../route';

const fields = {
  active: flag.optional(),
  country: text.length(2).optional(),
  description: text.optional(),
  display_name: text.max(100),
  jurisdiction: text.max(50).optional(),
  metadata: metadata.optional(),
  expand,
};

/** The rates that line items name. Automatic tax finds its rates by itself. */
export const taxRateRoutes: Route[] = [
  route(
    'POST /tax_rates',
    z.strictObject({ ...fields, percentage: z.coerce.number<string>().min(0).max(100), inclusive: flag }),
    (store, { expand: _expand, ...given }) =>
      store.insert(buildTaxRate({ ...given, metadata: mergeMetadata({}, given.metadata) }, store.now)),
  ),
  list('/tax_rates', 'tax_rate', { active: flag.optional(), inclusive: flag.optional() }),
  retrieve('/tax_rates', 'tax_rate'),
  route(
    'POST /tax_rates/:id',
    z.strictObject({ ...fields, display_name: fields.display_name.optional() }),
    async (store, { metadata: change, expand: _expand, ...given }, { id }) => {
      const rate = await store.get('tax_rate', id);
      Object.assign(rate, given, { metadata: mergeMetadata(rate.metadata, change) });
      return store.save(rate);
    },
  ),
];
