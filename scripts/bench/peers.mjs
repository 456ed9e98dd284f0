// Other trackers that npm carries, each put into the same React page as its documentation says. They are fetched into a
// temporary folder, so the project does not install them. They do different work: read the figures as sizes, not as grades.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { buildInlineScript } from '../../lib/tracker/scripts/build-inline.mjs';
import { launch, median, RUNS, withSlowPage } from './browser.mjs';

const PEERS = {
  '@dub/analytics': '0.0.32',
  '@plausible-analytics/tracker': '0.4.6',
  '@vercel/analytics': '2.0.1',
  'posthog-js': '1.449.2',
};
const WINDOW_MS = 3000; // some trackers never stop calling
const ROOT = path.resolve(import.meta.dirname, '../..');

/** @typedef {{ imports?: string, wrap?: string, head?: string, stores?: string }} Setup `stores`: how the identifier's cookie or key begins */

/** @returns {Promise<Record<string, Setup>>} */
async function setups() {
  const { script } = await buildInlineScript();
  const provider = "import { TrackerProvider } from '@svc/tracker';";
  return {
    'no tracker': {},
    '@svc/tracker, TrackerScript and provider': {
      imports: provider,
      wrap: '<TrackerProvider programId="prg_1">',
      head: `<script type="module" async data-program-id="prg_1" data-click-url="/api/v1/track/click">${script}</script>`,
      stores: 'svc_click_id',
    },
    '@svc/tracker, script tag': {
      head: '<script async src="/tracker.js" data-program-id="prg_1"></script>',
      stores: 'svc_click_id',
    },
    '@dub/analytics (loads its script from its own host)': {
      imports: "import { inject } from '@dub/analytics'; inject({ domainsConfig: { refer: 'shop.link' } });",
    },
    '@plausible-analytics/tracker': {
      imports: `import { init } from '@plausible-analytics/tracker';
        init({ domain: 'shop.test', endpoint: '/event', captureOnLocalhost: true });`,
    },
    '@vercel/analytics (loads its script from the deployment)': {
      imports: "import { inject } from '@vercel/analytics'; inject({ mode: 'production' });",
    },
    'posthog-js': {
      imports: "import posthog from 'posthog-js'; posthog.init('phc_1', { api_host: location.origin });",
      stores: 'ph_',
    },
  };
}

/** A React app with the tracker in it. @param {Setup} setup @param {string} modules */
async function bundleApp({ imports = '', wrap = '' }, modules) {
  const close = wrap.replace(/<(\w+)[^>]*>/, '</$1>');
  const contents = `${imports}
    import { createRoot } from 'react-dom/client';
    createRoot(document.querySelector('main')).render(${wrap}<h1>Bookings for small teams</h1>${close});`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT, loader: 'tsx' },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    nodePaths: [modules],
    outdir: '/app',
    entryNames: 'main',
    write: false,
  });
  return new Map(outputFiles.map((file) => [`/app/${path.basename(file.path)}`, file.contents]));
}

/** @param {Setup} setup @param {string} modules @param {Uint8Array} scriptFile */
async function serve(setup, modules, scriptFile) {
  const html = `<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
    ${setup.head ?? ''}<main></main><script type="module" src="/app/main.js"></script></html>`;
  const files = await bundleApp(setup, modules);
  files.set('/tracker.js', scriptFile);
  files.set('/', Buffer.from(html));
  const compressed = new Map([...files].map(([name, contents]) => [name, brotliCompressSync(contents)]));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = compressed.get(pathname);
    const type = pathname === '/' ? 'text/html' : file ? 'text/javascript' : 'application/json';
    response.setHeader('cache-control', 'no-store').setHeader('content-type', `${type}; charset=utf-8`);
    if (file) response.setHeader('content-encoding', 'br').end(file);
    else response.end('{"success":true,"click_id":"clk_1"}');
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://localhost:${port}/`, stop: () => server.close(), compressed };
}

/**
 * One visit: bytes of the page and its scripts, calls that the tracker makes itself, when the first of them leaves, and when
 * its identifier is stored.
 * @param {import('@playwright/test').Browser} browser @param {Awaited<ReturnType<typeof serve>>} served @param {Setup} setup
 */
