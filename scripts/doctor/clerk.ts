// Clerk: are the keys of one instance, does its API take the secret one, and do the clocks agree.
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { clerkEnv } from '@/lib/integration/env';
import { checkInstance } from '../setup/clerk';
import { ask, skewSeconds } from './http';
import { blocker, type Finding, Obstacle, ok } from './report';

/** Session tokens and signatures are refused soon beyond it. */
const TOLERANCE_SECONDS = 60;
const KEYS =
  'Copy both keys again, from one page: Clerk dashboard, API keys. Stripe has keys that start with sk_test_ too.';
const NETWORK = 'Check the network. If CLERK_API_URL is set, Clerk has to be running there; otherwise unset it.';

export async function examineClerk(now: () => Date): Promise<Finding[]> {
  const { CLERK_SECRET_KEY, NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY, CLERK_API_URL, CLERK_JWT_KEY } = clerkEnv();
  const api = CLERK_API_URL ?? 'https://api.clerk.com';
  const response = await ask(`${api}/v1/jwks`, { headers: { authorization: `Bearer ${CLERK_SECRET_KEY}` } }, NETWORK);
  if (response.status === 401 || response.status === 403) {
    throw new Obstacle(`Clerk refuses CLERK_SECRET_KEY (${response.status}).`, KEYS);
  }
  if (!response.ok) throw new Obstacle(`${new URL(api).origin} returned ${response.status}.`, NETWORK);
  return [
    ...(await examineInstance()),
    ...(CLERK_JWT_KEY ? describeJwtKey(CLERK_JWT_KEY, (await response.json()).keys) : []),
    ...describeClock(skewSeconds(response, now())),
  ];

  async function examineInstance(): Promise<Finding[]> {
    const keys = { clerkSecretKey: CLERK_SECRET_KEY, publishableKey: NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY };
    try {
      return [ok('Clerk', `both keys belong to ${await checkInstance(keys, process.env, process.env.APP_URL)}`)];
    } catch (error) {
      return [blocker('Clerk', error instanceof Error ? error.message : String(error), KEYS)];
    }
  }
}

/**
 * The SDK verifies every session with CLERK_JWT_KEY, whatever key a token names.
 * @param keys those that the instance of the secret key signs with
 */
function describeJwtKey(pem: string, keys: JsonWebKey[]): Finding[] {
  const pems = keys.map((key) => createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' }));
  if (pems.map(onOneLine).includes(onOneLine(pem))) return [ok('Clerk', 'CLERK_JWT_KEY is of this instance')];
  return [
    blocker(
      'Clerk',
      'CLERK_JWT_KEY is not of this instance: every session is refused.',
      'Copy it again: Clerk dashboard, API keys, JWKS public key. Or unset it.',
    ),
  ];
}

const onOneLine = (pem: string | Buffer) => String(pem).replace(/[\r\n]/g, '');

/** @param skew whole seconds by which this machine is ahead */
export function describeClock(skew: number | null): Finding[] {
  if (skew === null) return [];
  const direction = skew > 0 ? 'ahead' : 'behind';
  if (Math.abs(skew) <= TOLERANCE_SECONDS) return [ok('Clock', 'in sync with Clerk')];
  return [
    blocker(
      'Clock',
      `this machine is ${Math.abs(skew)} s ${direction}: sessions and webhook signatures are refused.`,
      'Set the clock by NTP (timedatectl set-ntp true; on WSL: wsl --shutdown).',
    ),
  ];
}
