import 'server-only';
import { z } from 'zod';
import { createdFilter, expand, listParameters, text } from '../api/parameters';
import { type Route, route } from '../api/route';
import { listPage } from './list-page';

export const eventRoutes: Route[] = [
  route('GET /v1/events', {
    params: z.strictObject({
      ...listParameters,
      type: text.optional(),
      types: z.array(text).max(20).optional(),
      created: createdFilter,
    }),
    handle: (store, { type, types, ...query }) =>
      listPage(store, 'event', '/v1/events', { ...query, where: { type: types ?? type } }),
  }),
  route('GET /v1/events/:id', {
    params: z.strictObject({ expand }),
    handle: (store, _params, { id }) => store.get('event', id),
  }),
];
