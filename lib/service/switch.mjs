// The tracking service is the embedded one while no other address is set. Plain JavaScript, because
// next.config.mjs and the scripts read it before anything is compiled.
import { randomBytes } from 'node:crypto';

/** @typedef {Record<string, string | undefined>} Environment */

/** @param {Environment} env */
export const isServiceEmbedded = (env) => !env.NEXT_PUBLIC_SVC_BASE_URL?.trim();

/**
 * Names the demo's program where the demo's keys are there and no program is set. A deployment has to name its own. Call it
 * before Next inlines `NEXT_PUBLIC_*`.
 * @param {Environment} env changed in place
 * @returns {boolean} whether the service is the embedded one
 */
export function applyEmbeddedService(env) {
  const embedded = isServiceEmbedded(env);
  if (embedded && env.SVC_OPEN_API_KEY) env.NEXT_PUBLIC_SVC_PROGRAM_ID ||= 'prg_demo';
  return embedded;
}

/**
 * New API keys for the two demo programs; the seed stores their hashes. None where you have a program of your own, so that its
 * database gets no demo data. What has both keys has them from demo.env.
 * @param {Environment} env
 */
export function generateServiceSecrets(env) {
  const hasOwnProgram = env.SVC_API_KEY && !env.SVC_OPEN_API_KEY;
  if (!isServiceEmbedded(env) || hasOwnProgram) return {};
  const key = () => `svc_sk_${randomBytes(24).toString('base64url')}`;
  return { SVC_API_KEY: key(), SVC_OPEN_API_KEY: key() };
}
