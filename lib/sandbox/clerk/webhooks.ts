import 'server-only';
import { enqueueDelivery } from '../deliveries/delivery-queries';
import { drainDeliveries } from '../deliveries/drain-deliveries';
import { appUrl } from '../env';
import type { Call } from './call';
import { createId } from './ids';
import type { Transaction } from './queries/transaction';
import type { UserRecord } from './records';
import { primaryAddress } from './resources/session';
import { backendUserResource, deletedResource } from './resources/user';
import { KEY_ID } from './session-token';

export type UserEventType = 'user.created' | 'user.updated' | 'user.deleted';

type Origin = { client_ip: string; user_agent: string };

/** The event as Clerk writes it: the user as the Backend API knows it, or what is left of a deleted one. */
export function buildUserEvent(type: UserEventType, user: UserRecord, now: Date, origin: Origin) {
  return {
    data: type === 'user.deleted' ? deletedResource('user', user.id) : backendUserResource(user),
    event_attributes: { http_request: origin },
    instance_id: KEY_ID,
    object: 'event',
    timestamp: now.getTime(),
    type,
  };
}

/**
 * Puts the event in line for the app's webhook, in the transaction of the change it tells of. The delivery starts once
 * the browser has its answer, so no page may wait for it, as with Clerk.
 */
export async function emitUserEvent(type: UserEventType, user: UserRecord, call: Call, tx: Transaction): Promise<void> {
  const { headers } = call.request;
  const origin = { client_ip: headers.get('x-forwarded-for') ?? '', user_agent: headers.get('user-agent') ?? '' };
  await enqueueDelivery(
    {
      provider: 'clerk',
      url: `${appUrl()}/api/webhooks/clerk`,
      secretName: 'CLERK_WEBHOOK_SIGNING_SECRET',
      eventId: createId('msg'),
      eventType: type,
      body: JSON.stringify(buildUserEvent(type, user, call.now, origin)),
      subject: primaryAddress(user) || user.id,
    },
    tx,
  );
  call.afterAnswer(drainDeliveries);
}
