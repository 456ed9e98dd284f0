import 'server-only';
import { z } from 'zod';
import { newId } from '../api/new-id';
import { emptyOr, expand, flag, listParameters, mergeMetadata, metadata, text } from '../api/parameters';
import { type Route, route } from '../api/route';
import { listPage } from './list-page';

const fields = {
  url: z.url(),
  enabled_events: z.array(text).min(1).max(200),
  description: emptyOr(text).optional(),
  metadata: metadata.optional(),
  expand,
};

/** Endpoints beside the two built-in ones. The secret is shown once, in the answer that creates it. */
export const webhookEndpointRoutes: Route[] = [
  route('POST /v1/webhook_endpoints', {
    params: z.strictObject({ ...fields, api_version: text.optional() }),
    handle: async (store, given) => {
      const secret = newId('whsec', 32);
      const endpoint = await store.insert(
        {
          id: newId('we'),
          object: 'webhook_endpoint',
          api_version: given.api_version ?? null,
          application: null,
          created: store.now,
          description: given.description ?? null,
          enabled_events: given.enabled_events,
          livemode: false,
          metadata: mergeMetadata({}, given.metadata),
          status: 'enabled',
          url: given.url,
        },
        { internal: { secret } },
      );
      return { ...endpoint, secret };
    },
  }),
  route('GET /v1/webhook_endpoints', {
    params: z.strictObject(listParameters),
    handle: (store, query) => listPage(store, 'webhook_endpoint', '/v1/webhook_endpoints', query),
  }),
  route('GET /v1/webhook_endpoints/:id', {
    params: z.strictObject({ expand }),
    handle: (store, _params, { id }) => store.get('webhook_endpoint', id),
  }),
  route('POST /v1/webhook_endpoints/:id', {
    params: z.strictObject({
      ...fields,
      url: fields.url.optional(),
      enabled_events: fields.enabled_events.optional(),
      disabled: flag.optional(),
    }),
    handle: async (store, { disabled, metadata: change, expand: _expand, ...given }, { id }) => {
      const endpoint = await store.lock('webhook_endpoint', id);
      Object.assign(endpoint, given, { metadata: mergeMetadata(endpoint.metadata, change) });
      if (disabled !== undefined) endpoint.status = disabled ? 'disabled' : 'enabled';
      return store.save(endpoint);
    },
  }),
  route('DELETE /v1/webhook_endpoints/:id', {
    params: z.strictObject({}),
    handle: async (store, _params, { id }) => {
      await store.lock('webhook_endpoint', id);
      await store.remove(id);
      return { id, object: 'webhook_endpoint', deleted: true };
    },
  }),
];
