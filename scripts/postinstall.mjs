// After `npm install`: makes what is not kept in Git. What is not installed is left out. Refuses native Windows: the scripts in
// package.json need a POSIX shell.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (process.platform === 'win32') {
  console.error(
    'This project runs on Linux, macOS and Windows through WSL: install it in WSL, on its Linux file system.',
  );
  process.exit(1);
}

const PROGRAMS = [
  ['node_modules/prisma/build/index.js', 'generate'],
  ['emulators/fetch-bundles.mjs'], // part: emulators
];

for (const [program, ...args] of PROGRAMS) {
  if (!program || !existsSync(program)) continue;
  const { status } = spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
