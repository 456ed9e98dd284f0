// Static pages do not know who is signed in, and a token lives 60 seconds. So whatever they link or post to has to work for
// customers with a session, with an expired token, and without one.
import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { deliveriesSettle, newCustomer, salesOf } from './payment-support';
import { isExpired, issueToken, replaceSessionCookies } from './session-support';
import { main, payWith, readUserId } from './support';

/** A new customer of Ada's, whose browser has reported no sign-up, and the browser leads that are sent from here on. */
async function becomeCustomer(page: Page, context: BrowserContext) {
  const buyer = await newCustomer(page, 'ada');
  const browserLeads: string[] = [];
  context.on('request', (request) => {
    if (request.url().endsWith('/api/v1/track/lead')) browserLeads.push(request.url());
  });
  return { ...buyer, browserLeads };
}

test('a customer whose token expires on /pricing buys a plan, and is not taken for a new user', async ({
  page,
  context,
  request,
  baseURL,
}) => {
  const { clickId, customer, email, browserLeads } = await becomeCustomer(page, context);
  const expired = await issueToken(page, { expires_in_seconds: 1 });
  await replaceSessionCookies(context, expired, baseURL ?? '');
  await page.goto('/pricing');
  await expect.poll(() => isExpired(expired)).toBe(true);
  const visited: string[] = [];
  page.on('framenavigated', (frame) => frame === page.mainFrame() && visited.push(new URL(frame.url()).pathname));

  await page.getByRole('button', { name: 'Choose Studio monthly', exact: true }).click();
  await page.waitForURL('**/stripe/checkout/**');
  expect(visited).toContain('/checkout'); // the page that renews the session and posts again
  expect(visited.filter((path) => /sign-|welcome/.test(path))).toEqual([]);

  await payWith(page, '4242 4242 4242 4242');
  await page.waitForURL('**/checkout/success**');
  await deliveriesSettle(request, email);
  expect(await salesOf(request, customer)).toEqual([
    expect.objectContaining({ click_id: clickId, partner_code: 'ada', customer_key: customer }),
  ]);
  expect(browserLeads).toEqual([]);
});

test('a signed-in customer who presses "Start free" is led to the account, and once signed out to the form', async ({
  page,
  context,
}) => {
  const { customer, browserLeads } = await becomeCustomer(page, context);
  await page.goto('/');
  await main(page).getByRole('link', { name: 'Start free' }).first().click();
  await page.waitForURL((url) => url.pathname === '/account');
  expect(await readUserId(page)).toBe(customer);
  await page.waitForLoadState('networkidle');
  expect(browserLeads, 'no sign-up is reported').toEqual([]);

  await page.locator('.cl-userButtonTrigger').click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL((url) => url.pathname === '/');
  await main(page).getByRole('link', { name: 'Start free' }).first().click();
  await expect(page.locator('input[name=emailAddress]')).toBeVisible();
});
