// What set-up asks Clerk: whether two keys are of one instance, and keys for a developer without an account.
import { hostInPublishableKey, modeOf } from '@/lib/integration/env-rules';
import type { Environment } from '../local-env.mjs';
import { KEYS, type Keys } from './keys';

const LIMIT_MS = 10_000;

type ClerkKeys = Pick<Keys, 'publishableKey' | 'clerkSecretKey'>;
type Jwks = { keys: Array<{ kid: string }> };
type Accountless = { publishable_key: string; secret_key: string; claim_url: string };

const apiUrl = ({ CLERK_API_URL }: Environment) => CLERK_API_URL ?? 'https://api.clerk.com';

/**
 * Checks that the secret key and the publishable key belong to one instance: both APIs name the key that signs its sessions.
 * @param appUrl where the app runs, if it does: it serves a proxy that the variable names by its path, and the SDK's own. Without it
 * the live keys of a *.vercel.app instance are refused, as they work nowhere else
 * @returns the instance's host
 * @throws if they do not, or if Clerk refuses a key or cannot be reached
 */
export async function checkInstance(
  { publishableKey, clerkSecretKey }: ClerkKeys,
  env: Environment,
  appUrl?: string,
): Promise<string> {
  const host = hostInPublishableKey(publishableKey) ?? '';
  const proxy = env.NEXT_PUBLIC_CLERK_PROXY_URL || (isProxied(publishableKey, appUrl) && '/__clerk');
  const frontend = proxy && URL.canParse(proxy, appUrl) ? new URL(proxy, appUrl).href : `https://${host}`;
  const authorization = `Bearer ${clerkSecretKey}`;
  const ofSecretKey = await readJson<Jwks>(`${apiUrl(env)}/v1/jwks`, { headers: { authorization } });
  const ofPublishableKey = await readJson<Jwks>(`${frontend}/.well-known/jwks.json`);
  const known = new Set(ofSecretKey.keys.map(({ kid }) => kid));
  if (ofPublishableKey.keys.some(({ kid }) => known.has(kid))) return host;
  throw new Error(
    `${KEYS.clerkSecretKey.variable} belongs to another instance than ${KEYS.publishableKey.variable} (${host}).`,
  );
}

/** Whether the SDK sends the browser's requests through the app: Clerk can have no host below *.vercel.app. */
const isProxied = (publishableKey: string, appUrl = '') =>
  modeOf(publishableKey) === 'live' && URL.canParse(appUrl) && new URL(appUrl).hostname.endsWith('.vercel.app');

/** A development instance without an account, as `@clerk/nextjs` makes one in its keyless mode. */
export async function createInstance(env: Environment): Promise<ClerkKeys & { claimUrl: string }> {
  const made = await readJson<Accountless>(`${apiUrl(env)}/v1/accountless_applications`, { method: 'POST' });
  return { publishableKey: made.publishable_key, clerkSecretKey: made.secret_key, claimUrl: made.claim_url };
}

async function readJson<Body>(url: string, init: RequestInit = {}): Promise<Body> {
  const { origin } = new URL(url);
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(LIMIT_MS) }).catch(() => null);
  if (!response) throw new Error(`${origin} does not respond.`);
  if (response.status === 401 || response.status === 403) {
    throw new Error(`Clerk refuses ${KEYS.clerkSecretKey.variable} (${response.status}).`);
  }
  if (!response.ok) throw new Error(`${url} responded with ${response.status}.`);
  return (await response.json()) as Body;
}
