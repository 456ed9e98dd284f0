// The control room's trace and tour: what happens in the shop is seen there, as it happens.
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { deliveriesSettle, newLead, setDeliveries } from './payment-support';
import { arriveFrom, emulators, hold, listEvents, main, newEmail, PASSWORD, signUpByHttp } from './support';

type HarRequest = { url: string; headers: { name: string; value: string }[] };

const row = (page: Page, text: string | RegExp) =>
  page.getByRole('list', { name: 'Messages, oldest first' }).getByRole('link', { name: text });

test('a visitor’s messages are followed from the click to the lead, live', async ({ page, context }) => {
  const email = newEmail();
  const clickId = await arriveFrom(page, 'ada');
  const room = await context.newPage();
  await room.goto(emulators(`/?q=${clickId}`));
  await expect(row(room, /track\/click from Browser to Tracking/)).toBeVisible();

  await signUpByHttp(page, email, clickId);
  const webhook = row(room, /webhooks\/clerk user\.created from Clerk to Shop/).last();
  await expect(webhook).toBeVisible();
  await webhook.click();
  const panel = room.getByRole('article', { name: /\/api\/webhooks\/clerk/ });
  await expect(panel.getByText('Signature verified.')).toBeVisible();
  await expect(panel.getByText('CLERK_WEBHOOK_SIGNING_SECRET')).toBeVisible();
  await expect(panel.getByRole('region', { name: 'Request body' })).toContainText('"svc_click_id"');

  await room.getByRole('link', { name: 'Skip to content' }).press('Enter');
  await expect(main(room)).toBeFocused();

  const source = panel.getByRole('link', { name: /clerk\/route\.ts:\d+/ });
  await source.evaluate((link: HTMLElement) => [link.click(), link.click()]); // one opens
  const drawer = room.getByRole('dialog');
  await expect(drawer.locator('.marked')).toContainText('export async function POST');
  await drawer.click({ position: { x: 5, y: 5 } }); // beside its content
  await expect(drawer).toBeVisible();
  await room.mouse.click(5, 5);
  await expect(drawer).toBeHidden();
  await source.click();
  await drawer.getByRole('button', { name: 'Close' }).click();

  await panel.getByRole('list', { name: 'IDs in this message' }).locator(`[data-id="${clickId}"]`).hover();
  const lead = row(room, /track\/lead from Shop to Tracking/)
    .last()
    .locator('..'); // a slow service is asked again
  await expect(lead).toHaveClass(/lit/);
  const seen = await row(room, /./).count();
  await page.reload();
  await expect.poll(() => row(room, /./).count()).toBeGreaterThan(seen);
  await expect(lead).toHaveClass(/lit/);
  await setDeliveries(page.request, email, { mode: 'duplicated' });
  await expect(main(room).getByText(`(${email})`)).toBeVisible(); // a banner, which moves what the pointer rests on
  await expect(lead).toHaveClass(/lit/);

  await webhook.click();
  await expect(panel.getByRole('heading', { name: /webhooks\/clerk/ })).toBeFocused();
  const address = room.url();
  await room.keyboard.press('j');
  await expect(room, 'j acts in the list alone').toHaveURL(address);
  const count = await row(room, /./).count();
  const [isOpen, isClosed] = [(url: URL) => url.pathname.startsWith('/trace/'), (url: URL) => url.pathname === '/'];
  const letUpdateGo = await hold(room, isOpen, 1);
  const update = room.waitForRequest((request) => isOpen(new URL(request.url())));
  await page.reload();
  await update;
  const letClosingGo = await hold(room, isClosed, 1);
  const closing = room.waitForRequest((request) => isClosed(new URL(request.url())));
  await room.keyboard.press('Escape');
  await closing;
  letUpdateGo(); // it shows the message that was open when it was asked for
  await expect.poll(() => row(room, /./).count(), 'updates continue').toBeGreaterThan(count);
  letClosingGo();
  await expect(panel).toBeHidden();
  await expect(webhook).toBeFocused();
  const rows = await row(room, /./).all();
  const focused = () => Promise.all(rows.map((one) => one.evaluate((link) => link === document.activeElement)));
  const start = (await focused()).indexOf(true);
  await room.keyboard.press('k');
  await room.keyboard.press('k');
  await room.keyboard.press('j');
  await expect(room.getByRole('article')).toBeVisible();
  expect((await focused()).indexOf(true)).toBe(start - 1);
  await expect(row(room, /./).nth(start - 1)).toHaveAttribute('aria-current', 'true');
});

test('the heads of the lanes do not cover the row with the focus; where a message takes the place of the list, j moves the focus to it', async ({
  page,
}) => {
  const { customer } = await newLead(page.request);
  for (let time = 0; time < 20; time++) await listEvents(page.request, customer);
  await page.goto(emulators(`/?q=${customer}`));
  const [covered, next] = [row(page, /./).nth(5), row(page, /./).nth(6)];
  await next.evaluate((link: HTMLElement) => link.focus({ preventScroll: true }));
  const head = page.locator('.lanes-head');
  const topOf = (locator: Locator) => locator.evaluate((element) => element.getBoundingClientRect().top);
  await page
    .locator('.trace-scroll')
    .evaluate((list, distance) => list.scrollBy(0, distance), (await topOf(covered)) - (await topOf(head)));
  expect(await topOf(covered), 'it is under them').toBeCloseTo(await topOf(head), 0);
  await page.keyboard.press('Shift+Tab');
  await expect(covered).toBeFocused();
  const bottom = await head.evaluate((element) => element.getBoundingClientRect().bottom);
  await expect.poll(() => topOf(covered)).toBeGreaterThanOrEqual(bottom);

  await page.setViewportSize({ width: 800, height: 740 });
  await row(page, /./).first().focus();
  await page.keyboard.press('j');
  await expect(page.getByRole('article').getByRole('heading', { level: 2 })).toBeFocused();
  await expect(row(page, /./)).toHaveCount(0);
});

