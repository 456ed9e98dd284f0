import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startDatabase } from '../../scripts/database/start.mjs';
import { freePort } from '../../scripts/ports.mjs';
import { NEXT, spawnNode, superviseChild } from '../../scripts/programs.mjs';
import { untilServed } from '../../scripts/stack.mjs';

// Processes of the production build, as a server runs them; the suite's command has built it and set its variables.

const PRELOAD = ['--import', new URL('../../scripts/client-address.mjs', import.meta.url).href];

export type BuiltApp = {
  url: string;
  port: number;
  pid: number;
  /** Everything that the process has printed so far. */
  log: () => string;
  /** SIGTERM. @returns how long it took to end */
  terminate: () => Promise<number>;
  /** SIGKILL: no handler runs. */
  kill: () => Promise<void>;
};

type AppOptions = { databaseUrl: string; port?: number; appUrl?: string; directory?: string; nodeFlags?: string[] };

/** Starts a process of the build and resolves once it serves. */
export async function startBuiltApp(options: AppOptions): Promise<BuiltApp> {
  const { databaseUrl, port, appUrl, directory = '.', nodeFlags = [] } = options;
  const chosen = port ?? (await freePort('localhost'));
  const url = `http://localhost:${chosen}`;
  const env = { ...process.env, NODE_ENV: 'production', DATABASE_URL: databaseUrl, APP_URL: appUrl ?? url };
  const args = [...nodeFlags, ...PRELOAD, NEXT, 'start', directory, '-H', 'localhost', '-p', String(chosen)];
  const child = spawnNode(args, env, { stdout: 'pipe', stderr: 'pipe' });
  let log = '';
  child.stdout?.on('data', (chunk) => (log += chunk));
  child.stderr?.on('data', (chunk) => (log += chunk));
  const running = superviseChild(child);
  try {
    await untilServed(running, chosen);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\n${log}`);
  }
  const end = async (signal: NodeJS.Signals) => {
    const started = performance.now();
    child.kill(signal);
    await running.ended;
    return performance.now() - started;
  };
  return {
    url,
    port: chosen,
    pid: running.pid,
    log: () => log,
    terminate: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  };
}

export type DataDirectory = { path: string; remove: () => void };

/** A copy of the suite's data directory: migrated, with the demo programs. */
export function copyDataDirectory(): DataDirectory {
  const directory = mkdtempSync(path.join(tmpdir(), 'data-'));
  cpSync(process.env.TEMPLATE_DIRECTORY ?? '', path.join(directory, 'postgres'), { recursive: true });
  return { path: path.join(directory, 'postgres'), remove: () => rmSync(directory, { recursive: true, force: true }) };
}

export type Database = Awaited<ReturnType<typeof startDatabase>>;

/** The embedded database on a data directory of its own. */
export async function startOwnDatabase(): Promise<Database & { directory: DataDirectory; port: number }> {
  const directory = copyDataDirectory();
  const database = await startDatabase(directory.path);
  const stop = async () => {
    await database.stop();
    directory.remove();
  };
  return { ...database, stop, directory, port: Number(new URL(database.url).port) };
}
