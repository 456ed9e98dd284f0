// npm run walkthrough: plays the funnel in a browser that you can watch, with captions. `-- --record` keeps a film, a trace for
// Playwright's viewer and a HAR file in test-results/walkthrough; `-- --pace 2` is twice as fast. Headless without a display.
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { ensureBrowser, launchOptions } from './chromium.mjs';
import { bareEnvironment } from './local-env.mjs';
import { readOptions } from './options.mjs';
import { withBuiltApp } from './stack.mjs';
import { animateWebp } from './walkthrough/animated-webp';
import { type Narrator, narrate } from './walkthrough/narrator';

const DIRECTORY = 'test-results/walkthrough';
const SIZE = { width: 1100, height: 720 };

const options = readOptions({
  record: { type: 'boolean', default: false },
  pace: { type: 'string', default: '1' },
});
const pace = Number(options.pace);
if (!(pace > 0)) throw new Error('--pace takes a number above 0: 1 is reading speed, 2 twice as fast.');
const hasDisplay = process.platform !== 'linux' || Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
if (!hasDisplay) console.log('There is no display, so the browser runs headless. Add `-- --record` to get a film.');
console.log('Building the app, which takes a minute or two.');

/** The funnel, from a partner's link to the renewal. */
async function walk(page: Page, { say, use }: Narrator, emulatorsUrl: string): Promise<void> {
  const email = `wanda-${randomUUID().slice(0, 8)}@example.com`;

  await page.goto('/?aff=ada');
  await page.waitForFunction(() => document.cookie.includes('svc_click_id='));
  await say('A visitor follows Ada’s link, /?aff=ada. The tracker records a click and stores svc_click_id.');

  await use(page.getByRole('link', { name: 'Start free' }).first(), (link) => link.click());
  await page.locator('input[name=emailAddress]').fill(email);
  await page.locator('input[name=password]').fill('correct horse 42');
  await say('Sign-up is Clerk’s own form. The click ID goes into unsafe_metadata before the user exists.');
  const welcome = page.waitForURL('**/welcome**');
  await use(page.locator('input[name=password]'), (field) => field.press('Enter'));
  await welcome;
  await say('Clerk sends user.created. The verified webhook calls trackLead: the lead is settled.');

  await page.goto('/pricing');
  await use(page.getByRole('button', { name: /Studio monthly/i }).first(), (button) => button.click());
  await page.waitForURL('**/stripe/checkout/**');
  await page.getByLabel('Card number').fill('4242 4242 4242 4242');
  await page.getByLabel('Expiry').fill('12 / 34');
  await page.getByLabel('CVC').fill('123');
  await page.getByLabel('Name on card').fill('Wanda Walker');
  await say('Checkout carries three keys in metadata and in subscription_data.metadata.');
  await use(page.getByRole('button', { name: /^(Pay|Subscribe)/ }), (button) => button.click());
  await page.waitForURL('**/checkout/success**');
  await say('Paid. Stripe’s webhooks reach the shop and the tracking service.');

  await showJourney(page, email);
  await say('The tracking service knows the whole journey: click, lead, sale.');

  const month = { method: 'POST', body: JSON.stringify({ months: 1, customer: email }) };
  const advanced = await fetch(`${emulatorsUrl}/control/clock`, month);
  if (!advanced.ok) throw new Error(`The clock did not advance: ${await advanced.text()}`);
  await showJourney(page, email);
  await page
    .getByRole('main')
    .getByText(/^Renewal/)
    .first()
    .waitFor();
  await say('A month later the renewal’s invoice still carries the keys: a second sale for Ada.');
}

async function showJourney(page: Page, email: string): Promise<void> {
  await page.goto(`/dashboard/customers?q=${encodeURIComponent(email)}`);
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('list', { name: 'Journey, oldest first' }).waitFor();
}

/** Keeps what the context saw: a trace for Playwright's viewer, a HAR file, and the film. */
async function record(context: BrowserContext, narrator: Narrator): Promise<void> {
  await context.tracing.stop({ path: path.join(DIRECTORY, 'trace.zip') });
  const film = animateWebp(narrator.frames, SIZE);
  writeFileSync(path.join(DIRECTORY, 'walkthrough.webp'), film);
  console.log(`${DIRECTORY}/walkthrough.webp (${Math.round(film.length / 1024)} kB), trace.zip and walkthrough.har`);
}

mkdirSync(DIRECTORY, { recursive: true });
await withBuiltApp({ ...bareEnvironment(), DATA_DIR: '.data-walkthrough' }, async ({ env, appUrl }) => {
  await ensureBrowser({ isWhole: hasDisplay });
  const browser = await chromium.launch(launchOptions({ headless: !hasDisplay }));
  try {
    const context = await browser.newContext({
      baseURL: appUrl,
      viewport: SIZE,
      ...(options.record && { recordHar: { path: path.join(DIRECTORY, 'walkthrough.har') } }),
    });
    if (options.record) await context.tracing.start({ screenshots: true, snapshots: true });
    const page = await context.newPage();
    const narrator = narrate(page, { pace, isFilming: options.record, isWatched: hasDisplay });
    await walk(page, narrator, env.EMULATORS_URL ?? '');
    if (options.record) await record(context, narrator);
    await context.close();
  } finally {
    await browser.close();
  }
});
