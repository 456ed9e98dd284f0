import 'server-only';
import { Webhook } from 'svix';
import { clerkEnv } from '@/lib/integration/env';

export type ClerkWebhook = { messageId: string; event: unknown };

/**
 * The event in a webhook of Clerk's, or `null` where its signature is missing, wrong, or older than five minutes.
 * Takes the current and the previous secret, so that rotating it refuses nothing.
 * @param body the raw text, as it was sent
 */
export function verifyClerkWebhook(body: string, headers: Headers, secrets = signingSecrets()): ClerkWebhook | null {
  const messageId = headers.get('svix-id') ?? '';
  const signed = {
    'svix-id': messageId,
    'svix-timestamp': headers.get('svix-timestamp') ?? '',
    'svix-signature': headers.get('svix-signature') ?? '',
  };
  for (const secret of secrets) {
    const webhook = new Webhook(secret);
    try {
      return { messageId, event: webhook.verify(body, signed) };
    } catch {
      // Not signed with this secret.
    }
  }
  return null;
}

function signingSecrets(): string[] {
  const env = clerkEnv();
  return [env.CLERK_WEBHOOK_SIGNING_SECRET, env.CLERK_WEBHOOK_SIGNING_SECRET_PREVIOUS].filter((s) => s !== undefined);
}
