import 'server-only';
import { createPublicKey } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { readPrivateKey } from './session-token';

const AUDIENCE = 'sign_in_token';

/** A token with which a user signs in without a password, as a server may hand it out. */
export function issueTicket(userId: string, now: Date, lifetimeSeconds: number): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'RS256' })
    .setAudience(AUDIENCE)
    .setSubject(userId)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(readPrivateKey());
}

/** The user of a ticket, or null where it is not ours or has expired. */
export async function readTicket(ticket: string): Promise<string | null> {
  try {
    const { payload } = await jwtVerify(ticket, createPublicKey(readPrivateKey()), { audience: AUDIENCE });
    return payload.sub ?? null;
  } catch {
    return null;
  }
}
