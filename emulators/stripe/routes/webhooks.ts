// Events, and the endpoints that they are sent to.
import { z } from 'zod';
import { cancelDeliveries } from '../../core/deliveries';
import { createId } from '../../core/ids';
import { EVENT_TYPES, isEnabledEvent } from '../event-types';
import { build } from '../objects/build';
import { isApiVersion } from '../older-shapes';
import { emptyOr, expand, flag, mergeMetadata, metadata, text } from '../parameters';
import { list, type Route, retrieve, route } from '../route';
import type { Store } from '../store';

/** Events can be polled, too: newest first, with the cursors of every list. */
const eventRoutes: Route[] = [
  list('/events', 'event', { type: text.optional(), types: z.array(text).max(20).optional() }, ({ type, types }) => ({
    type: types ?? (type?.endsWith('*') ? typesLike(type) : type),
  })),
  retrieve('/events', 'event'),
];

/** The types of a group, such as `charge.*`. */
function typesLike(pattern: string): string[] {
  return EVENT_TYPES.filter((type) => type.startsWith(pattern.slice(0, -1)));
}

// Stripe refuses unknown names. An endpoint with a misspelled event name would never receive one.
const enabledEvent = text.refine(isEnabledEvent, { error: 'Stripe has no event of this type.' });

const apiVersion = text.refine(isApiVersion, {
  error: ({ input }) => `Invalid Stripe API version: ${input}`,
  params: { code: 'parameter_invalid' },
});

const fields = {
  url: z.url(),
  enabled_events: z.array(enabledEvent).min(1).max(200),
  description: emptyOr(text).optional(),
  metadata: metadata.optional(),
  expand,
};

async function cancelPending(store: Store, endpointId: string): Promise<void> {
  const { secret } = await store.internal<{ secret: string }>(endpointId);
  await cancelDeliveries(store.sql, secret);
}

/** Endpoints besides those that the emulators were started with. The secret is in the response that creates one, once. */
const webhookEndpointRoutes: Route[] = [
  route(
    'POST /webhook_endpoints',
    z.strictObject({ ...fields, api_version: apiVersion.optional() }),
    async (store, given) => {
      const secret = createId('whsec', 32);
      const endpoint = await store.insert(
        build('webhook_endpoint', {
          id: createId('we', 24),
          api_version: given.api_version,
          created: store.now,
          description: given.description,
          enabled_events: given.enabled_events,
          metadata: mergeMetadata({}, given.metadata),
          status: 'enabled',
          url: given.url,
        }),
        { internal: { secret } },
      );
      return { ...endpoint, secret };
    },
  ),
  list('/webhook_endpoints', 'webhook_endpoint', {}),
  retrieve('/webhook_endpoints', 'webhook_endpoint'),
  route(
    'POST /webhook_endpoints/:id',
    z.strictObject({
      ...fields,
      url: fields.url.optional(),
      enabled_events: fields.enabled_events.optional(),
      disabled: flag.optional(),
    }),
    async (store, { disabled, metadata: change, expand: _expand, ...given }, { id }) => {
      const endpoint = await store.get('webhook_endpoint', id);
      Object.assign(endpoint, given, { metadata: mergeMetadata(endpoint.metadata, change) });
      if (disabled !== undefined) endpoint.status = disabled ? 'disabled' : 'enabled';
      if (disabled) await cancelPending(store, id);
      return store.save(endpoint);
    },
  ),
  route('DELETE /webhook_endpoints/:id', z.strictObject({}), async (store, _params, { id }) => {
    await store.get('webhook_endpoint', id);
    await cancelPending(store, id);
    await store.remove('webhook_endpoint', id);
    return { id, object: 'webhook_endpoint', deleted: true };
  }),
];

export const webhookRoutes: Route[] = [...eventRoutes, ...webhookEndpointRoutes];
