// Reports the lead where users are created in your own app: no webhook and no metadata, since the request has the cookie.
// Better Auth: databaseHooks.user.create.after. Auth.js: events.createUser. Both pass the new user.
import 'server-only';
import { cookies } from 'next/headers';
import { after } from 'next/server';
import { readClickId } from '@/lib/integration/click-id';
import { deliverEntry } from '@/lib/integration/outbox/deliver';
import { enqueue } from '@/lib/integration/outbox/store';

/**
 * Stores the lead before the response, and delivers it afterwards. Your user ID is the `customerExternalId` from now on: use the
 * same one for every sale.
 */
export async function afterUserCreated({ id, email }: { id: string; email: string }): Promise<void> {
  const clickId = readClickId((await cookies()).get('svc_click_id')?.value, `the cookie of ${id}`);
  const lead = { kind: 'lead', customerExternalId: id, email, ...(clickId && { clickId }) } as const;
  await enqueue(`lead:${id}`, lead, new Date());
  after(() => deliverEntry(`lead:${id}`));
}
