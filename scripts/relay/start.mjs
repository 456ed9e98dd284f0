// Starts the relay beside a local run, as a program of its own.
import { spawnScript, superviseChild } from '../programs.mjs';
import { decideRelayed } from './decide.mjs';

/** @typedef {import('../local-env.mjs').Environment} Environment */

/**
 * @param {Environment} own the variables that you set @param {Environment} env those of the run
 * @param {string} target the app's address on this machine
 * @returns {import('../programs.mjs').Running | null} null if no provider is to be polled
 */
export function startRelay(own, env, target) {
  const decided = Object.entries(decideRelayed(own));
  const live = decided.filter(([, decision]) => decision === 'live').map(([name]) => name);
  if (live.length > 0) console.log(`relay: off for ${live.join(' and ')}: it is for test keys, and these are live.`);
  const relayed = decided.filter(([, decision]) => decision === 'relay').map(([name]) => name);
  if (relayed.length === 0) return null;
  return superviseChild(spawnScript('scripts/relay/main.ts', env, ['--target', target, ...relayed]));
}