test('an ID leads to every place that carries it, and its trace is exported as HAR, without secrets', async ({
  page,
}) => {
  const email = newEmail();
  const clickId = await arriveFrom(page, 'grace');
  const customer = await signUpByHttp(page, email, clickId);
  await deliveriesSettle(page.request, email);
  const places = main(page).getByRole('list', { name: 'Places' });
  const lead = places.getByText('Lead', { exact: true }).first();
  await expect(async () => {
    await page.goto(emulators(`/ids/${clickId}`));
    await expect(lead, 'its delivery is not awaited by the webhook').toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expect(places.getByRole('listitem').filter({ hasText: 'Cookie' })).toBeVisible();
  await expect(places.getByRole('listitem').filter({ hasText: 'unsafe_metadata.svc_click_id' }).first()).toBeVisible();
  const messages = row(page, /./);
  await messages.first().focus();
  await page.keyboard.press('j');
  await expect(messages.nth(1), 'j leads to the next message, and not away').toBeFocused();
  await expect(page).toHaveURL(emulators(`/ids/${clickId}`));
  const journey = page.getByRole('list', { name: 'Journey, oldest first' });
  await main(page).getByRole('link', { name: 'Open in Tracking' }).click();
  await expect(journey).toBeVisible();
  await page.goBack();

  await places.locator(`[data-id="${customer}"]`).first().click();
  await expect(main(page).getByRole('region', { name: 'Object' }).last()).toContainText(email);
  await main(page).getByRole('link', { name: 'Open in Tracking' }).click();
  await main(page).getByRole('table', { name: 'Customers' }).getByRole('link').click();
  await expect(journey).toBeVisible();
  await page.goto((await page.getByRole('link', { name: /^Follow led_/ }).getAttribute('href')) ?? '');
  await expect(lead).toBeVisible();

  const response = await page.request.get(emulators(`/trace.har?q=${clickId}`));
  const { log } = (await response.json()) as { log: { version: string; entries: { request: HarRequest }[] } };
  expect(log.version).toBe('1.2');
  const sentTo = (path: string) => log.entries.find(({ request }) => request.url.endsWith(path))?.request;
  expect(sentTo('/api/v1/track/click')).toBeDefined();
  expect(sentTo('/api/v1/track/lead')?.headers).toContainEqual({ name: 'authorization', value: '[redacted]' });
  expect(JSON.stringify(log)).not.toMatch(/\b[sr]k_(test|live)_\w{8}|svc_sk_|whsec_|eyJ[\w-]+\./);
  expect(JSON.stringify(log)).not.toMatch(/correct(\+|%20| )horse/); // PASSWORD, also encoded
});

test('the tour follows what the visitor does in the shop beside it', async ({ page }) => {
  await page.goto(emulators('/tour'));
  const steps = page.getByRole('region', { name: 'Steps' });
  const current = steps.locator('[aria-current=step]');
  await expect(current).toContainText('Arrive through a partner’s link');
  const shop = page.frameLocator('iframe[name=app]');
  await expect(shop.getByRole('main')).toBeVisible();
  await current.getByRole('link', { name: 'Open the partner’s link' }).click();
  await expect(current).toContainText('Sign up');

  await current.getByRole('link', { name: 'Open the sign-up page' }).click();
  await shop.locator('input[name=emailAddress]').fill(newEmail());
  await shop.locator('input[name=password]').fill(PASSWORD);
  await shop.locator('input[name=password]').press('Enter');
  await expect(current).toContainText('Buy a subscription', { timeout: 30_000 });
  await expect(page.getByRole('region', { name: 'Trace of this visitor' })).toContainText('/api/webhooks/clerk');
  await expect(steps.getByRole('link', { name: 'Message' })).toHaveCount(3);

  await current.getByRole('link', { name: 'Choose a plan' }).click();
  await shop.getByRole('button', { name: 'Choose Studio monthly', exact: true }).click();
  await shop.getByLabel('Card number').fill('4242 4242 4242 4242');
  await shop.getByLabel('Expiry').fill('12 / 34');
  await shop.getByLabel('CVC').fill('123');
  await shop.getByLabel('Name on card').fill('Wanda Walker');
  await shop.getByRole('button', { name: /^Subscribe/ }).click();
  await expect(current).toContainText('Let a month pass', { timeout: 30_000 });
  const pathInFrame = () => new URL(page.frame({ name: 'app' })?.url() ?? '').pathname;
  await expect.poll(pathInFrame).toBe('/checkout/success');

  const advances: string[] = [];
  page.on('request', (request) => void (request.url().endsWith('/actions/clock') && advances.push(request.url())));
  // By the second click, the first has been processed.
  await current.getByRole('button', { name: 'Advance one month' }).dblclick({ delay: 300 });
  await expect(steps.getByRole('link', { name: 'Open the scenarios' })).toBeVisible();
  expect(advances, 'a second click does not advance it again').toHaveLength(1);
  await expect(steps.getByRole('link', { name: 'Message' })).toHaveCount(6);
  expect(pathInFrame(), 'the shop stays where it was').toBe('/checkout/success');

  const restarted = page.waitForResponse((response) => response.url().endsWith('/__emulators/new-visitor'));
  await page.getByRole('button', { name: 'Start again as a new visitor' }).click();
  expect((await restarted).status()).toBe(303);
  await expect.poll(pathInFrame).toBe('/');
  await expect(current).toContainText('Arrive through a partner’s link');
});
