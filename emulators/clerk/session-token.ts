// What an instance signs: session tokens, and the tickets that servers hand out.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { type JWK, jwtVerify, SignJWT } from 'jose';
import type { Emulator } from '../core/emulator';
import { factorAge, type Session } from './objects/session';
import type { User } from './objects/user';
import { claimsFor } from './session-claims';

const CATEGORY = 'cl_B7d4PD111AAA'; // marks Clerk's session tokens
export const TOKEN_SECONDS = 60;
const CLOCK_TOLERANCE_SECONDS = 10;
const TICKET_AUDIENCE = 'sign_in_token';

type TokenOptions = {
  /** The app's origin, which becomes `azp`: servers that check it refuse a token without one. */
  origin: string;
  /** Unix milliseconds. */
  now: number;
  lifetimeSeconds?: number;
};

/** A session token as Clerk issues it (version 2): RS256, 60 seconds. */
export function issueSessionToken(
  emulator: Emulator,
  { session, user }: { session: Session; user: User },
  options: TokenOptions,
): Promise<string> {
  const { origin, now, lifetimeSeconds = TOKEN_SECONDS } = options;
  const issuedAt = Math.floor(now / 1000);
  const own = claimsFor(emulator.config.sessionClaims ?? {}, user, session);
  const claims = { ...own, azp: origin, fva: factorAge(session, now), sid: session.id, sts: 'active', v: 2 };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: instanceId(emulator), typ: 'JWT', cat: CATEGORY })
    .setIssuer(issuerOf(emulator))
    .setSubject(session.user_id)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setNotBefore(issuedAt - CLOCK_TOLERANCE_SECONDS)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(privateKeyOf(emulator));
}

/** Clerk's ID of the instance, which is its key's ID, too. It is derived from the key, because servers cache keys by ID. */
export const instanceId = ({ secrets }: Emulator): string =>
  `ins_${createHash('sha256').update(secrets.clerkPrivateKey).digest('hex').slice(0, 27)}`;

/** The public half of the key, for servers and for tools that decode a token. */
export function publicJwks(emulator: Emulator): { keys: JWK[] } {
  const jwk = createPublicKey(privateKeyOf(emulator)).export({ format: 'jwk' });
  return { keys: [{ ...(jwk as JWK), kid: instanceId(emulator), alg: 'RS256', use: 'sig' }] };
}

/** `id` is the ID of the sign-in token, which works once. */
export type Ticket = { id: string; userId: string };

/** A token with which a user signs in without a password, as a server may hand it out. */
export function issueTicket(
  emulator: Emulator,
  { id, userId }: Ticket,
  now: number,
  lifetimeSeconds: number,
): Promise<string> {
  const issuedAt = Math.floor(now / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer(issuerOf(emulator))
    .setAudience(TICKET_AUDIENCE)
    .setSubject(userId)
    .setJti(id)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(privateKeyOf(emulator));
}

/** The content of a ticket, or null if it belongs to another instance or has expired. */
export async function readTicket(emulator: Emulator, ticket: string): Promise<Ticket | null> {
  try {
    const key = createPublicKey(privateKeyOf(emulator));
    const { payload } = await jwtVerify(ticket, key, { audience: TICKET_AUDIENCE });
    return payload.jti && payload.sub ? { id: payload.jti, userId: payload.sub } : null;
  } catch {
    return null;
  }
}

/** The host in the publishable key: the SDK treats a cookie with another issuer as another instance's. */
function issuerOf({ publishableKey }: Emulator): string {
  const host = Buffer.from(publishableKey.split('_')[2] ?? '', 'base64')
    .toString()
    .replace('$', '');
  return `https://${host}`;
}

function privateKeyOf({ secrets }: Emulator): KeyObject {
  return createPrivateKey({ key: Buffer.from(secrets.clerkPrivateKey, 'base64'), format: 'der', type: 'pkcs8' });
}
