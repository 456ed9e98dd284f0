import 'server-only';
import Stripe from 'stripe';
import { type DeliveryInput, enqueueDeliveries } from '../deliveries/delivery-queries';
import { newId } from './api/new-id';
import { inShapeOf } from './older-shapes';
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
  const events = store.emitted.map(({ event }) => event);
  const deliveries: DeliveryInput[] = [];
  for (const { event, subject } of store.emitted) {
    const wanting = destinations.filter(({ events }) => events.includes('*') || events.includes(event.type));
    event.pending_webhooks = wanting.length;
    for (const destination of wanting) {
      const body = JSON.stringify(inShapeOf(event, destination.apiVersion, events), null, 2);
      deliveries.push(toDelivery(event, subject, destination, body));
    }
  }
  await store.insertAll(events);
  await enqueueDeliveries(deliveries, store.tx);
}

const toDelivery = (
  { id: eventId, type: eventType }: WireEvent,
  subject: string,
  { url, signedWith }: Destination,
  body: string,
): DeliveryInput => ({
  provider: 'stripe',
  url,
  eventId,
  eventType,
  body,
  subject: subject || 'no customer',
  ...signedWith,
});
