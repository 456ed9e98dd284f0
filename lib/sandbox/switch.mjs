// The one place that decides whether Clerk and Stripe are the real ones or the sandbox: real as soon as one of a
// provider's keys is set. Plain JavaScript, because next.config.mjs and the scripts read it before anything is compiled.
import { generateKeyPairSync, randomBytes } from 'node:crypto';

/** @typedef {Record<string, string | undefined>} Environment */

// Clerk's browser code reads its Frontend API's host from the key; the host is never resolved, the proxy URL replaces it.
export const PUBLISHABLE_KEY = `pk_live_${Buffer.from('clerk.sandbox.test$').toString('base64')}`;
const STRIPE_KEY_PREFIX = 'sk_test_sandbox';

/** The same for everyone, so that a build needs no secret. */
const CLERK_PUBLIC = {
  NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
  NEXT_PUBLIC_CLERK_PROXY_URL: '/sandbox/clerk',
  NEXT_PUBLIC_CLERK_TELEMETRY_DISABLED: '1',
  NEXT_PUBLIC_CLERK_KEYLESS_DISABLED: '1',
};

/**
 * Which providers the sandbox stands in for.
 * `SANDBOX=off` forbids it for both; otherwise a provider is in the sandbox while it has no key.
 * @param {Environment} env
 * @returns {{ clerk: boolean, stripe: boolean }}
 */
export function decideSandbox(env) {
  if (env.SANDBOX === 'off') return { clerk: false, stripe: false };
  const publishableKey = env.NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY || PUBLISHABLE_KEY;
  const hasClerkSecret = Boolean(env.CLERK_SECRET_KEY) && !env.CLERK_SECRET_KEY?.startsWith('sk_live_sandbox');
  return {
    clerk: publishableKey === PUBLISHABLE_KEY && !hasClerkSecret,
    stripe: !env.STRIPE_SECRET_KEY || env.STRIPE_SECRET_KEY.startsWith(STRIPE_KEY_PREFIX),
  };
}

/**
 * Sets the public variables of the sandbox where they are unset. Call it before Next inlines `NEXT_PUBLIC_*`.
 * @param {Environment} env changed in place
 */
export function applySandbox(env) {
  const sandbox = decideSandbox(env);
  if (sandbox.clerk) for (const [name, value] of Object.entries(CLERK_PUBLIC)) env[name] ||= value;
  return sandbox;
}

/**
 * The sandbox's addresses as server code needs them.
 * @param {Environment} env @param {string} appUrl
 */
export function sandboxAddresses(env, appUrl) {
  const sandbox = decideSandbox(env);
  return {
    ...(sandbox.clerk && { CLERK_API_URL: `${appUrl}/sandbox/clerk` }),
    ...(sandbox.stripe && { STRIPE_API_URL: `${appUrl}/sandbox/stripe` }),
  };
}

/**
 * New secrets for the providers in the sandbox; the caller keeps them for as long as the data.
 * @param {Environment} env
 */
export function generateSandboxSecrets(env) {
  const sandbox = decideSandbox(env);
  return { ...(sandbox.clerk && clerkSecrets()), ...(sandbox.stripe && stripeSecrets()) };
}

function clerkSecrets() {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  return {
    CLERK_SECRET_KEY: `sk_live_sandbox${randomBytes(24).toString('hex')}`,
    CLERK_JWT_KEY: pem.replaceAll('\n', ''), // the SDK takes a PEM without line breaks
    CLERK_WEBHOOK_SIGNING_SECRET: `whsec_${randomBytes(24).toString('base64')}`,
    SANDBOX_CLERK_PRIVATE_KEY: pair.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
  };
}

function stripeSecrets() {
  return {
    STRIPE_SECRET_KEY: `${STRIPE_KEY_PREFIX}${randomBytes(24).toString('hex')}`,
    STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('hex')}`,
    SVC_STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(24).toString('hex')}`,
  };
}
