import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Starts the embedded database in its own process.
 * @param {string} directory a data directory, or `memory://` for one that is gone when it stops
 * @returns {Promise<{ url: string, stop(): Promise<void> }>} rejects where another process has the directory open
 */
export function startDatabase(directory) {
  const child = fork(fileURLToPath(new URL('./serve.mjs', import.meta.url)), [directory], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The embedded database ended with code ${code}.`)));
    child.once('message', (message) => {
      const { url, error } = /** @type {{ url?: string, error?: string }} */ (message);
      if (!url) return reject(new Error(error));
      resolve({
        url,
        stop: async () => {
          if (child.connected) child.disconnect();
          await exited;
        },
      });
    });
  });
}
