// After `npm install`: makes what is not kept in Git. What is not installed is left out.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const PROGRAMS = [
  ['node_modules/prisma/build/index.js', 'generate'],
  ['emulators/fetch-bundles.mjs'], // part: emulators
];

for (const [program, ...args] of PROGRAMS) {
  if (!program || !existsSync(program)) continue;
  const { status } = spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
