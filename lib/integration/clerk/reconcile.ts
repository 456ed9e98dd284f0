// Finds the users whose `user.created` never arrived: webhooks are delivered at least once only while the endpoint answers.
// Change in your app: how far back the first run looks.
import 'server-only';
import { clerkClient } from '@clerk/nextjs/server';
import { leadOf } from '@/lib/integration/domain/decide-report';
import { enqueue } from '@/lib/integration/inbox/inbox-store';
import { database } from '@/prisma/client';

const CHECKPOINT = 'reconcile';
const PAGE = 100;
const MINUTE = 60_000;
const FIRST_RUN_MS = 30 * 24 * 60 * MINUTE;
/** Runs overlap, so that a clock that is a little wrong loses nobody. */
const OVERLAP_MS = 10 * MINUTE;
/** A webhook may still be on its way; nobody is missing yet. */
const GRACE_MS = MINUTE;

export type Reconciliation = { since: Date; until: Date; users: number; missing: string[] };

export type ListUsers = (page: { since: Date; until: Date; offset: number }) => Promise<User[]>;
type User = Parameters<typeof leadOf>[0];

/**
 * Compares the users created since the last run with the inbox, and puts a lead for each missing one into it; the next drain
 * delivers them. Safe to repeat and to interrupt: the checkpoint moves on only after everything is stored.
 */
export async function reconcile(now: Date, listUsers: ListUsers = listUsersOfClerk): Promise<Reconciliation> {
  const last = await database().shopCheckpoint.findUnique({ where: { name: CHECKPOINT } });
  const since = new Date((last?.at.getTime() ?? now.getTime() - FIRST_RUN_MS) - OVERLAP_MS);
  const until = new Date(now.getTime() - GRACE_MS);
  const missing: string[] = [];
  let users = 0;
  for (;;) {
    const page = await listUsers({ since, until, offset: users });
    for (const user of await withoutLead(page)) {
      await enqueue(`reconcile:${user.id}`, leadOf(user), now);
      missing.push(user.id);
    }
    users += page.length;
    if (page.length < PAGE) break;
  }
  await database().shopCheckpoint.upsert({
    where: { name: CHECKPOINT },
    create: { name: CHECKPOINT, at: until },
    update: { at: until },
  });
  return { since, until, users, missing };
}

async function withoutLead(users: User[]): Promise<User[]> {
  const arrived = await database().shopInboxEntry.findMany({
    where: { kind: 'lead', customerExternalId: { in: users.map(({ id }) => id) } },
    select: { customerExternalId: true },
  });
  const ids = new Set(arrived.map(({ customerExternalId }) => customerExternalId));
  return users.filter(({ id }) => !ids.has(id));
}

async function listUsersOfClerk({ since, until, offset }: Parameters<ListUsers>[0]): Promise<User[]> {
  const clerk = await clerkClient();
  const { data } = await clerk.users.getUserList({
    createdAtAfter: since.getTime(),
    createdAtBefore: until.getTime(),
    orderBy: '+created_at',
    limit: PAGE,
    offset,
  });
  return data.map(({ id, unsafeMetadata, emailAddresses }) => ({
    id,
    unsafe_metadata: unsafeMetadata,
    email_addresses: emailAddresses.map(({ emailAddress }) => ({ email_address: emailAddress })),
  }));
}
