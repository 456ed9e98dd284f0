import 'server-only';
import Stripe from 'stripe';
import { type DeliveryInput, enqueueDeliveries } from '../deliveries/delivery-queries';
import { newId } from './api/new-id';
import type { Store } from './store';
import { type Destination, loadDestinations } from './webhook-destinations';
import type { AnyStripeObject, WireEvent } from './wire';

/**
 * Notes that something happened to the object as it is now. Kept and put in line for the endpoints when the unit of work
 * ends. `previous` holds what an update has changed, as it was before.
 */
export function emitEvent(
  store: Store,
  type: string,
  object: AnyStripeObject,
  previous?: Record<string, unknown>,
): void {
  const event: WireEvent = {
    id: newId('evt'),
    object: 'event',
    api_version: Stripe.API_VERSION,
    created: store.now,
    data: { object: structuredClone(object), ...(previous && { previous_attributes: structuredClone(previous) }) },
    livemode: false,
    pending_webhooks: 0,
    request: store.request,
    type,
  };
  store.emitted.push({ event, subject: store.subject });
}

/** Writes what was emitted, and a delivery for every endpoint that wants it, within the store's transaction. */
export async function flushEvents(store: Store): Promise<void> {
  if (store.emitted.length === 0) return;
  const destinations = await loadDestinations(store);
  const deliveries: DeliveryInput[] = [];
  for (const { event, subject } of store.emitted) {
    const wanting = destinations.filter(({ events }) => events.includes('*') || events.includes(event.type));
    event.pending_webhooks = wanting.length;
    deliveries.push(...wanting.map((destination) => toDelivery(event, subject, destination)));
  }
  await store.insertAll(store.emitted.map(({ event }) => event));
  await enqueueDeliveries(deliveries, store.tx);
}

function toDelivery(event: WireEvent, subject: string, { url, apiVersion, signedWith }: Destination): DeliveryInput {
  const body = JSON.stringify({ ...event, api_version: apiVersion ?? event.api_version }, null, 2);
  return {
    provider: 'stripe',
    url,
    eventId: event.id,
    eventType: event.type,
    body,
    subject: subject || 'no customer',
    ...signedWith,
  };
}
