// npm run test:all: the other tests that every change has to pass, one after the other. The mutation test, which needs the processor
// and nothing else, runs beside them at the lowest priority: it takes what they leave idle.
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { spawnNode } from './programs.mjs';

const STEPS = [
  ['scripts/test.mjs', 'postgres', 'unit'],
  ['scripts/test.mjs', 'real-keys'], // part: emulators, service
  ['emulators/testing/test-apps.mjs'], // part: emulators
  ['scripts/test.mjs', 'test-mode'], // part: emulators, service
  ['scripts/test-deploy.mjs'],
  ['scripts/test-copy.mjs'], // part: emulators, service, demo
  ['scripts/test.mjs', 'gallery'], // part: emulators, service
  ['scripts/test.mjs', 'security', 'reliability'], // part: service
  ['scripts/test-eject.mjs'], // part: eject
];

/** @param {import('node:child_process').ChildProcess} child @param {string} name */
async function untilPassed(child, name) {
  const started = performance.now();
  const [code, signal] = await once(child, 'close');
  if (code !== 0) throw new Error(`${name} ended with ${signal ?? `code ${code}`}`);
  console.log(`${name}: passed in ${((performance.now() - started) / 1000).toFixed(0)} s\n`);
}

function startMutationTest() {
  const child = spawnNode(['scripts/test-mutation.mjs'], process.env, { stdout: 'pipe', stderr: 'pipe' });
  if (child.pid) setPriority(child.pid, constants.priority.PRIORITY_LOW); // what it starts inherits this
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const passed = untilPassed(child, 'scripts/test-mutation.mjs').finally(() => console.log(output));
  passed.catch(() => {}); // it is awaited after the steps
  return { passed, stop: () => child.kill() };
}

const mutation = startMutationTest();
try {
  for (const args of STEPS) await untilPassed(spawnNode(args, process.env), args.join(' '));
  await mutation.passed;
} catch (error) {
  mutation.stop();
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
