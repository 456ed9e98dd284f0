// npm run bench:ingest: what a click, a lead and a sale cost, against a bare route of the same build and bare node:http,
// on PostgreSQL and on the embedded database. `-- --keep-build` uses the build of the last run
// again, `-- --short` sends fewer requests, `-- --pglite` leaves PostgreSQL out.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { devNull, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { bareEnvironment } from '../local-env.mjs';
import { startPostgres } from '../postgres.mjs';
import { prepareRun, startApp } from '../stack.mjs';
import { median } from './browser.mjs';
import { profile, profiled } from './profile.mjs';
import { enterBenchBuild } from './scratch-build.mjs';

const ROUNDS = 9;
const IS_SHORT = process.argv.includes('--short');
const REQUESTS = IS_SHORT ? 400 : 1_000;
/** Until then V8 is still compiling: a request takes up to three times as long. */
const WARM_UP_ROUNDS = 4;
const CONCURRENCY = 8;
const PACED_SECONDS = IS_SHORT ? 2 : 3;
/** What an open page of the dashboard asks every three seconds. */
const LIVE = 'live page';
const LIVE_TABS = { tabs: 50, everySeconds: 3 };

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Without a body it is a GET. @typedef {{ url: string, headers?: Record<string, string>, body?: () => object }} Target */

/** @param {Target} target @returns {Promise<number>} milliseconds */
function call({ url, headers = {}, body }) {
  const text = body && JSON.stringify(body());
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: body ? 'POST' : 'GET', agent, headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        response.resume();
        response.on('end', () => {
          if (response.statusCode !== 200) reject(new Error(`${url} responded with ${response.statusCode}.`));
          else resolve(performance.now() - started);
        });
      },
    );
    sent.on('error', (error) => {
      // A connection that waited while other targets were measured, and that the server has closed.
      if (sent.reusedSocket && 'code' in error && error.code === 'ECONNRESET')
        resolve(call({ url, headers, ...(body && { body }) }));
      else reject(error);
    });
    sent.end(text);
  });
}

/** CPU time that a process has used, in microseconds: the first of three numbers, for each thread. @param {number} pid */
const cpuOf = (pid) =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e3)
    .reduce((sum, time) => sum + time, 0);

