// What earlier runs have prepared, so that the next start does not do it again: fingerprints in $DATA_DIR/prepared.json.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { dataDirectory } from './local-env.mjs';

/** @typedef {import('./local-env.mjs').Environment} Environment */

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

/**
 * Does the work unless it succeeded before with the same files and values.
 * @param {Environment} env
 * @param {{ name: string, files: string[], read: () => Promise<unknown> }} inputs `read` is asked again after the work,
 *   which may change what it finds
 * @param {() => Promise<unknown>} work
 */
export async function whenChanged(env, { name, files, read }, work) {
  const fingerprint = async () => {
    const hash = createHash('sha256').update(JSON.stringify(await read()));
    for (const file of files) hash.update(existsSync(file) ? readFileSync(file) : file);
    return hash.digest('hex');
  };
  if (readAll(env)[name] === (await fingerprint())) return;
  await work();
  const prepared = { ...readAll(env), [name]: await fingerprint() };
  mkdirSync(dataDirectory(env), { recursive: true });
  writeFileSync(fileOf(env), `${JSON.stringify(prepared, null, 2)}\n`);
}
