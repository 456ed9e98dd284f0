// Verifies Clerk's webhook with svix, reads from it what to report to the tracking service, and handles it.
// Change in your app: `reportOf`, if you handle other events too; leave out the billing if you sell nothing through Stripe.
import 'server-only';
import type { UserJSON, WebhookEvent } from '@clerk/nextjs/server';
import { Webhook } from 'svix';
import { clickIdOf } from '@/lib/integration/click-id';
import { clerkEnv } from '@/lib/integration/env';
import { log, logFailure } from '@/lib/integration/log';
import { receiveReport } from '@/lib/integration/outbox/deliver';
import type { Report } from '@/lib/integration/outbox/report';
import { endBilling } from '@/lib/integration/stripe/billing';
import { updateEmail } from '@/lib/integration/stripe/customer';

export type ClerkWebhook = {
  /** The same on every delivery of one event. */
  messageId: string;
  event: WebhookEvent;
};

/**
 * The event in a Clerk webhook, or `null` if the signature is missing, wrong, or older than five minutes (§5).
 * Accepts the current and the previous secret, so that no event is refused while you rotate it.
 * @param body the raw text, as received
 */
export function verifyClerkWebhook(body: string, headers: Headers, secrets = signingSecrets()): ClerkWebhook | null {
  const messageId = headers.get('svix-id') ?? '';
  const signed = {
    'svix-id': messageId,
    'svix-timestamp': headers.get('svix-timestamp') ?? '',
    'svix-signature': headers.get('svix-signature') ?? '',
  };
  for (const secret of secrets) {
    try {
      return { messageId, event: new Webhook(secret).verify(body, signed) as WebhookEvent };
    } catch {
      // Not signed with this secret.
    }
  }
  log.warn('webhook: a signature was refused', { endpoint: 'clerk' });
  return null;
}

function signingSecrets(): string[] {
  const env = clerkEnv();
  return [env.CLERK_WEBHOOK_SIGNING_SECRET, env.CLERK_WEBHOOK_SIGNING_SECRET_PREVIOUS].filter((s) => s !== undefined);
}

/**
 * Stores the event's report and tries to deliver it, updates the email address of the Stripe customer, and ends the billing of a
 * deleted user. Safe to repeat.
 * @param requestId is sent to the tracking service, so that both logs have the same ID
 * @returns `unavailable`: respond 503, and Clerk sends the event again
 */
export async function receiveClerkEvent(
  { messageId, event }: ClerkWebhook,
  requestId: string | null = null,
): Promise<'accepted' | 'unavailable'> {
  const report = reportOf(event);
  const origin = { requestId, occurredAt: occurredAt(event) };
  if (report && (await receiveReport(messageId, report, { origin })) === 'unavailable') return 'unavailable';
  try {
    if (event.type === 'user.updated') await updateEmail({ userId: event.data.id, email: primaryEmailOf(event.data) });
    if (report?.kind === 'erasure') await endBilling(report.customerExternalId);
    return 'accepted';
  } catch (error) {
    logFailure('webhook: the billing of a changed or deleted user', error, { type: event.type, request_id: requestId });
    return 'unavailable';
  }
}

/** The report for an event, or `null` if there is nothing to report. */
export function reportOf(event: WebhookEvent): Report | null {
  switch (event.type) {
    case 'user.created': {
      const { id, unsafe_metadata: unsafeMetadata, email_addresses: emails } = event.data;
      if (!id) return null;
      // Clerk always sends it, empty if the visitor was not referred. Without it, no user would be attributed.
      if (unsafeMetadata === undefined) log.warn('webhook: a new user has no unsafe_metadata', { customer: id });
      return leadOf({ id, unsafeMetadata, email: emails?.[0]?.email_address }); // an event written by hand may have none
    }
    case 'user.deleted':
      return event.data.id ? { kind: 'erasure', customerExternalId: event.data.id } : null;
    default:
      return null;
  }
}

/** The primary email address. The lead has the first one (contract §4), which may be another. */
export const primaryEmailOf = ({ email_addresses: emails, primary_email_address_id: primary }: UserJSON) =>
  emails?.find(({ id }) => id === primary)?.email_address;

/**
 * When a `user.created` happened; `null` for other events. The time until the webhook arrives is the webhook lag. It is the event's own
 * time, which Clerk's types leave out: `created_at` of an imported user is the date in the old system.
 */
export function occurredAt({ type, data, timestamp }: WebhookEvent & { timestamp?: unknown }): Date | null {
  if (type !== 'user.created') return null;
  const time = [timestamp, data.created_at].find(Number.isSafeInteger);
  return time === undefined ? null : new Date(Number(time));
}

/**
 * The lead of a user: §4, identity-provider signup path, step 2. The user's ID, the click ID from `unsafe_metadata`, and the
 * first email address. `unsafe_metadata` is user-controlled input: whatever it contains, the lead is reported.
 */
export function leadOf(user: { id: string; unsafeMetadata: unknown; email: string | undefined }): Report {
  const { id, email } = user;
  const clickId = clickIdOf(user);
  return {
    kind: 'lead',
    customerExternalId: id,
    ...(clickId && { clickId }),
    ...(email && typeof email === 'string' && { email }),
  };
}
