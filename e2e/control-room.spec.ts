// The control room, each part by one walk. Everything is done for one customer, so that walks run side by side.
import type { APIRequestContext, Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { deliveriesSettle, newCustomer, newSession, payByForm, subscriptionTo } from './payment-support';
import { emulators, listEvents, newEmail, readClickId, signUpByHttp } from './support';

const roomOf = (email: string, path = '/simulate') => `${emulators(path)}?customer=${encodeURIComponent(email)}`;

/** A customer who has subscribed, made over HTTP: checkout opened through Stripe's API, and paid as the hosted page does. */
async function subscribe(request: APIRequestContext, baseURL: string): Promise<string> {
  const email = newEmail();
  const form = { ...(await subscriptionTo(request, 'studio_monthly')), customer_email: email };
  const { url } = await newSession(request, baseURL, form);
  await payByForm(request, url, { email });
  return email;
}

const fault = (page: Page, title: string) => page.getByRole('listitem', { name: title });

async function turn(page: Page, title: string, direction: 'on' | 'off'): Promise<void> {
  const item = fault(page, title);
  await item.getByRole('button', { name: `Turn ${direction} ${title}` }).click();
  const badge = item.getByText('On', { exact: true });
  if (direction === 'on') await expect(badge).toBeVisible();
  else await expect(badge).toBeHidden();
}

test('time is advanced to the renewal, a payment is refunded and its webhook sent again, for one customer', async ({
  page,
  request,
  baseURL,
}) => {
  const email = await subscribe(request, baseURL ?? '');
  await page.goto(emulators('/simulate'));
  await page.getByRole('combobox', { name: 'Customer' }).fill(email);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.waitForURL(/customer=/);
  await page.getByRole('button', { name: 'To the next renewal' }).click();
  await expect(page.getByRole('status').filter({ hasText: /Now .* Stripe events/ })).toContainText('invoice.paid');

  await page.goto(roomOf(email, '/payments'));
  const charges = page.getByRole('table', { name: 'Charges, newest first' });
  await expect(charges.getByRole('row')).toHaveCount(3);
  const refund = charges.getByRole('button', { name: /^Refund/ });
  await refund.first().click();
  await expect(refund).toHaveCount(1);

  await page.goto(roomOf(email, '/deliveries'));
  await page
    .getByRole('link', { name: /charge\.refunded/ })
    .first()
    .click();
  const delivery = page.getByRole('article', { name: 'charge.refunded' });
  await expect(delivery.getByText('Delivered', { exact: true })).toBeVisible();
  await expect(delivery.getByRole('region', { name: 'Request headers' })).toContainText('stripe-signature');
  await expect(delivery.getByRole('region', { name: 'Payload' })).toContainText('"type": "charge.refunded"');
  const attempts = await delivery.locator('summary').count();
  await delivery.getByRole('button', { name: /^Send again/ }).click();
  await expect(delivery.locator('summary')).toHaveCount(attempts + 1);
  await expect(delivery.getByRole('heading', { name: 'charge.refunded' }), 'where the reader was').toBeFocused();
});

test.describe('a blocker', () => {
  test.use({ expectedProblems: [/ERR_EMPTY_RESPONSE|ERR_CONNECTION/] });

  test('the tracker is blocked: the shop works, and nothing is attributed', async ({ page, request }) => {
    await page.goto(emulators('/simulate'));
    await turn(page, 'Tracker blocked', 'on');

    const failed = page.waitForEvent('requestfailed', (sent) => sent.url().endsWith('/api/v1/track/click'));
    await page.goto('/?aff=ada');
    await failed;
    const email = newEmail();
    const customer = await signUpByHttp(page, email, await readClickId(page));
    await page.goto('/welcome');
    await expect(page.getByRole('heading', { name: 'Choose a plan' })).toBeVisible();
    expect(await readClickId(page)).toBeNull();
    await deliveriesSettle(request, email);
    expect(await listEvents(request, customer)).toEqual([]);

    await page.goto(emulators('/simulate'));
    await turn(page, 'Tracker blocked', 'off');
    await page.goto('/?aff=ada');
    await expect.poll(() => readClickId(page)).not.toBeNull();
  });
});

test('the bar on the pages of the app leads to the control room, and starts again as a new visitor', async ({
  page,
}) => {
  await page.goto('/?aff=ada');
  await expect.poll(() => readClickId(page)).not.toBeNull();
  const bar = page.getByRole('complementary', { name: 'Emulators' });
  await expect(bar.getByRole('link', { name: 'Control room' })).toHaveAttribute('href', emulators('/'));
  await expect(bar.getByRole('link', { name: 'Tour' })).toHaveAttribute('href', emulators('/tour'));
  await expect(bar.getByRole('link', { name: 'Trace of this visitor' })).toHaveAttribute('href', /\?visitor=\w+$/);
  const root = page.locator('html');
  const height = await bar.evaluate((element: HTMLElement) => element.offsetHeight);
  await expect(root, 'the bar covers no control with the focus').toHaveCSS('scroll-padding-bottom', `${height}px`);
  await page.emulateMedia({ media: 'print' });
  await expect(bar).toBeHidden();
  await page.emulateMedia({ media: null });
  await bar.getByRole('button', { name: 'New visitor' }).click();
  await expect.poll(() => readClickId(page)).toBeNull();
  await bar.evaluate((element) => element.remove());
  await expect(root).toHaveCSS('scroll-padding-bottom', 'auto');
});

test('in forced colors a line shows which page, which message and which line of the source is meant', async ({
  page,
}) => {
  const { clickId } = await newCustomer(page, 'ada');
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto(emulators(`/?q=${clickId}`));
  const nav = page.getByRole('navigation', { name: 'Control room' });
  const borderOf = (name: string) =>
    nav.getByRole('link', { name }).evaluate((link) => getComputedStyle(link).borderBottomColor);
  const surface = await page.evaluate(() => {
    document.body.style.outlineColor = 'Canvas';
    return getComputedStyle(document.body).outlineColor;
  });
  expect([await borderOf('Trace'), await borderOf('Tour')]).toEqual([expect.not.stringContaining(surface), surface]);

  const row = page.getByRole('list', { name: 'Messages, oldest first' }).getByRole('listitem');
  await row.filter({ hasText: '/api/webhooks/clerk' }).first().getByRole('link').click();
  await expect(row.and(page.locator('.selected'))).toHaveCSS('outline-style', 'solid');
  await page.getByRole('link', { name: /clerk\/route\.ts:\d+/ }).click();
  await expect(page.getByRole('dialog').locator('.marked')).toHaveCSS('outline-style', 'solid');
});
