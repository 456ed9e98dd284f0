// npm run test:gallery: every state in the gallery, by axe, by keyboard, at 360 px and as a picture, in both schemes.
// Pictures are a fifth of the size: that keeps them small, and the edges of letters, which differ between builds of
// Chromium, hardly count. Update them with `npm run test:gallery -- -- --update-snapshots`.
import { expect, type Page, test } from '@playwright/test';
import { newAxe } from '../../e2e/axe';

const GALLERY = process.env.GALLERY_URL ?? 'http://localhost:3000';
const ROOMS = ['shop', 'dashboard', 'emulators'] as const;
const SCHEMES = ['light', 'dark'] as const;
/** IDs and times that the emulators make anew. */
const CHANGING = 'time:not(.lanes-time), code, pre, .id';

test.use({
  viewport: { width: 1280, height: 800 },
  deviceScaleFactor: 0.2,
  contextOptions: { reducedMotion: 'reduce' },
});

/** The names of a room's states, such as "shop/account/empty". */
async function statesOf(page: Page, room: string): Promise<string[]> {
  await page.goto(GALLERY);
  const names = await page.locator('main a').allTextContents();
  expect(names.length).toBeGreaterThan(10);
  const ofRoom = names.filter((name) => name.startsWith(`${room}/`));
  expect(ofRoom, room).not.toEqual([]);
  return ofRoom;
}

const open = async (page: Page, name: string) => {
  const response = await page.goto(`${GALLERY}/${name}`);
  expect(response?.ok(), name).toBe(true);
  await page.evaluate(() => document.fonts.ready);
};

async function violationsIn(page: Page) {
  const found = [];
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    const axe = (await newAxe(page)).options({ resultTypes: ['violations'] });
    // What a scheme cannot change is looked for once.
    const { violations } = await (colorScheme === 'light' ? axe : axe.withRules(['color-contrast'])).analyze();
    found.push(...violations.map(({ id, nodes }) => ({ colorScheme, id, targets: nodes.map(({ html }) => html) })));
  }
  return found;
}

/** What reaches past the edge of the page at a width, or of a table that would have to be scrolled sideways. */
async function overflowAt(page: Page, width: number, isScrollable: boolean): Promise<string[]> {
  await page.setViewportSize({ width, height: 740 });
  return page.evaluate((mayScroll) => {
    const cut = Array.from(document.querySelectorAll('table'))
      .map(({ parentElement }) => parentElement ?? document.body)
      .filter((region) => !mayScroll && region.scrollWidth > region.clientWidth + 1)
      .map((region) => `a table is ${region.scrollWidth} px wide, and ${region.clientWidth} px are shown`);
    for (const cell of document.querySelectorAll('td, th[scope=row]')) {
      const edge = cell.getBoundingClientRect().right + 1;
      const leaving = Array.from(cell.querySelectorAll('*')).find((part) => part.getBoundingClientRect().right > edge);
      if (leaving && !mayScroll) cut.push(`"${leaving.textContent?.slice(0, 40)}" leaves its cell`);
    }
    const limit = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth <= limit) return cut;
    return Array.from(document.querySelectorAll('main *, header *'))
      .filter((element) => element.getBoundingClientRect().right > limit + 1)
      .map((element) => `${element.tagName} ${element.className} "${element.textContent?.slice(0, 40)}"`)
      .slice(-3);
  }, isScrollable);
}

/** The controls that the Tab key does not reach, or shows no focus on. */
async function unreachedControls(page: Page): Promise<string[]> {
  const reached = new Set<number>();
  const controls = 'a[href], button:not(:disabled), input:not([type=hidden]), select, textarea, summary';
  const count = await page.evaluate((selector) => {
    const shown = Array.from(document.querySelectorAll(selector)).filter((element) => element.checkVisibility());
    // Of radio buttons with one name the Tab key reaches the chosen one alone.
    const own = shown.filter((element) => !element.matches('input[type=radio]:not(:checked)'));
    for (const [index, element] of own.entries()) element.setAttribute('data-control', String(index));
    return own.length;
  }, controls);
  for (let presses = 0; presses < count * 2 + 20 && reached.size < count; presses += 1) {
    await page.keyboard.press('Tab');
    const index = await page.evaluate(() => {
      const element = document.activeElement;
      const { outlineStyle, boxShadow } = getComputedStyle(element ?? document.body);
      const isMarked = outlineStyle !== 'none' || boxShadow !== 'none';
      return isMarked ? element?.getAttribute('data-control') : null;
    });
    if (index) reached.add(Number(index));
  }
  const left = Array.from({ length: count }, (_, index) => index).filter((index) => !reached.has(index));
  return page.evaluate(
    (indexes) =>
      indexes.map((index) => document.querySelector(`[data-control="${index}"]`)?.outerHTML.slice(0, 120) ?? ''),
    left,
  );
}

test.describe.configure({ mode: 'parallel', timeout: 600_000 });

for (const room of ROOMS) {
  test(`${room}: every state is accessible in both schemes`, async ({ page }) => {
    for (const name of await statesOf(page, room)) {
      await open(page, name);
      expect.soft(await violationsIn(page), name).toEqual([]);
    }
  });

  test(`${room}: no state is wider than the screen, from 360 px on`, async ({ page }) => {
    for (const name of await statesOf(page, room)) {
      await open(page, name);
      // A table of values that do not fit anywhere may be scrolled.
      for (const width of [360, 768, 1280])
        expect.soft(await overflowAt(page, width, /odd/.test(name)), `${name} at ${width}`).toEqual([]);
    }
  });

  test(`${room}: the Tab key reaches every control of every state, and shows where it is`, async ({ page }) => {
    // Of many rows those of the first page are enough.
    for (const name of (await statesOf(page, room)).filter((state) => !/ten-thousand|partial|trace\/odd/.test(state))) {
      await open(page, name);
      expect.soft(await unreachedControls(page), name).toEqual([]);
    }
  });

  for (const colorScheme of SCHEMES) {
    test(`${room}: every state looks as it did in the ${colorScheme} scheme`, async ({ page }) => {
      await page.emulateMedia({ colorScheme });
      for (const name of await statesOf(page, room)) {
        await open(page, name);
        await expect.soft(page).toHaveScreenshot([`${name.replaceAll('/', '-')}-${colorScheme}.png`], {
          scale: 'device',
          mask: name.startsWith('emulators/') ? [page.locator(CHANGING)] : [],
          maxDiffPixelRatio: 0.02,
          threshold: 0.3,
        });
      }
    });
  }
}

test('a page is as tall as the skeleton that held its place', async ({ page }) => {
  const heightOf = async (name: string) => {
    await open(page, name);
    return page.locator('main').evaluate(({ scrollHeight }) => scrollHeight);
  };
  for (const [room, state] of [
    ['overview', 'full'],
    ['settings', 'paused'],
    ['journey', 'customer'],
  ] as const) {
    const [loading, loaded] = [
      await heightOf(`dashboard/${room}/loading`),
      await heightOf(`dashboard/${room}/${state}`),
    ];
    expect.soft(Math.abs(loading - loaded), `${room}: ${loading} px and ${loaded} px`).toBeLessThan(48);
  }
});
