import 'server-only';
import { createHash, randomBytes } from 'node:crypto';
import { database } from '@/prisma/client';
import { createId } from '../ids';
import type { ClientRecord } from '../records';
import { toClient, withUser } from './rows';

const hashToken = (token: string) => createHash('sha256').update(token).digest('hex');

/** The browser that holds this token, or null. */
export function findClient(token: string, now: Date): Promise<ClientRecord | null> {
  return readClient({ tokenHash: hashToken(token) }, now);
}

/** The same browser after a change. */
export async function reloadClient(id: string, now: Date): Promise<ClientRecord> {
  const client = await readClient({ id }, now);
  if (!client) throw new Error(`Client ${id} has vanished.`);
  return client;
}

async function readClient(where: { tokenHash: string } | { id: string }, now: Date): Promise<ClientRecord | null> {
  const row = await database().sandboxClerkClient.findUnique({ where });
  if (!row) return null;
  const [session, signIn, signUp] = await Promise.all([
    database().sandboxClerkSession.findFirst({
      where: { clientId: row.id, status: 'active', expireAt: { gt: now } },
      include: { user: { include: withUser } },
      orderBy: { createdAt: 'desc' },
    }),
    row.signInId
      ? database().sandboxClerkSignIn.findUnique({
          where: { id: row.signInId },
          include: { oauthFlow: true, user: { include: withUser } },
        })
      : null,
    row.signUpId
      ? database().sandboxClerkSignUp.findUnique({ where: { id: row.signUpId }, include: { oauthFlow: true } })
      : null,
  ]);
  return toClient(row, { session, signIn, signUp });
}

/** A new browser. Its token is returned once, for the cookie; only the hash is kept. */
export async function createClient(now: Date): Promise<{ client: ClientRecord; token: string }> {
  const token = randomBytes(32).toString('base64url');
  const row = await database().sandboxClerkClient.create({
    data: { id: createId('client'), tokenHash: hashToken(token), createdAt: now, updatedAt: now },
  });
  return { client: toClient(row, { session: null, signIn: null, signUp: null }), token };
}
