// npm run bench:scale -- 10000 100000 1000000 [--pglite]: what the dashboard, the events API and ingestion take on a program
// that has that many events, each size in a database of its own, on PostgreSQL or on the embedded one. On a PostgreSQL that
// TEST_DATABASE_URL names, the databases `bench_…` stay, and the next run does not fill them again.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { startDatabase } from '../database/start.mjs';
import { startPostgres } from '../postgres.mjs';

const RUNS = 31;
const WARM_UP = 5;
const ROWS_PER_STATEMENT = { postgres: 100_000, pglite: 1_000 };

/** Of repeated runs the fast ones say what the work takes; the slow ones, what else the machine did. */
const lowDecile = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 10)] ?? Number.NaN;

type Result = { names?: string[]; milliseconds?: number; said?: string };

type Worker = { ask: (name: string) => Promise<Result>; end: () => Promise<unknown>; names: string[] };

/** A process that measures one size, one request after the other. */
async function startWorker(size: number, url: string, rowsPerStatement: number): Promise<Worker> {
  const program = fileURLToPath(new URL('./scale-worker.ts', import.meta.url));
  const child = fork(program, [String(size), String(rowsPerStatement)], {
    env: { ...process.env, DATABASE_URL: url, SVC_STRIPE_WEBHOOK_SECRET: 'whsec_bench' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'], // the service's log would be among the figures
  });
  const ended = once(child, 'exit');
  let asked: { resolve: (result: Result) => void; reject: (error: Error) => void } | undefined;
  child.on('message', (result: Result) => asked?.resolve(result));
  child.on('exit', () => asked?.reject(new Error(`The process that measures ${size} events ended.`)));
  const nextResult = () =>
    new Promise<Result>((resolve, reject) => {
      asked = { resolve, reject };
    });
  const started = performance.now();
  const { names = [] } = await nextResult();
  console.log(`${size} events: ready after ${Math.round((performance.now() - started) / 1_000)} s`);
  return {
    names,
    ask(name) {
      child.send(name);
      return nextResult();
    },
    end() {
      asked = undefined;
      child.send('end');
      return ended;
    },
  };
}

/** A new database of each size. */
async function startDatabases(sizes: number[]): Promise<{ urls: string[]; stop: () => Promise<void> }> {
  if (process.argv.includes('--pglite')) {
    const folder = mkdtempSync(path.join(tmpdir(), 'bench-scale-'));
    const servers: Array<Awaited<ReturnType<typeof startDatabase>>> = [];
    for (const size of sizes) servers.push(await startDatabase(path.join(folder, String(size))));
    const stop = async () => {
      await Promise.all(servers.map((server) => server.stop()));
      rmSync(folder, { recursive: true, force: true });
    };
    return { urls: servers.map(({ url }) => url), stop };
  }
  const kept = process.env.TEST_DATABASE_URL;
  const server = kept ? { url: kept, stop: async () => {} } : await startPostgres();
  const client = new Client(server.url);
  await client.connect();
  const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database');
  const urls: string[] = [];
  for (const size of sizes) {
    const name = `bench_${size}`;
    if (!rows.some(({ datname }) => datname === name)) await client.query(`CREATE DATABASE ${name}`);
    urls.push(Object.assign(new URL(server.url), { pathname: `/${name}` }).href);
  }
  await client.end();
  return { urls, stop: server.stop };
}

const isPglite = process.argv.includes('--pglite');
const asked = process.argv
  .slice(2)
  .map(Number)
  .filter((size) => size > 0);
const sizes = asked.length > 0 ? asked : [10_000, 100_000, 1_000_000, ...(isPglite ? [] : [10_000_000])];
const databases = await startDatabases(sizes);
const columns: Worker[] = [];
try {
  for (const [index, size] of sizes.entries()) {
    columns.push(
      await startWorker(size, databases.urls[index] ?? '', ROWS_PER_STATEMENT[isPglite ? 'pglite' : 'postgres']),
    );
  }
  const table: Record<string, Record<string, number>> = {};
  for (const name of columns[0]?.names ?? []) {
    const times: number[][] = columns.map(() => []);
    // The sizes take turns, so that a busy moment of the machine meets each of them.
    for (let run = -WARM_UP; run < RUNS; run++) {
      for (const [index, column] of columns.entries()) {
        const { milliseconds = Number.NaN } = await column.ask(name);
        if (run >= 0) times[index]?.push(milliseconds);
      }
    }
    const figures = times.map(lowDecile);
    const growth = (figures.at(-1) ?? Number.NaN) / (figures[0] ?? Number.NaN);
    table[name] = {
      ...Object.fromEntries(sizes.map((size, index) => [size, Number(figures[index]?.toFixed(2))])),
      'last ÷ first': Number(growth.toFixed(2)),
    };
  }
  console.log(
    `\nMilliseconds, the fastest tenth of ${RUNS} runs, ${isPglite ? 'PGlite' : 'PostgreSQL'}, by events in the program`,
  );
  console.table(table);
  for (const column of columns) console.log((await column.ask('export')).said);
} finally {
  await Promise.all(columns.map((column) => column.end()));
  await databases.stop();
}
