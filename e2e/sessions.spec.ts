// Static pages do not know who is signed in, and a token lives 60 seconds. So whatever they link or post to has to work for
// customers with a session, with an expired token, and without one.
import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { deliveriesSettle, newCustomer, salesOf } from './payment-support';
import { isExpired, issueToken, replaceSessionCookies, setSessionCookies } from './session-support';
import { main, payWith, readUserId, watchTrack } from './support';

/** A new customer of Ada's, whose browser has reported no sign-up, and the browser leads that are sent from here on. */
async function becomeCustomer(page: Page, context: BrowserContext) {
  const buyer = await newCustomer(page, 'ada');
  return { ...buyer, browserLeads: watchTrack(context, 'lead') };
}

/** The paths that a page leads to, as they are shown. */
function watchPaths(page: Page): string[] {
  const visited: string[] = [];
  page.on('framenavigated', (frame) => frame === page.mainFrame() && visited.push(new URL(frame.url()).pathname));
  return visited;
}

/** Shows /pricing until the customer's token has expired; returns the paths that the page leads to from then on. */
async function expireOnPricing(page: Page, context: BrowserContext, baseURL = ''): Promise<string[]> {
  const expired = await issueToken(page, { expires_in_seconds: 1 });
  await replaceSessionCookies(context, expired, baseURL);
  await page.goto('/pricing');
  await expect.poll(() => isExpired(expired)).toBe(true);
  return watchPaths(page);
}

test('a customer whose token expires on /pricing buys a plan, and is not taken for a new user', async ({
  page,
  context,
  request,
  baseURL,
}) => {
  const { clickId, customer, email, browserLeads } = await becomeCustomer(page, context);
  const visited = await expireOnPricing(page, context, baseURL);
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

test('a checkout page that Back restores no longer says that it opens the payment page', async ({ page }) => {
  await newCustomer(page, 'ada');
  await page.route('/api/checkout', (route) => route.fulfill({ status: 204 })); // the browser stays on the page
  const posted = page.waitForRequest('/api/checkout');
  await page.goto('/checkout?plan=studio_monthly&resume=payment');
  await posted;
  const opening = main(page).getByText('Opening the payment page…');
  await expect(opening).toBeVisible();
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
  await expect(opening).toBeHidden();
});

test('a customer whose token expires on a static page presses "Account" and is there', async ({
  page,
  context,
  baseURL,
}) => {
  const { customer } = await becomeCustomer(page, context);
  const visited = await expireOnPricing(page, context, baseURL);
  await page.getByRole('link', { name: 'Account', exact: true }).click();
  expect(await readUserId(page)).toBe(customer);
  expect(visited.filter((path) => path.startsWith('/sign-'))).toEqual([]);
});

test('a customer whose computer wakes on the account page reaches the next one, once', async ({
  page,
  context,
  baseURL,
}) => {
  await becomeCustomer(page, context);
  await page.goto('/account');
  await expect(page.locator('.cl-userButtonTrigger')).toBeVisible();
  const expired = await issueToken(page, { expires_in_seconds: 1 });
  await expect.poll(() => isExpired(expired)).toBe(true);
  await setSessionCookies(context, expired, baseURL ?? '');
  const visited = watchPaths(page);
  await page.getByRole('link', { name: 'Plans', exact: true }).click();
  await expect(main(page).getByRole('button', { name: 'Choose Studio monthly', exact: true })).toBeVisible();
  await expect(page).toHaveURL('/account/plans');
  expect(visited.filter((path) => path === '/sign-in').length, visited.join()).toBeLessThan(2);
});

test('a signed-in customer who presses "Start free" is redirected to the account, and once signed out to the form', async ({
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
