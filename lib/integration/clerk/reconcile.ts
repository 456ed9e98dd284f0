// Finds the users whose `user.created` never arrived: webhooks are delivered only while the endpoint responds.
// Change in your app: how far back the first run looks.
import 'server-only';
import { isClerkAPIResponseError } from '@clerk/nextjs/errors';
import { clerkClient, type User } from '@clerk/nextjs/server';
import { database } from '@/lib/integration/database';
import { within } from '@/lib/integration/http';
import { log } from '@/lib/integration/log';
import { enqueue } from '@/lib/integration/outbox/store';
import { leadOf } from './webhook';

/** A checkpoint is where the next run starts; metrics.ts reads it. The first run has its own, because it may take several calls. */
const CHECKPOINT = 'reconcile';
const FIRST_RUN = 'reconcile: first run';
const PAGE = 100;
/** The SDK has no timeout. */
const PAGE_LIMIT_MS = 10_000;
const MINUTE = 60_000;
const FIRST_RUN_MS = 30 * 24 * 60 * MINUTE;
/** Runs overlap, so that a small difference between clocks loses no user. */
const OVERLAP_MS = 10 * MINUTE;
/** The webhook of a new user may not have arrived yet. */
const GRACE_MS = MINUTE;

export type Reconciliation = {
  /** How many users it looked at. Runs overlap by ten minutes. */
  users: number;
  /** The IDs of those whose lead was missing. */
  missing: string[];
  /** False if time ran out: the next run continues. */
  done: boolean;
};

/**
 * Compares the users created since the last run with the outbox and enqueues a lead for each that is missing; the next drain
 * delivers them. Safe to repeat and to interrupt: the checkpoint moves after each page, once its leads are stored.
 * @param hasTime asked before each page; the next run continues where this one stops
 * @throws Clerk's error or a TimeoutError, which `explainClerkFailure` explains, and the database's errors
 */
export async function reconcile(now: Date, hasTime = () => true): Promise<Reconciliation> {
  const stored = await findCheckpoint(CHECKPOINT);
  const isAhead = stored !== null && stored > now;
  if (isAhead) log.error('reconcile: the clock of the last run was ahead; looking back 30 days');
  const last = isAhead ? new Date(now.getTime() - FIRST_RUN_MS) : stored;
  const until = now.getTime() - GRACE_MS;
  const missing: string[] = [];
  const seen = new Set<string>();
  let after = (last ?? (await findCheckpoint(FIRST_RUN)))?.getTime() ?? now.getTime() - FIRST_RUN_MS;
  let offset = 0;
  let done = false;
  // A page starts with the last user of the page before it: with an offset, a deletion would hide a user.
  while (!done && hasTime()) {
    const page = await listUsers(after, until, offset);
    for (const { id, createdAt, unsafeMetadata, emailAddresses } of await withoutLead(page)) {
      const lead = leadOf({ id, unsafeMetadata, email: emailAddresses[0]?.emailAddress });
      // Missed users count in the webhook lag, except on the first run: most of those signed up before the webhook existed.
      const origin = { requestId: null, occurredAt: last && new Date(createdAt) };
      await enqueue(`reconcile:${id}`, lead, now, { origin });
      missing.push(id);
    }
    for (const { id } of page) seen.add(id);
    done = page.length < PAGE;
    const next = (page.at(-1)?.createdAt ?? 0) - 1;
    offset = next > after ? 0 : offset + PAGE; // an import can create more than a page in one millisecond
    after = Math.max(after, next);
    await keepCheckpoint(
      last || done ? CHECKPOINT : FIRST_RUN,
      new Date(done ? until - OVERLAP_MS : Math.min(after, until - OVERLAP_MS)),
    );
  }
  const fields = { users: seen.size, missing: missing.length };
  if (!last) log.info('reconcile: the first run reports the users of the last 30 days', fields);
  else if (missing.length > 0) log.warn('reconcile: webhooks never arrived', fields);
  return { users: seen.size, missing, done };
}

const findCheckpoint = async (name: string): Promise<Date | null> =>
  (await database().shopCheckpoint.findUnique({ where: { name } }))?.at ?? null;

async function keepCheckpoint(name: string, at: Date): Promise<void> {
  await database().shopCheckpoint.upsert({ where: { name }, create: { name, at }, update: { at } });
}

/** Whether Clerk's API refused the key or was unavailable; `null` for any other error. */
export function explainClerkFailure(error: unknown): 'clerk_refused' | 'clerk_unavailable' | null {
  if (error instanceof Error && error.name === 'TimeoutError') return 'clerk_unavailable';
  if (!isClerkAPIResponseError(error)) return null;
  return error.status === 401 || error.status === 403 ? 'clerk_refused' : 'clerk_unavailable';
}

async function listUsers(after: number, before: number, offset: number): Promise<User[]> {
  const clerk = await clerkClient();
  const request = {
    createdAtAfter: after,
    createdAtBefore: before,
    orderBy: '+created_at',
    limit: PAGE,
    offset,
  } as const;
  return (await within(PAGE_LIMIT_MS, clerk.users.getUserList(request))).data;
}

async function withoutLead(users: User[]): Promise<User[]> {
  const arrived = await database().shopOutboxEntry.findMany({
    where: { kind: 'lead', customerExternalId: { in: users.map(({ id }) => id) } },
    select: { customerExternalId: true },
  });
  const ids = new Set(arrived.map(({ customerExternalId }) => customerExternalId));
  return users.filter(({ id }) => !ids.has(id));
}
