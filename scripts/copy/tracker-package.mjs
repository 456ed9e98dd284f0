// The tracker as npm would publish it: checked by publint and attw, and used with the oldest React that it supports. Everything
// else here uses it with the newest.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const OLDEST = ['react@18.3.0', 'react-dom@18.3.0', '@types/react@18.3.8', 'typescript@5.9.3'];

const RENDER = `
import { createElement as h } from 'react';
import { renderToString } from 'react-dom/server';
import { TrackerProvider, TrackerScript, useTracker } from '@svc/tracker';
const ClickId = () => h('p', null, String(useTracker()));
console.log(renderToString(h(TrackerProvider, { programId: '1' }, h(TrackerScript, { programId: '1' }), h(ClickId))));
`;
const COMPONENT = `
import { TrackerProvider, TrackerScript, useTracker } from '@svc/tracker';
export const ClickId = () => <p>{useTracker()?.getClickId()}</p>;
export const App = () => <TrackerProvider programId="1"><TrackerScript programId="1" /><ClickId /></TrackerProvider>;
`;

/** Rejects with what a tool has found. @param {import('../local-env.mjs').Environment} variables */
export async function checkTrackerPackage(variables) {
  const env = /** @type {NodeJS.ProcessEnv} */ (variables);
  await run('npm', ['run', 'check', '-w', '@svc/tracker'], { env });
  const directory = mkdtempSync(path.join(tmpdir(), 'tracker-'));
  const inside = { cwd: directory, env };
  try {
    await run('npm', ['pack', path.resolve('lib/tracker/dist')], inside);
    const archives = readdirSync(directory).map((name) => `./${name}`);
    writeFileSync(path.join(directory, 'package.json'), '{ "type": "module", "private": true }');
    await run('npm', ['install', ...OLDEST, ...archives], inside);

    writeFileSync(path.join(directory, 'render.js'), RENDER);
    const rendered = await run(process.execPath, ['render.js'], inside);
    assert.match(rendered.stdout, /data-program-id="1".*<p>null<\/p>/s);

    const compilerOptions = { strict: true, noEmit: true, jsx: 'react-jsx', module: 'nodenext', target: 'es2022' };
    writeFileSync(path.join(directory, 'app.tsx'), COMPONENT);
    writeFileSync(path.join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.tsx'] }));
    await run(process.execPath, ['node_modules/typescript/bin/tsc'], inside);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
