import 'server-only';
import type { Prisma } from '@/prisma/generated/client';
import type { ClientRecord, Metadata, SessionRecord, SignInRecord, SignUpRecord, UserRecord } from '../records';

/** What belongs to a user; pass it to every query that returns one. */
export const withUser = {
  emails: { orderBy: { createdAt: 'asc' } },
  externalAccounts: { orderBy: { createdAt: 'asc' } },
} as const satisfies Prisma.SandboxClerkUserInclude;

type UserRow = Prisma.SandboxClerkUserGetPayload<{ include: typeof withUser }>;
type SessionRow = Prisma.SandboxClerkSessionGetPayload<{ include: { user: { include: typeof withUser } } }>;
type SignUpRow = Prisma.SandboxClerkSignUpGetPayload<{ include: { oauthFlow: true } }>;
type SignInRow = Prisma.SandboxClerkSignInGetPayload<{
  include: { oauthFlow: true; user: { include: typeof withUser } };
}>;
type ClientRow = Prisma.SandboxClerkClientGetPayload<object>;

const toMetadata = (value: Prisma.JsonValue): Metadata =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

export function toUser(row: UserRow): UserRecord {
  return {
    ...row,
    unsafeMetadata: toMetadata(row.unsafeMetadata),
    publicMetadata: toMetadata(row.publicMetadata),
    privateMetadata: toMetadata(row.privateMetadata),
  };
}

export const toSession = (row: SessionRow): SessionRecord => ({ ...row, user: toUser(row.user) });

export const toSignUp = (row: SignUpRow): SignUpRecord => ({ ...row, unsafeMetadata: toMetadata(row.unsafeMetadata) });

export const toSignIn = (row: SignInRow): SignInRecord => ({ ...row, user: row.user ? toUser(row.user) : null });

type ClientParts = { session: SessionRow | null; signIn: SignInRow | null; signUp: SignUpRow | null };

export function toClient(row: ClientRow, { session, signIn, signUp }: ClientParts): ClientRecord {
  return {
    id: row.id,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    session: session ? toSession(session) : null,
    signIn: signIn ? toSignIn(signIn) : null,
    signUp: signUp ? toSignUp(signUp) : null,
  };
}
