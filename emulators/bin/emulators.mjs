#!/usr/bin/env node
// `emulators start`, `emulators exec`: see README.md. Published, it runs what was bundled; from the sources it bundles first.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

process.setSourceMapsEnabled(true);
const root = path.join(import.meta.dirname, '..');
const program = existsSync(path.join(root, 'cli.ts'))
  ? await (await import('../build.mjs')).buildProgram()
  : path.join(root, 'dist', 'cli.mjs');
await import(pathToFileURL(program).href);
