import 'server-only';
import { database } from '@/prisma/client';
import type { Prisma } from '@/prisma/generated/client';
import type { UserFilter, UserPage } from '../domain/user-filter';
import type { Metadata, UserRecord } from '../records';
import { toUser, withUser } from './rows';
import type { Transaction } from './transaction';

export async function findUser(id: string, tx: Transaction = database()): Promise<UserRecord | null> {
  const row = await tx.sandboxClerkUser.findUnique({ where: { id }, include: withUser });
  return row ? toUser(row) : null;
}

/** The user who has verified this address, or null. */
export async function findUserByEmail(address: string): Promise<UserRecord | null> {
  const email = await database().sandboxClerkEmail.findUnique({
    where: { address: address.trim().toLowerCase() },
    include: { user: { include: withUser } },
  });
  return email?.verifiedAt ? toUser(email.user) : null;
}

/** The user who has connected this account of the "Continue with …" provider, or null. */
export async function findUserByAccount(strategy: string, providerUserId: string): Promise<UserRecord | null> {
  const account = await database().sandboxClerkExternalAccount.findUnique({
    where: { strategy_providerUserId: { strategy, providerUserId } },
    include: { user: { include: withUser } },
  });
  return account ? toUser(account.user) : null;
}

export type UserChange = {
  passwordHash?: string;
  firstName?: string | null;
  lastName?: string | null;
  primaryEmailId?: string;
  unsafeMetadata?: Metadata;
  publicMetadata?: Metadata;
  privateMetadata?: Metadata;
};

export async function updateUser(tx: Transaction, id: string, change: UserChange, now: Date): Promise<UserRecord> {
  const { unsafeMetadata, publicMetadata, privateMetadata, ...rest } = change;
  const row = await tx.sandboxClerkUser.update({
    where: { id },
    data: {
      ...rest,
      ...(unsafeMetadata && { unsafeMetadata: unsafeMetadata as object }),
      ...(publicMetadata && { publicMetadata: publicMetadata as object }),
      ...(privateMetadata && { privateMetadata: privateMetadata as object }),
      updatedAt: now,
    },
    include: withUser,
  });
  return toUser(row);
}

/** Deletes a user with its addresses, accounts and sessions; false where there is none. */
export async function deleteUser(tx: Transaction, id: string): Promise<boolean> {
  const { count } = await tx.sandboxClerkUser.deleteMany({ where: { id } });
  return count === 1;
}

function toWhere(filter: UserFilter): Prisma.SandboxClerkUserWhereInput {
  const { ids, addresses, query, createdAfter, createdBefore } = filter;
  return {
    ...(ids.length > 0 && { id: { in: ids } }),
    ...(addresses.length > 0 && { emails: { some: { address: { in: addresses } } } }),
    ...(query && {
      OR: [{ id: query }, { emails: { some: { address: { contains: query, mode: 'insensitive' as const } } } }],
    }),
    ...((createdAfter || createdBefore) && {
      createdAt: { ...(createdAfter && { gt: createdAfter }), ...(createdBefore && { lt: createdBefore }) },
    }),
  };
}

/** The ID breaks ties, so that pages neither repeat nor skip a user. */
export async function listUsers(filter: UserFilter, page: UserPage): Promise<UserRecord[]> {
  const rows = await database().sandboxClerkUser.findMany({
    where: toWhere(filter),
    include: withUser,
    orderBy: [{ [page.orderBy]: page.direction }, { id: page.direction }],
    take: page.limit,
    skip: page.offset,
  });
  return rows.map(toUser);
}

export function countUsers(filter: UserFilter): Promise<number> {
  return database().sandboxClerkUser.count({ where: toWhere(filter) });
}