const visit = (browser, { url, compressed }, { stores = '' }) =>
  withSlowPage(browser, async (page, devtools) => {
    /** @type {Array<{ at: number, url: URL }>} */
    const requests = [];
    devtools.on('Network.requestWillBeSent', ({ timestamp, request }) => {
      if (request.url.startsWith('http')) requests.push({ at: timestamp * 1000, url: new URL(request.url) });
    });
    await page.route(
      ({ hostname }) => hostname !== 'localhost',
      (route) => route.fulfill({ contentType: 'text/javascript', body: '' }),
    );
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' }); // what other processes take does not count
    await page.addInitScript((prefix) => {
      const note = (/** @type {string} */ key) => {
        if (prefix && key.startsWith(prefix))
          Reflect.set(window, 'storedAt', Reflect.get(window, 'storedAt') ?? performance.now());
      };
      const cookie = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie') ?? {};
      Object.defineProperty(Document.prototype, 'cookie', {
        ...cookie,
        set(text) {
          cookie.set?.call(this, text);
          if (!/max-age=0/i.test(text)) note(String(text));
        },
      });
      const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function (key, value) {
        setItem.call(this, key, value);
        note(key);
      };
    }, stores);
    await page.goto(`${url}?aff=ada`, { waitUntil: 'load', timeout: 60_000 });
    await delay(WINDOW_MS);
    const { metrics } = await devtools.send('Performance.getMetrics');
    const own = requests.filter(({ url }) => url.hostname !== 'localhost' || !compressed.has(url.pathname));
    return {
      bytes: requests.reduce((sum, request) => sum + (own.includes(request) ? 0 : sizeOf(compressed, request.url)), 0),
      requests: own.length,
      hosts: new Set(own.map((request) => request.url.hostname).filter((host) => host !== 'localhost')).size,
      firstCallAt: own[0] ? own[0].at - (requests[0]?.at ?? 0) : Number.NaN,
      storedAt: Number((await page.evaluate(() => Reflect.get(window, 'storedAt'))) ?? Number.NaN),
      scriptMs: (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1000,
    };
  });

/** @param {Map<string, Uint8Array>} compressed @param {URL} url */
const sizeOf = (compressed, { pathname }) => compressed.get(pathname)?.length ?? 0;

/** One row for each tracker, as medians; bytes and script time are over the same page without a tracker. */
export async function comparePeers() {
  const folder = mkdtempSync(path.join(tmpdir(), 'bench-peers-'));
  const browser = await launch();
  try {
    writeFileSync(path.join(folder, 'package.json'), '{ "private": true }');
    const packages = Object.entries(PEERS).map(([name, version]) => `${name}@${version}`);
    const flags = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--silent'];
    execFileSync('npm', ['install', ...flags, ...packages], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
    const scriptFile = await build({
      entryPoints: [path.join(ROOT, 'lib/tracker/src/script.ts')],
      bundle: true,
      minify: true,
      target: 'es2022',
      write: false,
    });
    const bytesOfScript = scriptFile.outputFiles[0]?.contents ?? new Uint8Array();
    const subjects = [];
    for (const [name, setup] of Object.entries(await setups())) {
      subjects.push({ name, setup, served: await serve(setup, path.join(folder, 'node_modules'), bytesOfScript) });
    }
    /** @type {Map<string, Array<Awaited<ReturnType<typeof visit>>>>} */
    const visits = new Map(subjects.map(({ name }) => [name, []]));
    // Round by round, so that a busy moment of the machine meets every tracker.
    for (let run = 0; run <= RUNS; run += 1) {
      for (const { name, setup, served } of subjects) {
        const measured = await visit(browser, served, setup);
        if (run > 0) visits.get(name)?.push(measured); // the first round warms the browser up
      }
    }
    for (const { served } of subjects) served.stop();
    return tabulate(visits);
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {Map<string, Array<Awaited<ReturnType<typeof visit>>>>} visits */
function tabulate(visits) {
  const baseline = visits.get('no tracker') ?? [];
  const over = (
    /** @type {Array<Awaited<ReturnType<typeof visit>>>} */ measured,
    /** @type {'bytes' | 'scriptMs'} */ key,
  ) => Math.round(median(measured.map((one) => one[key])) - median(baseline.map((one) => one[key])));
  const ms = (/** @type {number[]} */ values) =>
    Math.round(median(values.filter((value) => !Number.isNaN(value)))) || '';
  return [...visits].map(([name, measured]) => ({
    '': name,
    'bytes, brotli': over(measured, 'bytes'),
    'calls of its own': median(measured.map((one) => one.requests)),
    'to other hosts': median(measured.map((one) => one.hosts)),
    'script, ms': over(measured, 'scriptMs'),
    'first call, ms': ms(measured.map((one) => one.firstCallAt)),
    'identifier stored, ms': ms(measured.map((one) => one.storedAt)),
  }));
}
