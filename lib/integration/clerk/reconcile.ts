// Finds the users whose `user.created` never arrived: webhooks are delivered only while the endpoint responds.
// Change in your app: how far back the first run looks.
import 'server-only';
import { isClerkAPIResponseError } from '@clerk/nextjs/errors';
import { clerkClient, type User } from '@clerk/nextjs/server';
import { database } from '@/lib/integration/database';
import { log } from '@/lib/integration/log';
import { enqueue } from '@/lib/integration/outbox/store';
import { leadOf } from './webhook';

const CHECKPOINT = 'reconcile';
const PAGE = 100;
const MINUTE = 60_000;
const FIRST_RUN_MS = 30 * 24 * 60 * MINUTE;
/** Runs overlap, so that clocks that differ a little lose no user. */
const OVERLAP_MS = 10 * MINUTE;
/** The webhook of a new user may still be on its way. */
const GRACE_MS = MINUTE;

export type Reconciliation = {
  /** How many users were created since the last run. */
  users: number;
  /** The IDs of those whose lead was missing. */
  missing: string[];
};

/**
 * Compares the users created since the last run with the outbox and enqueues a lead for each that is missing; the next drain
 * delivers them. Safe to repeat and to interrupt: the checkpoint moves only after everything is stored.
 */
export async function reconcile(now: Date): Promise<Reconciliation> {
  const last = await database().shopCheckpoint.findUnique({ where: { name: CHECKPOINT } });
  const since = new Date((last?.at.getTime() ?? now.getTime() - FIRST_RUN_MS) - OVERLAP_MS);
  const until = new Date(now.getTime() - GRACE_MS);
  const missing: string[] = [];
  const seen = new Set<string>();
  // A page begins with the last user of the one before: behind an offset, a deletion would hide a user.
  for (let after = since.getTime(), offset = 0; ; ) {
    const page = await listUsers(after, until.getTime(), offset);
    for (const { id, createdAt, unsafeMetadata, emailAddresses } of await withoutLead(page)) {
      const email_addresses = emailAddresses.map(({ emailAddress }) => ({ email_address: emailAddress }));
      const lead = leadOf({ id, unsafe_metadata: unsafeMetadata, email_addresses });
      // The webhook lag includes missed users, but not those of the first run: most signed up before the webhook existed.
      const origin = { requestId: null, occurredAt: last && new Date(createdAt) };
      await enqueue(`reconcile:${id}`, lead, now, { origin });
      missing.push(id);
    }
    for (const { id } of page) seen.add(id);
    const newest = page.at(-1);
    if (!newest || page.length < PAGE) break;
    const next = newest.createdAt - 1;
    offset = next > after ? 0 : offset + PAGE; // an import can create more than a page in one millisecond
    after = Math.max(after, next);
  }
  const users = seen.size;
  await database().shopCheckpoint.upsert({
    where: { name: CHECKPOINT },
    create: { name: CHECKPOINT, at: until },
    update: { at: until },
  });
  const fields = { users, missing: missing.length };
  if (!last) log.info('reconcile: the first run reports the users of the last 30 days', fields);
  else if (missing.length > 0) log.warn('reconcile: webhooks never arrived', fields);
  return { users, missing };
}

/** Classifies an error from the Clerk API; `null` for any other error. */
export function explainClerkFailure(error: unknown): 'clerk_refused' | 'clerk_unavailable' | null {
  if (!isClerkAPIResponseError(error)) return null;
  return error.status === 401 || error.status === 403 ? 'clerk_refused' : 'clerk_unavailable';
}

async function listUsers(after: number, before: number, offset: number): Promise<User[]> {
  const clerk = await clerkClient();
  const { data } = await clerk.users.getUserList({
    createdAtAfter: after,
    createdAtBefore: before,
    orderBy: '+created_at',
    limit: PAGE,
    offset,
  });
  return data;
}

async function withoutLead(users: User[]): Promise<User[]> {
  const arrived = await database().shopOutboxEntry.findMany({
    where: { kind: 'lead', customerExternalId: { in: users.map(({ id }) => id) } },
    select: { customerExternalId: true },
  });
  const ids = new Set(arrived.map(({ customerExternalId }) => customerExternalId));
  return users.filter(({ id }) => !ids.has(id));
}
