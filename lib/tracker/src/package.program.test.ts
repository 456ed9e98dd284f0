import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackage } from '../scripts/build-package.mjs';
import { TRACKER_SCRIPT } from './inline-script.ts';

const modules = path.resolve(import.meta.dirname, '../../../node_modules');

/** An app of its own, outside the project, with React and the packed tarball installed. */
let app: string;
let installed: string;

const run = (file: string, args: string[], cwd = app) => execFileSync(file, args, { cwd, encoding: 'utf8' });
const read = (name: string) => readFileSync(path.join(installed, name), 'utf8');

beforeAll(async () => {
  app = mkdtempSync(path.join(tmpdir(), 'tracker-package-'));
  installed = path.join(app, 'node_modules/@svc/tracker');
  const dist = path.join(app, 'dist');
  await buildPackage(dist);
  mkdirSync(installed, { recursive: true });
  const packed = path.join(app, 'packed');
  mkdirSync(packed);
  run('npm', ['pack', '--pack-destination', packed], dist);
  run('tar', ['-xzf', path.join(packed, ...readdirSync(packed)), '--strip-components=1', '-C', installed]);
  for (const name of ['react', 'react-dom', 'scheduler', '@types', 'csstype']) {
    symlinkSync(path.join(modules, name), path.join(app, 'node_modules', name));
  }
  writeFileSync(path.join(app, 'package.json'), '{ "type": "module" }');
}, 60_000);

afterAll(() => rmSync(app, { recursive: true, force: true }));

/** What a module in the app prints. */
function runModule(code: string): string {
  writeFileSync(path.join(app, 'main.js'), code);
  return run(process.execPath, ['main.js']).trim();
}

/** What a bundler makes of an import of the server's part. */
async function bundleServer(conditions: string[]): Promise<string | undefined> {
  const stdin = { contents: `export * from '@svc/tracker/server';`, resolveDir: app };
  const { outputFiles } = await build({ stdin, conditions, bundle: true, write: false, logLevel: 'silent' });
  return outputFiles[0]?.text;
}

describe('the packed tarball', () => {
  it('holds compiled modules, their types, the script file, the README and the license, and nothing else', () => {
    const names = readdirSync(installed);
    expect(names).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'index.js', 'index.d.ts', 'script.js']));
    expect(names.filter((name) => !/^(LICENSE|README\.md|package\.json|[\w-]+\.(js|d\.ts))$/.test(name))).toEqual([]);
    expect(names.filter((name) => name.includes('test'))).toEqual([]);
  });

  it('may be published, and needs React 18 or later, and its types, for its components only', () => {
    const manifest = JSON.parse(read('package.json'));
    expect(manifest).not.toHaveProperty('private');
    expect(manifest).toMatchObject({
      license: 'MIT',
      type: 'module',
      peerDependencies: { '@types/react': '>=18', react: '>=18' },
      peerDependenciesMeta: { '@types/react': { optional: true }, react: { optional: true } },
    });
    expect(manifest).not.toHaveProperty('dependencies');
  });

  it('keeps "use client" first in the provider, and out of what a server component imports', () => {
    expect(read('provider.js')).toMatch(/^'use client';/);
    expect(read('tracker-script.js')).not.toContain('use client');
    expect(read('index.js')).not.toContain('use client');
  });

  it('is rendered on the server, where the hook returns null and nothing is sent (§1)', () => {
    const html = runModule(`
      globalThis.fetch = async (address) => { console.log('sent', address); return new Response('{}'); };
      const { createElement: h } = await import('react');
      const { renderToString } = await import('react-dom/server');
      const { TrackerProvider, TrackerScript, useTracker, whenReady } = await import('@svc/tracker');
      const ClickId = () => h('p', null, String(useTracker()));
      const config = { programId: 'prg_1', baseUrl: 'https://tracking.example' };
      console.log(renderToString(h(TrackerProvider, config, h(TrackerScript, config), h(ClickId))));
      console.log(await whenReady());`);
    expect(html).toContain('data-program-id="prg_1" data-click-url="https://tracking.example/api/v1/track/click"');
    expect(html).toContain(`>${TRACKER_SCRIPT}</script>`);
    expect(html).toContain('<p>null</p>');
    expect(html.endsWith('null')).toBe(true);
    expect(html).not.toContain('sent');
  });

  it('gives the server its client and its handler', () => {
    const printed = runModule(`
      import { createFirstPartyHandler, createServerClient, TrackingError } from '@svc/tracker/server';
      const client = createServerClient({ apiKey: 'svc_sk_1', baseUrl: 'https://tracking.example' });
      console.log(Object.keys(client).join(), typeof createFirstPartyHandler, new TrackingError('network', '').isRetryable);`);
    expect(printed).toBe('trackLead,trackSale function true');
  });

  it.each(['edge-light', 'workerd'])(
    'gives them to a bundler for %s, which sets the condition browser, too',
    async (name) => {
      expect(await bundleServer([name, 'browser'])).toContain('createFirstPartyHandler');
    },
  );

  it("keeps the server's part out of a bundle for browsers", async () => {
    await expect(bundleServer(['browser'])).rejects.toThrow('"@svc/tracker/server"');
  });

  it('has a script file that is one classic script', () => {
    const script = read('script.js');
    expect(() => new Function(script)).not.toThrow();
    expect(script).not.toMatch(/\bimport\s*\(|^export/m);
  });

  it('type-checks in an app, by the rules of Node', () => {
    writeFileSync(
      path.join(app, 'app.tsx'),
      `import { consent, TrackerProvider, TrackerScript, useTracker, whenReady } from '@svc/tracker';
      import type { ScriptTracker } from '@svc/tracker/script.js';
      import { createFirstPartyHandler, createServerClient } from '@svc/tracker/server';
      export const POST: (request: Request) => Promise<Response> = createFirstPartyHandler({ baseUrl: 'https://t.example' });
      export const App = () => (
        <TrackerProvider programId="1" consent="required" debug>
          <TrackerScript programId="1" cookieDomain="host-only" />
          <button onClick={consent}>{useTracker()?.getClickId()}</button>
        </TrackerProvider>
      );
      export const ready: Promise<string | null> = whenReady();
      export const early: ScriptTracker | undefined = window.svcTracker;
      export const sale = createServerClient({ apiKey: 'k', baseUrl: 'https://t.example' }).trackSale({
        customerExternalId: 'u', amount: 1, invoiceId: 'i', currency: 'eur', subscriptionId: 's', isRecurring: true,
      });`,
    );
    for (const name of readdirSync(installed).filter((file) => file.endsWith('.d.ts'))) {
      expect(read(name), 'an inferred type may name a path of this project').not.toContain('import("');
    }
    const compilerOptions = {
      ...{ strict: true, noEmit: true, jsx: 'react-jsx', target: 'es2022', lib: ['dom', 'dom.iterable', 'es2022'] },
      ...{ types: ['react'], module: 'nodenext' },
    };
    writeFileSync(path.join(app, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.tsx'] }));
    expect(run(path.join(modules, '.bin/tsc'), ['-p', app])).toBe('');
  });
});
