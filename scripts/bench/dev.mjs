// npm run bench:dev: how long `npm run dev` takes until it is ready, and then until the first page is there: once with an empty
// data folder, then as after any other day. It prints figures and asserts none.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { bareEnvironment, buildDirectory } from '../local-env.mjs';
import { freePort } from '../ports.mjs';
import { median } from './browser.mjs';

const RESTARTS = Number(process.env.RUNS ?? 5);
const PAGE = '/?aff=ada';
const SESSION_MS = 5_000; // Next saves what it has compiled when it has time

/** @param {number} started */
const secondsSince = (started) => (performance.now() - started) / 1000;

/** The output is shown if it never gets ready. @param {import('node:child_process').ChildProcess} child @returns {Promise<string>} its address */
async function untilReady(child) {
  if (!child.stdout) throw new Error('No output to read.');
  const lines = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const address = /^ready (\S+)/.exec(line)?.[1];
    if (address) return address;
    lines.push(line);
  }
  throw new Error(`npm run dev ended before it was ready.\n${lines.join('\n')}`);
}

/** @param {import('../local-env.mjs').Environment} env */
async function start(env) {
  const started = performance.now();
  const child = spawn(process.execPath, ['scripts/dev.mjs'], {
    env: /** @type {NodeJS.ProcessEnv} */ (env),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    const address = await untilReady(child);
    child.stdout?.resume();
    const ready = secondsSince(started);
    const asked = performance.now();
    const response = await fetch(new URL(PAGE, address));
    await response.text();
    if (!response.ok) throw new Error(`${PAGE} responded with ${response.status}.`);
    const firstPage = secondsSince(asked);
    await delay(SESSION_MS);
    return { ready, firstPage };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}

const directory = mkdtempSync(path.join(tmpdir(), 'bench-dev-'));
const data = path.join(directory, 'data');
// The same ports at each start, as on a developer's machine: addresses are compiled into pages.
const [PORT, EMULATORS_PORT] = [String(await freePort('localhost')), String(await freePort('localhost'))];
const env = { ...bareEnvironment(), DATA_DIR: data, PORT, EMULATORS_PORT };
try {
  const first = await start(env);
  const again = [];
  for (let run = 0; run < RESTARTS; run += 1) again.push(await start(env));
  const show = (/** @type {number[]} */ values) => `${median(values).toFixed(1)} s`;
  console.table({
    'empty data folder': { ready: show([first.ready]), 'first page': show([first.firstPage]) },
    [`restart, median of ${RESTARTS}`]: {
      ready: show(again.map(({ ready }) => ready)),
      'first page': show(again.map(({ firstPage }) => firstPage)),
    },
  });
} finally {
  for (const made of [directory, buildDirectory({ DATA_DIR: data }) ?? ''])
    rmSync(made, { recursive: true, force: true });
}
