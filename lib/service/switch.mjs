// The tracking service is the embedded one unless another address is set. Plain JavaScript, because
// next.config.mjs and the scripts read it before anything is compiled.
import { randomBytes } from 'node:crypto';

/** @typedef {Record<string, string | undefined>} Environment */

/** @param {Environment} env */
export const isServiceEmbedded = (env) => !env.NEXT_PUBLIC_SVC_BASE_URL?.trim();

/**
 * Sets the demo's program if the demo's keys are set and no program is. A deployment has to set its own. Call it before Next
 * inlines `NEXT_PUBLIC_*`.
 * @param {Environment} env changed in place
 * @returns {boolean} whether the service is the embedded one
 */
export function applyEmbeddedService(env) {
  const embedded = isServiceEmbedded(env);
  if (embedded && env.SVC_OPEN_API_KEY) env.NEXT_PUBLIC_SVC_PROGRAM_ID ||= 'prg_demo';
  return embedded;
}

/**
 * New API keys for the two demo programs; the seed stores their hashes. None if you have your own program, so that its database gets
 * no demo data. If both keys are set, they come from demo.env.
 * @param {Environment} env
 */
export function generateServiceSecrets(env) {
  const hasOwnProgram = env.SVC_API_KEY && !env.SVC_OPEN_API_KEY;
  if (!isServiceEmbedded(env) || hasOwnProgram) return {};
  const key = () => `svc_sk_${randomBytes(24).toString('base64url')}`;
  return { SVC_API_KEY: key(), SVC_OPEN_API_KEY: key() };
}
