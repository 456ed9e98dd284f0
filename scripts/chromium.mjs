import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The browser that the tests drive: the one `PLAYWRIGHT_CHROMIUM` names, else Playwright's own, else the system's.
 * @returns {string | undefined} its path; undefined where there is none
 */
export function findChromium() {
  const named = process.env.PLAYWRIGHT_CHROMIUM;
  if (named) return named;
  return [chromium.executablePath(), ...SYSTEM].find((path) => existsSync(path));
}
