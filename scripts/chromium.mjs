import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { bareEnvironment } from './local-env.mjs';
import { spawnNode } from './programs.mjs';

/** Chromium without the parts of a desktop browser: walks take about half the time in it. */
const SHELL = '/usr/bin/chromium-headless-shell';
const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The browser that the tests drive: the one `PLAYWRIGHT_CHROMIUM` names, else Playwright's own, else the system's.
 * @param {{ isWhole?: boolean }} [options] the whole browser: the headless shell has no window and no back/forward cache
 * @returns {string | undefined} its path; undefined if there is none
 */
export function findChromium({ isWhole = false } = {}) {
  const named = process.env.PLAYWRIGHT_CHROMIUM;
  if (named) return named;
  return [chromium.executablePath(), ...(isWhole ? [] : [SHELL]), ...SYSTEM].find((path) => existsSync(path));
}

/**
 * Downloads Playwright's own browser if there is none.
 * @param {{ isWhole?: boolean }} [options] as of `findChromium`
 */
export async function ensureBrowser(options) {
  if (findChromium(options)) return;
  console.log('No Chromium found. Playwright installs its own; to use another, set PLAYWRIGHT_CHROMIUM to its path.');
  const args = ['node_modules/@playwright/test/cli.js', 'install', 'chromium'];
  const [code] = await once(spawnNode(args, bareEnvironment()), 'exit');
  if (code !== 0) throw new Error(`${args.join(' ')} ended with code ${code}`);
}

/**
 * What `chromium.launch` takes: the browser, and flags that keep it from calling home.
 * @param {{ headless?: boolean }} [options]
 */
export function launchOptions({ headless = true } = {}) {
  const path = findChromium({ isWhole: !headless });
  return {
    headless,
    // Without a path, Playwright takes its own headless shell or its own browser, whichever is needed.
    ...(path && path !== chromium.executablePath() && { executablePath: path }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  };
}
