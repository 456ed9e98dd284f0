// npm run bench:tracker: what the tracker costs a page and how soon it has the click, beside other trackers that npm carries,
// and in this app, which it builds. It prints figures and asserts none; compare the ratios, not the milliseconds, which are
// your machine's.
import { bareEnvironment } from '../local-env.mjs';
import { withBuiltApp } from '../stack.mjs';
import { CPU_SLOWDOWN, launch, median, RUNS, withSlowPage } from './browser.mjs';
import { comparePeers } from './peers.mjs';
import { serveVariant, variants } from './variants.mjs';
import { weighPage, weighTracker } from './weigh.mjs';

const PAGES = ['/', '/pricing', '/sign-up', '/account'];

/** One visit with an empty cache. @param {import('@playwright/test').Browser} browser @param {string} url */
const visit = (browser, url) =>
  withSlowPage(browser, async (page) => {
    await page.addInitScript(() => {
      const cookie = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie') ?? {};
      Object.defineProperty(Document.prototype, 'cookie', {
        ...cookie,
        set(text) {
          cookie.set?.call(this, text);
          if (/^svc_click_id=[^;]/.test(text)) Reflect.set(window, 'benchCookieAt', performance.now());
        },
      });
    });
    await page.goto(url, { waitUntil: 'load' });
    if (!url.endsWith('/')) await page.waitForFunction('window.benchCookieAt', undefined, { polling: 50 });
    return page.evaluate(() => ({
      cookieAt: /** @type {number} */ (Reflect.get(window, 'benchCookieAt')),
      scriptMs: /** @type {number | undefined} */ (Reflect.get(window, 'benchScriptMs')),
      firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    }));
  });

/** @param {string} appUrl */
async function timeVariants(appUrl) {
  const browser = await launch();
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

/** The pages of this app, past the recorder, which would add its bar. */
const measureApp = () =>
  withBuiltApp({ ...bareEnvironment(), DATA_DIR: '.data-bench' }, async ({ directUrl }) => {
    console.log('JavaScript that a page of this app loads at first, gzip');
    const weights = await Promise.all(PAGES.map(async (path) => [path, await weighPage(directUrl + path)]));
    console.table(Object.fromEntries(weights));
    console.log('The click on the landing page of this app, by how the tracker is started');
    console.table(await timeVariants(directUrl));
  });

console.log('\nBytes of the tracker');
console.table(await weighTracker());
console.log(
  `Slow 4G, CPU ${CPU_SLOWDOWN} × slower, empty cache, median of ${RUNS} visits; over the same page without a tracker`,
);
console.table(await comparePeers());
await measureApp();
