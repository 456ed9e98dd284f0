// npm run bench:lighthouse: Lighthouse's scores of the pages that carry no Clerk JavaScript, on its own slow phone, three
// runs each. Lighthouse is 185 MB, so npx fetches it for this command. Each finding that costs points is printed.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureBrowser, findChromium } from '../chromium.mjs';
import { bareEnvironment } from '../local-env.mjs';
import { withBuiltApp } from '../stack.mjs';

const LIGHTHOUSE = 'lighthouse@12.8.2';
const PAGES = ['/', '/pricing'];
const RUNS = 3;
const METRICS = {
  'first-contentful-paint': 'first contentful paint, ms',
  'largest-contentful-paint': 'largest contentful paint, ms',
  'total-blocking-time': 'total blocking time, ms',
  'cumulative-layout-shift': 'layout shift',
};

/**
 * @typedef {{ score: number | null, numericValue?: number, title: string }} Audit
 * @typedef {{ categories: Record<string, { score: number, auditRefs: Array<{ id: string, weight: number }> }>,
 *   audits: Record<string, Audit> }} Report
 */

/** @param {string} url @param {string} folder @returns {Report} */
function audit(url, folder) {
  const file = path.join(folder, 'report.json');
  const browser = findChromium({ isWhole: true });
  const flags = ['--quiet', '--output=json', `--output-path=${file}`, '--chrome-flags=--headless=new --no-sandbox'];
  execFileSync('npx', ['--yes', LIGHTHOUSE, url, ...flags], {
    env: { ...process.env, ...(browser && { CHROME_PATH: browser }) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** The run with the best performance: the others say what else the machine did. @param {Report[]} reports */
const bestOf = (reports) =>
  reports.reduce((best, one) =>
    (one.categories.performance?.score ?? 0) > (best.categories.performance?.score ?? 0) ? one : best,
  );

/** @param {Report} report */
const tabulate = ({ categories, audits }) => ({
  ...Object.fromEntries(Object.entries(categories).map(([name, { score }]) => [name, Math.round(score * 100)])),
  ...Object.fromEntries(
    Object.entries(METRICS).map(([id, name]) => [name, Number((audits[id]?.numericValue ?? Number.NaN).toFixed(3))]),
  ),
});

/** @param {Report} report */
function* findings({ categories, audits }) {
  for (const [category, { auditRefs }] of Object.entries(categories)) {
    for (const { id, weight } of auditRefs) {
      const { score = null, title = '' } = audits[id] ?? {};
      if (weight > 0 && score !== null && score < 0.9) yield `${category}: ${title} (${Math.round(score * 100)})`;
    }
  }
}

const folder = mkdtempSync(path.join(tmpdir(), 'lighthouse-'));
try {
  await ensureBrowser({ isWhole: true });
  await withBuiltApp({ ...bareEnvironment(), DATA_DIR: '.data-bench' }, async ({ directUrl }) => {
    /** @type {Record<string, ReturnType<typeof tabulate>>} */
    const table = {};
    for (const page of PAGES) {
      const report = bestOf(Array.from({ length: RUNS }, () => audit(directUrl + page, folder)));
      table[page] = tabulate(report);
      for (const finding of findings(report)) console.log(`${page} ${finding}`);
    }
    console.log(`${LIGHTHOUSE}, its mobile settings, the best of ${RUNS} runs`);
    console.table(table);
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
