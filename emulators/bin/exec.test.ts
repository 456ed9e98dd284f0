import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test, vi } from 'vitest';

vi.setConfig({ testTimeout: 120_000 }); // each bundles and starts the program

const PROGRAM = path.join(import.meta.dirname, 'emulators.mjs');
const folder = mkdtempSync(path.join(tmpdir(), 'emulators-exec-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a command that does not exist is named, without a stack', async () => {
  const command = ['exec', '--data', 'memory://', '--', 'no-such-command'];
  const child = spawn(process.execPath, [PROGRAM, ...command], { stdio: ['ignore', 'ignore', 'pipe'] });
  const [problem, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(problem.trim()).toBe('no-such-command cannot be started: spawn no-such-command ENOENT.');
  expect(code).toBe(1);
});

test('SIGTERM ends its command, and the state is exported, also into a folder that is new', async () => {
  const file = path.join(folder, 'new', 'state.tgz');
  const command = ['--', process.execPath, '--eval', "console.log('running'); setInterval(() => {}, 60_000)"];
  const child = spawn(process.execPath, [PROGRAM, 'exec', '--data', 'memory://', '--export', file, ...command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  expect(code).toBe(1);
  expect(statSync(file).size).toBeGreaterThan(0);
});

test('an export that cannot be written is refused before the command runs', async () => {
  const command = [
    'exec',
    '--data',
    'memory://',
    '--export',
    folder,
    '--',
    process.execPath,
    '--eval',
    'console.log(1)',
  ];
  const child = spawn(process.execPath, [PROGRAM, ...command], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, problem, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  expect({ output, problem, code }).toEqual({
    output: '',
    problem: `--export: ${folder} is a folder. Name a file.\n`,
    code: 1,
  });
});
