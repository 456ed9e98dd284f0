import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { superviseChild } from '../programs.mjs';

export const IN_MEMORY = 'memory://';

/**
 * Starts the embedded database in its own process.
 * @param {string} directory a data directory, or `IN_MEMORY` for one that is gone when it stops
 * @param {string} [command] what a second opener is told about this process
 * @returns {Promise<{ url: string } & import('../programs.mjs').Running>} rejects where another process has the directory
 *   open
 */
export async function startDatabase(directory, command = process.argv.slice(1).join(' ')) {
  const program = fileURLToPath(new URL('./serve.mjs', import.meta.url));
  const child = fork(program, [directory, command], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const running = superviseChild(child);
  const url = await new Promise((resolve, reject) => {
    void running.ended.then((how) => reject(new Error(`The embedded database ${how}.`)));
    child.once('message', (message) => {
      const { url: served, error } = /** @type {{ url?: string, error?: string }} */ (message);
      if (served) resolve(served);
      else reject(new Error(error));
    });
  });
  return { url, ...running };
}
