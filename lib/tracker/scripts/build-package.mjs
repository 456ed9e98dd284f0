// Writes the package as it is published to dist/: npm run build -w @svc/tracker
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const tsc = path.resolve(root, '../../node_modules/.bin/tsc');

rmSync(dist, { recursive: true, force: true });
execFileSync(tsc, ['-p', path.join(root, 'tsconfig.build.json')], { stdio: 'inherit' });

// The workspace is used from its source; what is published is compiled.
const { scripts: _, files: __, ...manifest } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const entry = (/** @type {string} */ name) => ({ types: `./${name}.d.ts`, default: `./${name}.js` });
manifest.exports = { '.': entry('index'), './server': { browser: null, ...entry('server') } };
writeFileSync(path.join(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
copyFileSync(path.join(root, 'README.md'), path.join(dist, 'README.md'));
console.log('dist/ is ready: npm publish lib/tracker/dist');
