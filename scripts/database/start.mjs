import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../ports.mjs';
import { superviseChild } from '../programs.mjs';

export const IN_MEMORY = 'memory://';

/** An address of this machine on which no process listens yet. PGlite has no TLS, and an exported PGSSLMODE would ask for it. */
export const chooseAddress = async () =>
  `postgresql://postgres:postgres@127.0.0.1:${await freePort('127.0.0.1')}/postgres?sslmode=disable`;

/**
 * Starts the embedded database in its own process.
 * @param {string} directory a data directory, or `IN_MEMORY` for one that is gone when it stops
 * @param {string} [command] what a second opener is told about this process
 * @param {string} [address] where it is to be served, if that has been decided before
 * @returns {Promise<{ url: string } & import('../programs.mjs').Running>} rejects if another process has the directory
 *   open
 */
export async function startDatabase(directory, command = process.argv.slice(1).join(' '), address) {
  const url = address ?? (await chooseAddress());
  const program = fileURLToPath(new URL('./serve.mjs', import.meta.url));
  const child = fork(program, [directory, command, url], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const running = superviseChild(child);
  await new Promise((resolve, reject) => {
    /** @type {string | undefined} */
    let problem;
    void running.ended.then((how) => reject(new Error(problem ?? `The embedded database ${how}.`)));
    child.once('message', (message) => {
      const { isServing, error } = /** @type {{ isServing?: true, error?: string }} */ (message);
      if (isServing) resolve(null);
      problem = error;
    });
  });
  return { url, ...running };
}