/** As many requests as the server takes. @param {Target} target @param {number} pid */
async function saturate(target, pid) {
  const [cpu, started] = [cpuOf(pid), performance.now()];
  let left = REQUESTS;
  const worker = async () => {
    while (left-- > 0) await call(target);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return { cpu: (cpuOf(pid) - cpu) / REQUESTS, perSecond: (REQUESTS * 1_000) / (performance.now() - started) };
}

/**
 * Requests at a steady rate, whether or not the ones before are answered. Between them this process sleeps, as a core that
 * waits for the next one would be missing to the server.
 * @param {Target} target @param {number} perSecond
 * @returns p50 and p99 of each second, so that a moment in which the machine stood still counts in its second only
 */
async function pace(target, perSecond) {
  /** @type {Array<Array<Promise<number>>>} */
  const seconds = [];
  const started = performance.now();
  let sent = 0;
  for (let elapsed = 0; elapsed < PACED_SECONDS * 1_000; elapsed = performance.now() - started) {
    const due = Math.floor((elapsed * perSecond) / 1_000);
    for (; sent <= due; sent++) (seconds[Math.floor(elapsed / 1_000)] ??= []).push(call(target));
    await delay((sent * 1_000) / perSecond - elapsed);
  }
  const times = await Promise.all(seconds.map((second) => Promise.all(second)));
  const at = (/** @type {number} */ share) => (/** @type {number[]} */ sorted) =>
    sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  const sorted = times.map((second) => second.sort((a, b) => a - b));
  return { p50: sorted.map(at(0.5)), p99: sorted.map(at(0.99)) };
}

/** The least server there is, in a process of its own. */
async function startBareServer() {
  const program = `require('node:http').createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk)).on('end', () => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ success: true, id: JSON.parse(text).customer_key }));
    });
  }).listen(0, '127.0.0.1', function () { console.log(this.address().port) });`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(/** @type {import('node:stream').Readable} */ (child.stdout), 'data');
  return { pid: child.pid ?? 0, url: `http://127.0.0.1:${String(port).trim()}/`, stop: () => child.kill() };
}

let made = 0;
const unique = () => `${process.pid}_${++made}`;

/** @param {string} url @param {string} apiKey @returns {Promise<Record<string, Target>>} */
async function ingestTargets(url, apiKey) {
  const headers = { authorization: `Bearer ${apiKey}` };
  const track = `${url}/api/v1/track`;
  const click = {
    program_id: 'prg_demo',
    affiliate_url: `${url}/?aff=ada&utm_source=newsletter`,
    page_url: `${url}/pricing`,
  };
  const response = await fetch(`${track}/click`, {
    method: 'POST',
    body: JSON.stringify(click),
    headers: { 'content-type': 'application/json' },
  });
  const { click_id } = /** @type {{ click_id: string }} */ (await response.json());
  const lead = () => ({ customer_key: `user_${unique()}`, click_id, email: 'ada@example.com' });
  const known = { customer_key: `user_${unique()}`, click_id };
  await call({ url: `${track}/lead`, headers, body: () => known });
  const sale = () => ({
    customer_key: known.customer_key,
    amount_cents: 1_900,
    transaction_id: `in_${unique()}`,
    currency: 'usd',
  });
  return {
    'bare route': { url: `${url}/bench-bare`, body: lead },
    click: { url: `${track}/click`, body: () => click },
    lead: { url: `${track}/lead`, headers, body: lead },
    sale: { url: `${track}/sale`, headers, body: sale },
    [LIVE]: { url: `${url}/dashboard/version` },
  };
}

/** @param {string} name @param {Record<string, string>} database */
async function measure(name, database) {
  const settings = { ...bareEnvironment(), ...database, NODE_ENV: 'production', DATA_DIR: '.data-bench' };
  const prepared = await prepareRun(settings, { inMemory: true });
  const port = prepared.ports.appPort;
  const profileFile = path.join(tmpdir(), `bench-ingest-${process.pid}.json`);
  const app = await startApp('start', { ...prepared.appEnv, ...profiled(profileFile) }, { port, logFile: devNull });
  const appUrl = `http://localhost:${port}`; // past the recorder
  const bare = await startBareServer();
  try {
    const appPid = listenerOf(port);
    /** @type {import('../local-env.mjs').Environment} */
    const { SVC_API_KEY: apiKey = '', DATABASE_URL: databaseUrl = '' } = prepared.env;
    await liftLimits(databaseUrl);
    /** @type {Record<string, Target & { pid: number }>} */
    const targets = { 'node:http': { url: bare.url, body: () => ({ customer_key: 'user_1' }), pid: bare.pid } };
    for (const [key, target] of Object.entries(await ingestTargets(appUrl, apiKey)))
      targets[key] = { ...target, pid: appPid };
    /** @type {Record<string, { cpu: number[], perSecond: number[], p50: number[], p99: number[] }>} */
    const measured = Object.fromEntries(
      Object.keys(targets).map((key) => [key, { cpu: [], perSecond: [], p50: [], p99: [] }]),
    );
    for (let round = 0; round < WARM_UP_ROUNDS; round++)
      for (const target of Object.values(targets)) await saturate(target, target.pid);
    // Round by round, so that a busy moment of the machine meets every target.
    for (let round = 0; round < ROUNDS; round++) {
      for (const [key, target] of Object.entries(targets)) {
        const { cpu, perSecond } = await saturate(target, target.pid);
        const { p50, p99 } = await pace(target, perSecond / 2);
        for (const [column, values] of Object.entries({ cpu: [cpu], perSecond: [perSecond], p50, p99 })) {
          Reflect.get(measured[key] ?? {}, column).push(...values);
        }
      }
    }
    const base = median(measured['bare route']?.cpu ?? []);
    console.log(`\n${name}: median of ${ROUNDS} rounds; p50 and p99 of a second at half of the throughput`);
    console.table(
      Object.fromEntries(
        Object.entries(measured).map(([key, { cpu, perSecond, p50, p99 }]) => [
          key,
          {
            'CPU, µs a request': Math.round(median(cpu)),
            '× bare route': Number((median(cpu) / base).toFixed(2)),
            'requests/s': Math.round(median(perSecond)),
            'p50, ms': Number(median(p50).toFixed(2)),
            'p99, ms': Number(median(p99).toFixed(2)),
            'p99 ÷ p50': Number((median(p99) / median(p50)).toFixed(1)),
          },
        ]),
      ),
    );
    /** @type {Record<string, Record<string, number>>} */
    const spent = {};
    for (const [key, target] of Object.entries(targets)) {
      if (target.pid !== appPid) continue;
      const shares = await profile(appPid, profileFile, () => saturate(target, appPid));
      const cpu = median(measured[key]?.cpu ?? []);
      spent[key] = Object.fromEntries(Object.entries(shares).map(([group, share]) => [group, Math.round(share * cpu)]));
    }
    console.log(`${name}: where it goes, µs of a request's CPU by a profile of the server`);
    console.table(spent);
    const { tabs, everySeconds } = LIVE_TABS;
    const share = (median(measured[LIVE]?.cpu ?? []) * tabs) / everySeconds / 1e4;
    console.log(`${tabs} open live pages on which nothing happens take ${share.toFixed(1)} % of a core.`);
  } finally {
    bare.stop();
    await app.stop();
    await prepared.stop();
    rmSync(profileFile, { force: true });
  }
}

/** The process that `next start` serves from. @param {number} port */
function listenerOf(port) {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const sockets = ['tcp', 'tcp6'].flatMap((table) => readFileSync(`/proc/net/${table}`, 'utf8').split('\n'));
  const inode = sockets
    .map((line) => line.trim().split(/\s+/))
    .find(([, local, , state]) => local?.endsWith(`:${hex}`) && state === '0A')?.[9];
  for (const pid of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const isOwner = readdirSync(`/proc/${pid}/fd`).some((fd) => {
        try {
          return readlinkSync(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`;
        } catch {
          return false; // closed meanwhile
        }
      });
      if (isOwner) return Number(pid);
    } catch {
      // another user's process
    }
  }
  throw new Error(`Nothing listens on port ${port}.`);
}

/** The rate limits are part of each statement; only their figures are out of the way. @param {string} url */
async function liftLimits(url) {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(
    'UPDATE service_programs SET browser_requests_per_minute = 1000000000, server_requests_per_minute = 1000000000',
  );
  await client.end();
}

if (process.platform !== 'linux') throw new Error('The CPU time of a process is read from /proc: run this on Linux.');
enterBenchBuild({ isKept: process.argv.includes('--keep-build') });
if (!process.argv.includes('--pglite')) {
  const postgres = await startPostgres();
  try {
    await measure('PostgreSQL', { DATABASE_URL: postgres.url });
  } finally {
    await postgres.stop();
  }
}
await measure('PGlite', {});
agent.destroy();
