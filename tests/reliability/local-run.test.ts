import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { blankEnvironment, buildDirectory } from '../../scripts/local-env.mjs';
import { freePort } from '../../scripts/ports.mjs';

// How a local run ends. Whatever ends it, no process of it is left, and its ports and its data can be used again.

const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'local-run-'));
afterAll(() => removeRun(DATA_DIR));

/** What a run has stored, and what Next has compiled for it. */
function removeRun(dataDirectory: string) {
  for (const directory of [dataDirectory, buildDirectory({ DATA_DIR: dataDirectory }) ?? '']) {
    rmSync(directory, { recursive: true, force: true });
  }
}

type Process = { pid: number; parent: number; command: string };

const listProcesses = (): Process[] =>
  execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, state = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
      return state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
    });

function descendantsOf(pid: number, all = listProcesses()): Process[] {
  const children = all.filter(({ parent }) => parent === pid);
  return children.flatMap((child) => [child, ...descendantsOf(child.pid, all)]);
}

/** util-linux's `script` gives a command a terminal of its own. */
const hasTerminals = (() => {
  try {
    return execFileSync('script', ['--version'], { encoding: 'utf8' }).includes('util-linux');
  } catch {
    return false;
  }
})();

/**
 * `npm run dev`. Resolves when it serves.
 * @param options.inTerminal false, or on a machine that cannot make a terminal: a process group of its own, as under an editor
 */
async function startDev({ dataDirectory = DATA_DIR, inTerminal = hasTerminals } = {}) {
  const [port, emulatorsPort] = [await freePort('localhost'), await freePort('localhost')];
  const { NODE_ENV: _, ...blank } = blankEnvironment();
  const env = { ...blank, DATA_DIR: dataDirectory, PORT: `${port}`, EMULATORS_PORT: `${emulatorsPort}` };
  const [command, args] = inTerminal ? ['script', ['-qefc', 'npm run dev', '/dev/null']] : ['npm', ['run', 'dev']];
  const child = spawn(command, args, { detached: true, env: env as unknown as NodeJS.ProcessEnv });
  const pid = child.pid ?? 0;
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk));
  const ended = once(child, 'exit');
  const isReady = new RegExp(`ready http://localhost:${port}\r?\n`);
  await vi.waitUntil(() => isReady.test(log) || child.exitCode !== null, { timeout: 200_000 });
  if (child.exitCode !== null) throw new Error(log);
  const processes = [...descendantsOf(pid), ...listProcesses().filter((process) => process.pid === pid)];
  return {
    /** Ctrl-C. */
    interrupt: () => (inTerminal ? child.stdin.write('\x03') : process.kill(-pid, 'SIGINT')),
    closeTerminal: () => (inTerminal ? process.kill(pid, 'SIGKILL') : process.kill(-pid, 'SIGHUP')),
    ended,
    url: `http://localhost:${port}`,
    log: () => log,
    /** The processes of this run that are still there. */
    left: () => listProcesses().filter((process) => processes.some((known) => known.pid === process.pid)),
    find(command: RegExp) {
      const found = processes.find((process) => command.test(process.command));
      if (!found) throw new Error(`${command} is none of:\n${processes.map((known) => known.command).join('\n')}`);
      return found.pid;
    },
  };
}

const untilGone = ({ left }: { left: () => Process[] }) =>
  vi.waitFor(() => expect(left()).toEqual([]), { timeout: 60_000, interval: 100 });

type Dev = Awaited<ReturnType<typeof startDev>>;

test.each([
  ['Ctrl-C', ({ interrupt }: Dev) => interrupt()],
  ['a closed terminal', ({ closeTerminal }: Dev) => closeTerminal()],
])('after %s no process is left', async (_, end) => {
  const run = await startDev();
  end(run);
  await run.ended;
  await untilGone(run);
});

// Without a terminal, which would tell every process of the run when npm is gone.
test.each(['SIGTERM', 'SIGHUP', 'SIGKILL'])('after %s to npm alone no process is left', async (signal) => {
  const run = await startDev({ inTerminal: false });
  process.kill(run.find(/^npm run dev/), signal);
  await run.ended;
  await untilGone(run);
});

describe('kill -9 of one process', () => {
  test.each([
    ['the database', /serve\.mjs/, 'The embedded database was ended by SIGKILL. Everything else is stopped.'],
    ['the emulators', /emulators\.mjs/, "The emulators' process was ended by SIGKILL. Everything else is stopped."],
    ['Next', /bin\/next/, 'The app was ended by SIGKILL. Everything else is stopped.'],
    ['Next’s server', /next-server|start-server/, 'The app ended with code'],
  ])('of %s ends the run with a message, and leaves none', async (_, command, message) => {
    const run = await startDev();
    process.kill(run.find(command), 'SIGKILL');
    await run.ended;
    expect(run.log()).toContain(message);
    await untilGone(run);
  });

  test('of the command itself leaves none', async () => {
    const run = await startDev();
    process.kill(run.find(/scripts\/dev\.mjs/), 'SIGKILL');
    await untilGone(run);
  });
});

test('a second run on another data folder works beside the first, and the same folder is refused by name', async () => {
  const first = await startDev();
  const other = mkdtempSync(path.join(tmpdir(), 'local-run-'));
  try {
    await expect(startDev()).rejects.toThrow(
      /postgres is in use by process \d+ \(npm run dev, http:\/\/localhost:\d+\)/,
    );
    const second = await startDev({ dataDirectory: other });
    for (const { url } of [first, second]) expect((await fetch(`${url}/icon.svg`)).status).toBe(200);
    second.interrupt();
    await untilGone(second);
  } finally {
    first.interrupt();
    await untilGone(first);
    removeRun(other);
  }
});
