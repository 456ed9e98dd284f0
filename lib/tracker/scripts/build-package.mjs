// Writes the package as it is published to dist/: npm run build -w @svc/tracker
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.resolve(import.meta.dirname, '..');
const tsc = path.resolve(root, '../../node_modules/.bin/tsc');

/**
 * ES modules with their types, and script.js for pages without React, in `directory`.
 * @param {string} directory it is emptied first
 */
export async function buildPackage(directory) {
  rmSync(directory, { recursive: true, force: true });
  execFileSync(tsc, ['-p', path.join(root, 'tsconfig.build.json'), '--outDir', directory], { stdio: 'inherit' });
  await build({
    entryPoints: [path.join(root, 'src/script.ts')],
    outfile: path.join(directory, 'script.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    tsconfigRaw: {},
  });

  // Older versions of TypeScript do not take declarations that import `./x.ts`.
  for (const name of readdirSync(directory).filter((file) => file.endsWith('.d.ts'))) {
    const file = path.join(directory, name);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/'(\.\/[^']+)\.tsx?'/g, "'$1.js'"));
  }

  // The workspace is private and used from its source; what is published is compiled.
  const source = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const { scripts: _, private: __, ...manifest } = source;
  const entry = (/** @type {string} */ name) => ({ types: `./${name}.d.ts`, default: `./${name}.js` });
  const { types, ...server } = entry('server');
  manifest.sideEffects = ['./script.js'];
  manifest.exports = {
    '.': entry('index'),
    // Bundlers for edge runtimes set `browser`, too.
    './server': { types, 'edge-light': server.default, workerd: server.default, browser: null, ...server },
    './script.js': entry('script'),
    './package.json': './package.json',
  };
  writeFileSync(path.join(directory, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const file of ['README.md', 'LICENSE']) copyFileSync(path.join(root, file), path.join(directory, file));
}

if (process.argv[1] === import.meta.filename) {
  await buildPackage(path.join(root, 'dist'));
  console.log('lib/tracker/dist is ready: npm pack or npm publish there.');
}
