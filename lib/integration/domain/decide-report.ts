import { z } from 'zod';
import { clickIdOf } from './click-id';
import type { Report } from './report';

const userCreated = z.object({
  type: z.literal('user.created'),
  data: z.object({
    id: z.string().min(1),
    // Nothing about the visitor's own writing may refuse an event, so these two never fail.
    unsafe_metadata: z.unknown(),
    email_addresses: z.array(z.object({ email_address: z.string() })).catch([]),
  }),
});

const userDeleted = z.object({ type: z.literal('user.deleted'), data: z.object({ id: z.string().min(1) }) });

/**
 * What an event of Clerk's makes the shop report, or `null` for an event that is not ours.
 * §4, identity-provider path: the user's ID, the click from `unsafe_metadata`, the first e-mail address.
 */
export function decideReport(event: unknown): Report | null {
  const created = userCreated.safeParse(event);
  if (created.success) return leadOf(created.data.data);
  const deleted = userDeleted.safeParse(event);
  if (deleted.success) return { kind: 'erasure', customerExternalId: deleted.data.data.id };
  return null;
}

/** The lead of a user as Clerk's webhooks and its Backend API show one. */
export function leadOf(user: z.output<typeof userCreated>['data']): Report {
  const clickId = clickIdOf(user.unsafe_metadata);
  const email = user.email_addresses[0]?.email_address;
  return { kind: 'lead', customerExternalId: user.id, ...(clickId && { clickId }), ...(email && { email }) };
}
