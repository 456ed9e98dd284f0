// Where a process spends its time. Loaded into the app with `--import`, this file profiles it between two signals; the bench
// sends them, and reads what was written.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import { setTimeout as delay } from 'node:timers/promises';

const SIGNAL = 'SIGUSR2';
const FILE = process.env.BENCH_PROFILE;

if (FILE) {
  /** Connected only while it profiles: until then every line that is logged would go to it as well. @type {Session | null} */
  let session = null;
  process.on(SIGNAL, () => {
    if (session) {
      session.post('Profiler.stop', (_, { profile }) => writeFileSync(FILE, JSON.stringify(profile)));
      session.disconnect();
      session = null;
    } else {
      session = new Session();
      session.connect();
      session.post('Profiler.enable');
      session.post('Profiler.start');
    }
  });
}

/** What the app is started with, so that it can be profiled. @param {string} file where the profile is written */
export const profiled = (file) => ({ NODE_OPTIONS: `--import=${import.meta.url}`, BENCH_PROFILE: file });

/** @typedef {{ callFrame: { functionName: string, url: string }, id: number }} Frame */

/** @param {Frame['callFrame']} frame */
function groupOf({ functionName, url }) {
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (url.includes('/node_modules/next/')) return 'Next';
  if (url.includes('/.next/')) return 'our code and zod';
  if (/\/node_modules\/pg(-|\/)/.test(url)) return 'pg';
  return 'Node: sockets, HTTP, streams';
}

/**
 * Profiles a process while `work` runs.
 * @param {number} pid @param {string} file as given to `profiled` @param {() => Promise<unknown>} work
 * @returns the share of its busy time, by group
 */
export async function profile(pid, file, work) {
  rmSync(file, { force: true });
  process.kill(pid, SIGNAL);
  await work();
  process.kill(pid, SIGNAL);
  const { nodes, samples, timeDeltas } = await read(file);
  /** @type {Map<number, string>} */
  const groups = new Map();
  for (const { id, callFrame } of nodes) if (callFrame.functionName !== '(idle)') groups.set(id, groupOf(callFrame));
  /** @type {Record<string, number>} */
  const shares = {};
  let busy = 0;
  for (const [index, sample] of samples.entries()) {
    const group = groups.get(sample);
    if (!group) continue;
    const time = timeDeltas[index] ?? 0;
    busy += time;
    shares[group] = (shares[group] ?? 0) + time;
  }
  return Object.fromEntries(Object.entries(shares).map(([group, time]) => [group, time / busy]));
}

/** @param {string} file @returns {Promise<{ nodes: Frame[], samples: number[], timeDeltas: number[] }>} */
async function read(file) {
  for (;;) {
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      await delay(100); // it is being written
    }
  }
}
