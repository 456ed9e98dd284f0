// npm run screenshots: the README's pictures, into docs/images.
// What they show has really happened; IDs and times are then written over, so that two runs make the same pictures.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { findChromium } from './chromium.mjs';
import { loadEnvironment } from './local-env.mjs';
import { letMinutesPass, makeHistory } from './screenshots/history';
import { settlePage } from './screenshots/settle-page';
import { pay, walkCustomer } from './screenshots/walk-customer';
import { withBuiltApp } from './stack.mjs';

const DIRECTORY = 'docs/images';
const WIDTH = 1280;
const QUALITY = 80;
const MONTH = 31 * 86_400;
const WANDA = 'wanda@example.com';

mkdirSync(DIRECTORY, { recursive: true });

/** The top of a page as WebP, which Chromium writes and Playwright does not, in both schemes. */
async function shoot(page: Page, name: string, height: number): Promise<void> {
  await page.setViewportSize({ width: WIDTH, height });
  await settlePage(page, Date.now());
  const devtools = await page.context().newCDPSession(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
    const file = path.join(DIRECTORY, `${name}-${colorScheme}.webp`);
    writeFileSync(file, Buffer.from(data, 'base64'));
    console.log(`${file}  ${Math.round(Buffer.byteLength(data, 'base64') / 1024)} kB`);
  }
}

await withBuiltApp({ ...loadEnvironment(), DATA_DIR: '.data-screenshots' }, async ({ env, appUrl }) => {
  const { DATABASE_URL: databaseUrl = '', SVC_API_KEY: apiKey = '', EMULATORS_URL: emulatorsUrl = '' } = env;
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
  });
  try {
    const newContext = () =>
      browser.newContext({ baseURL: appUrl, viewport: { width: WIDTH, height: 800 }, deviceScaleFactor: 1.5 });

    const [context, stranger] = [await newContext(), await newContext()];
    await pay(await walkCustomer(stranger, { email: 'sam@example.com', plan: 'studio_monthly_jpy' }));
    const page = await walkCustomer(context, { email: WANDA, partner: 'ada', plan: 'studio_monthly' });
    await pay(page);
    // Four weeks and a few days later, for the service and for Stripe, the renewal comes.
    await letMinutesPass(databaseUrl, 3 * 1440);
    await makeHistory({ appUrl, databaseUrl, apiKey });
    const body = JSON.stringify({ advance_seconds: MONTH, customer: WANDA });
    await fetch(`${emulatorsUrl}/control/clock`, { method: 'POST', body });

    // Pages that ask again by themselves would write the real IDs back; the bar is not part of the product.
    await context.route(/_rsc=|\/__emulators\//, (route) => route.abort());
    await page.goto('/');
    await shoot(page, 'landing', 1000);
    await page.goto(`${emulatorsUrl}/?customer=${encodeURIComponent(WANDA)}`);
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    await shoot(page, 'control-room', 1080);
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Latest events' }).waitFor();
    await shoot(page, 'dashboard', 1000);
    await page.goto('/dashboard/events?kind=not_attributed');
    await page.getByRole('table').waitFor();
    await shoot(page, 'not-attributed', 480);
    await page.goto('/dashboard/customers?q=wanda%40example.com');
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByRole('list', { name: 'Journey, oldest first' }).waitFor();
    await page
      .getByText(/^Stored record/)
      .nth(1)
      .click();
    await shoot(page, 'journey', 800);
  } finally {
    await browser.close();
  }
});
