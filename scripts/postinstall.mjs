// After `npm install`: makes what is not kept in Git. What is not installed is left out. Refuses native Windows: the scripts in
// package.json need a POSIX shell. Refuses a Node that Prisma cannot run on, of which npm only warns.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

if (process.platform === 'win32') {
  console.error(
    'This project runs on Linux, macOS and Windows through WSL: install it in WSL, on its Linux file system.',
  );
  process.exit(1);
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 24 && !(major === 22 && minor >= 12) && !(major === 20 && minor >= 19)) {
  console.error(
    `This project needs Node 20.19+, 22.12+ or 24+, and this is ${process.versions.node}: install a newer one.`,
  );
  process.exit(1);
}

/** The programs of each package. If one has moved, Node fails with its path. */
const PROGRAMS = {
  'node_modules/prisma': ['build/index.js', 'generate'],
  emulators: ['fetch-bundles.mjs'], // part: emulators
};

for (const [folder, [program, ...args]] of Object.entries(PROGRAMS)) {
  if (!existsSync(folder)) continue;
  const { status } = spawnSync(process.execPath, [`${folder}/${program}`, ...args], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
