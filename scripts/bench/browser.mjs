// A slow phone on a slow network: what every figure of the tracker's benchmark is measured in.
import { chromium } from '@playwright/test';
import { ensureBrowser, findChromium } from '../chromium.mjs';

export const RUNS = Number(process.env.RUNS ?? 9);
export const CPU_SLOWDOWN = 4;
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 94_000 }; // 1.6 Mbit/s

export async function launch() {
  await ensureBrowser({ isWhole: true });
  const executablePath = findChromium({ isWhole: true });
  return chromium.launch({
    ...(executablePath && { executablePath }),
    // Trackers ignore browsers that say they are automated.
    args: ['--no-sandbox', '--disable-gpu', '--disable-blink-features=AutomationControlled'],
  });
}

/**
 * Opens a page with an empty cache on the slow network, and closes it after `use`.
 * @template Result
 * @param {import('@playwright/test').Browser} browser
 * @param {(page: import('@playwright/test').Page, devtools: import('@playwright/test').CDPSession) => Promise<Result>} use
 */
export async function withSlowPage(browser, use) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', SLOW_4G);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
    return await use(page, devtools);
  } finally {
    await context.close();
  }
}

/** @param {number[]} values */
export const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
