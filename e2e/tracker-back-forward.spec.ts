// The back/forward cache, which the headless shell does not have and Playwright starts Chromium without. (Prerendering is off in an automated Chromium: the unit
// tests of the tracker have it.)
import { findChromium } from '../scripts/chromium.mjs';
import { expect, test } from './fixtures';
import { readClickId, untilHydrated, watchTrack } from './support';

test.use({
  launchOptions: async ({ launchOptions }, use) => {
    const executablePath = findChromium({ isWhole: true });
    await use({
      ...launchOptions,
      ...(executablePath && { executablePath }),
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    });
  },
});

// In development pages are `no-store` and have an open connection, by which Next reloads them: no browser keeps them.
test('a page that comes back from the back/forward cache makes no second click, and still knows its own', {
  tag: '@build',
}, async ({ page, baseURL }) => {
  const clicks = watchTrack(page.context(), 'click');
  await page.goto('/?aff=ada');
  await expect.poll(() => readClickId(page)).toMatch(/^clk_/);
  const clickId = await readClickId(page);
  await untilHydrated(page); // the provider watches for the page's return
  await page.evaluate(() => {
    addEventListener('pageshow', ({ persisted }) => Reflect.set(window, 'persisted', persisted));
  });
  await page.goto('/icon.svg');
  await page.evaluate(() => history.back()); // goBack() waits for a load, and a page that was kept has none
  await page.waitForFunction(() => Reflect.get(window, 'persisted') === true);
  expect(await readClickId(page)).toBe(clickId);
  expect(clicks.map(({ affiliate_url }) => affiliate_url)).toEqual([`${baseURL}/?aff=ada`]);
});
