// What earlier runs have prepared, so that the next start does not do it again: fingerprints in $DATA_DIR/prepared.json.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { dataDirectory } from './local-env.mjs';

/** @typedef {import('./local-env.mjs').Environment} Environment */
/** @typedef {{ name: string, files: string[], read: () => Promise<unknown> }} Inputs `read` returns what else it depends on */

/** @param {Environment} env */
const fileOf = (env) => path.join(dataDirectory(env), 'prepared.json');

/** @param {Environment} env @returns {Record<string, string>} */
function readAll(env) {
  try {
    return JSON.parse(readFileSync(fileOf(env), 'utf8'));
  } catch {
    return {};
  }
}

/** @param {Inputs} inputs */
async function fingerprint({ files, read }) {
  const hash = createHash('sha256').update(JSON.stringify(await read()));
  for (const file of files) hash.update(existsSync(file) ? readFileSync(file) : file);
  return hash.digest('hex');
}

/** Whether the work succeeded before with the same files and values. @param {Environment} env @param {Inputs} inputs */
export const isPrepared = async (env, inputs) => readAll(env)[inputs.name] === (await fingerprint(inputs));

/**
 * Does the work unless it succeeded before with the same files and values. These are read again after the work, which may
 * change them.
 * @param {Environment} env @param {Inputs} inputs @param {() => Promise<unknown>} work
 */
export async function whenChanged(env, inputs, work) {
  if (await isPrepared(env, inputs)) return;
  await work();
  const current = await fingerprint(inputs);
  const prepared = { ...readAll(env), [inputs.name]: current }; // read last: other work may have ended meanwhile
  mkdirSync(dataDirectory(env), { recursive: true });
  writeFileSync(fileOf(env), `${JSON.stringify(prepared, null, 2)}\n`);
}
