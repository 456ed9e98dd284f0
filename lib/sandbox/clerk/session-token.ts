import 'server-only';
import { createPrivateKey, createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { type JWK, SignJWT } from 'jose';
import { requireSandboxEnv } from '../env';

/** Also the instance ID, as at Clerk. */
export const KEY_ID = 'ins_sandbox';
const ISSUER = 'https://clerk.sandbox.test';
const CATEGORY = 'cl_B7d4PD111AAA'; // Clerk's mark of a session token
export const TOKEN_SECONDS = 60;
const CLOCK_TOLERANCE_SECONDS = 10;

let privateKey: KeyObject | undefined;

/** The instance's own key. */
export function readPrivateKey(): KeyObject {
  const key = Buffer.from(requireSandboxEnv('SANDBOX_CLERK_PRIVATE_KEY'), 'base64');
  privateKey ??= createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  return privateKey;
}

type TokenSession = { id: string; userId: string; verifiedAt: Date };
type TokenOptions = { origin: string | null; now: Date; lifetimeSeconds?: number };

/**
 * A session token as Clerk issues it (version 2): RS256, 60 seconds.
 * `fva` holds the minutes since the first factor was verified, and -1 for the second.
 */
export function issueSessionToken(session: TokenSession, options: TokenOptions): Promise<string> {
  const { origin, now, lifetimeSeconds = TOKEN_SECONDS } = options;
  const issuedAt = Math.floor(now.getTime() / 1000);
  const age = Math.floor((now.getTime() - session.verifiedAt.getTime()) / 60_000);
  const claims = { ...(origin && { azp: origin }), fva: [age, -1], sid: session.id, sts: 'active', v: 2 };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: KEY_ID, typ: 'JWT', cat: CATEGORY })
    .setIssuer(ISSUER)
    .setSubject(session.userId)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setNotBefore(issuedAt - CLOCK_TOLERANCE_SECONDS)
    .setExpirationTime(issuedAt + lifetimeSeconds)
    .sign(readPrivateKey());
}

/** The public half, as `GET /v1/jwks` publishes it. */
export function publicJwk(): JWK {
  const jwk = createPublicKey(readPrivateKey()).export({ format: 'jwk' });
  return { ...jwk, kid: KEY_ID, alg: 'RS256', use: 'sig' } as JWK;
}
