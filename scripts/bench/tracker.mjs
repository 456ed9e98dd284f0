// npm run bench: what the tracker costs a page and how soon it has the click.
// It prints figures and asserts none; compare the ratios, not the milliseconds, which are your machine's.
import { chromium } from '@playwright/test';
import { findChromium } from '../chromium.mjs';
import { loadEnvironment } from '../local-env.mjs';
import { withBuiltApp } from '../stack.mjs';
import { serveVariant, variants } from './variants.mjs';
import { weighPage, weighTracker } from './weigh.mjs';

const RUNS = Number(process.env.RUNS ?? 9);
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 }; // 1.6 Mbit/s
const CPU_SLOWDOWN = 4;
const PAGES = ['/', '/pricing', '/sign-up', '/account'];

/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** One visit with an empty cache. @param {import('@playwright/test').Browser} browser @param {string} url */
async function visit(browser, url) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    await page.addInitScript(() => {
      const cookie = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie') ?? {};
      Object.defineProperty(Document.prototype, 'cookie', {
        ...cookie,
        set(text) {
          cookie.set?.call(this, text);
          if (String(text).startsWith('svc_click_id=')) Reflect.set(window, 'benchCookieAt', performance.now());
        },
      });
    });
    await page.goto(url, { waitUntil: 'load' });
    if (!url.endsWith('/')) await page.waitForFunction('window.benchCookieAt', undefined, { polling: 50 });
    return await page.evaluate(() => ({
      cookieAt: /** @type {number} */ (Reflect.get(window, 'benchCookieAt')),
      scriptMs: /** @type {number | undefined} */ (Reflect.get(window, 'benchScriptMs')),
      firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    }));
  } finally {
    await context.close();
  }
}

/** @param {string} appUrl */
async function timeVariants(appUrl) {
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  const served = await Promise.all(
    Object.entries(variants).map(async ([name, element]) => ({ name, ...(await serveVariant(appUrl, element)) })),
  );
  /** @type {Map<string, Array<Awaited<ReturnType<typeof visit>>>>} */
  const visits = new Map(served.map(({ name }) => [name, []]));
  // Round by round, so that a busy moment of the machine meets every variant.
  for (let run = 0; run <= RUNS; run += 1) {
    for (const { name, url } of served) {
      const measured = await visit(browser, `${url}/${name === 'no tracker' ? '' : '?aff=ada'}`);
      if (run > 0) visits.get(name)?.push(measured); // the first round warms the app up
    }
  }
  for (const { stop } of served) stop();
  await browser.close();
  const floor = median(visits.get('floor, classic inline')?.map(({ cookieAt }) => cookieAt) ?? []);
  return [...visits].map(([name, measured]) => {
    const cookieAt = median(measured.map((one) => one.cookieAt));
    const scriptMs = median(measured.flatMap((one) => one.scriptMs ?? []));
    return {
      '': name,
      'cookie set, ms': Math.round(cookieAt) || '',
      '× floor': cookieAt ? (cookieAt / floor).toFixed(2) : '',
      'script itself, ms': Number.isNaN(scriptMs) ? '' : scriptMs.toFixed(1),
      'first contentful paint, ms': Math.round(median(measured.map((one) => one.firstPaint))),
    };
  });
}

await withBuiltApp({ ...loadEnvironment(), DATA_DIR: '.data-bench' }, async ({ directUrl }) => {
  console.log('\nBytes of the tracker');
  console.table(await weighTracker());
  console.log('JavaScript that a page loads at first, gzip');
  const weights = await Promise.all(PAGES.map(async (path) => [path, await weighPage(directUrl + path)]));
  console.table(Object.fromEntries(weights));
  console.log(`Slow 4G, CPU ${CPU_SLOWDOWN} × slower, empty cache, median of ${RUNS} visits`);
  console.table(await timeVariants(directUrl));
});
