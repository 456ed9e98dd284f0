import { randomUUID } from 'node:crypto';
import { Webhook } from 'svix';

/** The headers with which Clerk sends this body, signed with the app's secret unless another is named. */
export function signClerk(
  body: string,
  {
    secret = process.env.CLERK_WEBHOOK_SIGNING_SECRET ?? '',
    id = `msg_${randomUUID()}`,
    at = new Date(),
  }: { secret?: string; id?: string | undefined; at?: Date } = {},
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'svix-id': id,
    'svix-timestamp': String(Math.floor(at.getTime() / 1000)),
    'svix-signature': new Webhook(secret).sign(id, at, body),
  };
}
