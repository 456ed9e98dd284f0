// Units of work on the account, and the webhooks that report them.
import { resolveTarget } from '../core/config';
import { enqueueDeliveries, type NewDelivery } from '../core/deliveries';
import { type Emulator, stripeWebhookSecret } from '../core/emulator';
import { inShapeOf } from './older-shapes';
import { type RequestInfo, Store } from './store';
import type { WireEvent } from './wire';

/** One unit of work: everything in it happens, events and their deliveries included, or nothing. */
export async function changeAccount<Result>(
  emulator: Emulator,
  work: (store: Store) => Promise<Result>,
  request?: RequestInfo,
): Promise<Result> {
  const result = await emulator.database.change(async (sql) => {
    const store = await Store.open(sql, emulator.config, request);
    const done = await work(store);
    await writeEvents(emulator, store);
    return done;
  });
  emulator.deliveries.wake();
  return result;
}

/** Reads only. */
export function readAccount<Result>(emulator: Emulator, work: (store: Store) => Promise<Result>): Promise<Result> {
  return emulator.database.query(async (sql) => work(await Store.open(sql, emulator.config)));
}

/** Where events go. `apiVersion` is the endpoint's own: it, not the SDK's, decides the shape of what is sent. */
type Endpoint = { url: string; events: string[]; apiVersion: string | null; secret: string };

async function writeEvents(emulator: Emulator, store: Store): Promise<void> {
  if (store.emitted.length === 0) return;
  const endpoints = await listEndpoints(emulator, store);
  const deliveries: NewDelivery[] = [];
  for (const { event, subject } of store.emitted) {
    const subscribed = endpoints.filter(({ events: types }) => types.includes('*') || types.includes(event.type));
    event.pending_webhooks = subscribed.length;
    await store.insert(event);
    for (const endpoint of subscribed) deliveries.push(await toDelivery(store, event, subject, endpoint));
  }
  await enqueueDeliveries(store.sql, deliveries);
}

/** Every enabled endpoint: those that the emulators were started with, and those made through the API. */
export async function listEndpoints(emulator: Emulator, store: Store): Promise<Endpoint[]> {
  const configured = emulator.config.stripeWebhooks.map((webhook) => ({
    url: resolveTarget(emulator.config, webhook.target),
    events: webhook.events,
    apiVersion: null,
    secret: stripeWebhookSecret(emulator, webhook),
  }));
  const created: Endpoint[] = [];
  for (const endpoint of await store.all('webhook_endpoint', { status: 'enabled' })) {
    const { secret } = await store.internal<{ secret: string }>(endpoint.id);
    const { url, enabled_events: events, api_version: apiVersion } = endpoint;
    created.push({ url, events, apiVersion, secret });
  }
  return [...configured, ...created];
}

const toDelivery = async (
  store: Store,
  event: WireEvent,
  subject: string,
  { url, secret, apiVersion }: Endpoint,
): Promise<NewDelivery> => ({
  provider: 'stripe',
  url,
  secret,
  eventId: event.id,
  eventType: event.type,
  body: JSON.stringify(await inShapeOf(store, event, apiVersion), null, 2),
  subject: subject || 'no customer',
  occurredAt: event.created,
});
