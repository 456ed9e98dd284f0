// For an app that creates and deletes its own users: no webhook and no metadata, since the request has the cookie.
// docs/recipes.md has the hooks of Better Auth and Auth.js that call these functions.
// Change in your app: if you do not use Stripe, leave out beforeUserDeleted.
import 'server-only';
import { cookies } from 'next/headers';
import { after } from 'next/server';
import { readClickId } from '@/lib/integration/click-id';
import { logFailure } from '@/lib/integration/log';
import { deliverEntry } from '@/lib/integration/outbox/deliver';
import { enqueue } from '@/lib/integration/outbox/store';
import { endBilling } from '@/lib/integration/stripe/billing';

/**
 * Stores the lead before the response, and delivers it afterwards. Your user ID is the `customerExternalId` from now on: use the
 * same one for every sale. Never throws: both libraries await this hook, and Auth.js links the account only after it, so a failure
 * would lock the new user out. The log line then has the lead's two IDs, which nothing else reports.
 * Not for users that an administrator creates: the cookie is the administrator's. A second call for a user changes nothing.
 * @param linkClickId the click ID stored with the token of the email link that was opened, maybe in another browser. Never look it up
 * by address: a partner may have requested a link for the same one.
 */
export async function afterUserCreated(
  { id, email }: { id?: string; email?: string | null },
  linkClickId?: string | null,
): Promise<void> {
  if (!id) return;
  let clickId: string | null = null;
  try {
    const cookie = (await cookies()).get('svc_click_id')?.value;
    const place = `the sign-up of ${id}`;
    clickId = readClickId(cookie, place) ?? readClickId(linkClickId, place);
    const lead = {
      kind: 'lead',
      customerExternalId: id,
      ...(clickId && { clickId }),
      ...(email && { email }),
    } as const;
    await enqueue(`lead:${id}`, lead, new Date());
    after(() => deliverEntry(`lead:${id}`));
  } catch (error) {
    logFailure('sign-up: storing the lead', error, { customer: id, click_id: clickId });
  }
}

/**
 * Ends the billing of a user who is about to be deleted. Safe to repeat.
 * @throws if the database or Stripe cannot be reached: do not delete the user, who can try again
 */
export const beforeUserDeleted = ({ id }: { id: string }): Promise<void> => endBilling(id);

/**
 * Asks the service to delete the email address of a user who has been deleted. Not earlier: once the erasure is
 * stored, every new purchase of the user is canceled. Never throws; the log line names the user whose address nothing else erases.
 */
export async function afterUserDeleted({ id }: { id: string }): Promise<void> {
  try {
    await enqueue(`erasure:${id}`, { kind: 'erasure', customerExternalId: id }, new Date());
    after(() => deliverEntry(`erasure:${id}`));
  } catch (error) {
    logFailure('deletion: storing the erasure', error, { customer: id });
  }
}
