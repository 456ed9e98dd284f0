import { randomUUID } from 'node:crypto';
import type { BrowserContext, Locator, Page } from '@playwright/test';
import { newAxe } from './axe';
import { expect, test } from './fixtures';
import {
  ACCOUNT_PORTAL,
  CONSENT,
  CONTROL_ROOM_PAGES,
  FORM_PAGES,
  HOSTED_CHECKOUT,
  OPEN_PAGES,
  PAID_ACCOUNT,
  PORTAL,
  SIGNED_IN_PAGES,
} from './page-snapshots';
import { deliveriesSettle, payByForm, startCheckout } from './payment-support';
import { emulators, newEmail, readTexts, signUpByHttp } from './support';

test.use({
  expectedProblems: [/ 404 .*\/(no-such-page|led_x|none)$/],
  contextOptions: { reducedMotion: 'reduce' },
});

// What a color scheme can change. Everything else holds for both once it holds for one.
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];
// Clerk's components are Clerk's own. The tour frames the app, whose pages are tested by themselves.
const FOREIGN = ['.cl-rootBox', '.cl-userButtonTrigger', '.cl-userButton-root', 'iframe[name=app]'];
// Of a list that other tests have filled, the first rows stand for the rest.
const REPEATED = ':is(tr, li):nth-child(n + 13)';

async function violationsIn(page: Page, colorScheme: 'light' | 'dark', rules?: string[]) {
  await page.emulateMedia({ colorScheme });
  const axe = [...FOREIGN, REPEATED].reduce(
    (builder, selector) => builder.exclude(selector),
    (await newAxe(page)).options({ resultTypes: ['violations'] }),
  );
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations.map(({ id, nodes }) => ({ scheme: colorScheme, id, targets: nodes.map(({ target }) => target) }));
}

/** What moves although less motion was asked for. */
const movingIn = (page: Page) =>
  page.evaluate(
    (foreign) =>
      Array.from(document.querySelectorAll('*'))
        .filter((element) => {
          const { transitionDuration, animationName } = getComputedStyle(element);
          return !element.closest(foreign) && (transitionDuration !== '0s' || animationName !== 'none');
        })
        .map(({ outerHTML }) => outerHTML.slice(0, 100)),
    FOREIGN.join(),
  );

/** One load of a page: what it is without sight, both color schemes, less motion, and the narrowest screen. */
async function expectAccessible(page: Page, snapshot: string): Promise<void> {
  await expect(page.locator('body')).toMatchAriaSnapshot(snapshot);
  expect([...(await violationsIn(page, 'light')), ...(await violationsIn(page, 'dark', COLOR_RULES))]).toEqual([]);
  expect(await movingIn(page), 'moves for those who asked for less motion').toEqual([]);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 740 });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, 'fits 320 px without scrolling sideways').toBeLessThanOrEqual(0);
  if (size) await page.setViewportSize(size);
}

/** Opens a page of the dashboard and waits until all of it is there. */
async function openWhole(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[hidden][id^="S:"]')).toHaveCount(0); // React's name for a part that still streams
}

for (const [path, snapshot] of Object.entries(OPEN_PAGES)) {
  test(`${path} is accessible in both schemes, and fits 320 px`, async ({ page }) => {
    await page.goto(path);
    await expectAccessible(page, snapshot);
  });
}

for (const [path, snapshot] of Object.entries(CONTROL_ROOM_PAGES)) {
  test(`the control room's ${path} is accessible in both schemes, and fits 320 px`, async ({ page }) => {
    await page.goto(emulators(path));
    await expectAccessible(page, snapshot);
    await page.setViewportSize({ width: 360, height: 740 });
    const links = page.getByRole('navigation', { name: 'Control room' }).getByRole('link');
    await expect(links).not.toHaveCount(0);
    for (const link of await links.all()) await expect(link).toBeInViewport({ ratio: 1 });
  });
}

test.describe('a customer who has signed up', () => {
  test.describe.configure({ mode: 'default' }); // one worker, so that one sign-up is enough
  let cookies: Awaited<ReturnType<BrowserContext['cookies']>> = [];
  const email = newEmail();

  test.beforeAll(async ({ browser }) => {
    const page = await browser.newPage();
    await signUpByHttp(page, email);
    cookies = await page.context().cookies();
    await page.close();
  });

  test.beforeEach(({ context }) => context.addCookies(cookies));

  for (const [path, snapshot] of Object.entries(SIGNED_IN_PAGES)) {
    test(`${path} is accessible in both schemes, and fits 320 px`, async ({ page }) => {
      await page.goto(path);
      await expectAccessible(page, snapshot);
    });
  }

  test('checkout, account and portal are accessible in both schemes, and fit 320 px', async ({ page }) => {
    await readTexts(page, '/account'); // renews the session, whose token lasts a minute
    const checkout = await startCheckout(page, 'studio_monthly');
    await page.goto(checkout);
    await expectAccessible(page, HOSTED_CHECKOUT);
    await payByForm(page.request, checkout);
    await deliveriesSettle(page.request, email);
    await page.goto('/account');
    await expectAccessible(page, PAID_ACCOUNT);
    await page.getByRole('button', { name: 'Manage billing' }).click();
    await page.waitForURL('**/stripe/portal/**');
    await expectAccessible(page, PORTAL);
  });
});

const WIDTHS = [360, 768, 1280, 1920];
/** Where a component has all of its parts; between them it has the same colors. */
const WIDTHS_BY_PARTS = [360, 1280];

/** Checks a Clerk component themed with the shop's tokens: contrast in both schemes, and that it fits the screen at every width. */
async function expectThemed(page: Page, component: string): Promise<void> {
  const size = page.viewportSize();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await expect(page.locator(component)).toBeInViewport();
      // Clerk's colors change by a transition, and are too faint in the middle of it.
      await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState === 'finished'));
      const { x, width: taken } = (await page.locator(component).boundingBox()) ?? { x: -1, width: 0 };
      const place = `${component} at ${width} px, ${colorScheme}`;
      expect.soft(x, `${place}: begins on the screen`).toBeGreaterThanOrEqual(0);
      expect.soft(x + taken, `${place}: ends on the screen`).toBeLessThanOrEqual(width);
      if (!WIDTHS_BY_PARTS.includes(width)) continue;
      const axe = await newAxe(page);
      const { violations, passes } = await axe.include(component).withRules(COLOR_RULES).analyze();
      expect.soft(passes.length, `${place}: has text`).toBeGreaterThan(0);
      const found = violations.flatMap(({ nodes }) => nodes.map(({ html }) => html));
      expect.soft(found, `${place}: is readable`).toEqual([]);
    }
  }
  if (size) await page.setViewportSize(size);
}

for (const [path, snapshot] of Object.entries(FORM_PAGES)) {
  test(`${path} is accessible, and Clerk's form on it readable in both schemes at every width`, async ({ page }) => {
    await page.goto(path);
    await expectAccessible(page, snapshot);
    await expectThemed(page, '.cl-cardBox');
  });
}

test("Clerk's menu and profile are readable in both schemes, and fit every width", async ({ page }) => {
  await signUpByHttp(page, newEmail());
  await page.goto('/account');
  await page.locator('.cl-userButtonTrigger').click();
  await expectThemed(page, '.cl-userButtonPopoverCard');
  await page.getByRole('button', { name: 'Manage account' }).click();
  await expectThemed(page, '.cl-userProfile-root');
});

for (const [path, snapshot] of Object.entries(ACCOUNT_PORTAL)) {
  test(`the Account Portal's ${path} is accessible in both schemes, and fits 320 px`, async ({ page }) => {
    if (path === '/clerk/user') await signUpByHttp(page, newEmail());
    await page.goto(emulators(path));
    await expectAccessible(page, snapshot);
  });
}

test('the consent page is accessible in both schemes, and fits 320 px', async ({ page, baseURL }) => {
  const form = {
    strategy: 'oauth_custom_postbox',
    redirect_url: `${baseURL}/sign-in`,
    action_complete_redirect_url: `${baseURL}/`,
  };
  const answer = await page.request.post(`${process.env.CLERK_API_URL}/v1/client/sign_ins`, { form });
  const { response } = await answer.json();
  await page.goto(response.first_factor_verification.external_verification_redirect_url);
  await expect(page).toHaveURL(/\/clerk\/oauth\//);
  await expectAccessible(page, CONSENT);
});

test('a journey, lists with entries and an open record are accessible in both schemes, and fit 320 px', async ({
  page,
  request,
}) => {
  const customer_key = `user_${randomUUID()}`;
  const lead = await request.post('/api/v1/track/lead', {
    data: { customer_key, additional_data: { test_mode: true, program_id: 'prg_demo' } },
    headers: { authorization: `Bearer ${process.env.SVC_API_KEY}` },
  });
  const { lead_id } = await lead.json();
  await page.goto(`/dashboard/customers/${lead_id}`);
  await page
    .getByText(/^Stored record/)
    .first()
    .click();
  await expectAccessible(
    page,
    `
    - main:
      - heading "Customer journey" [level=1]
      - list "Journey, oldest first":
        - listitem:
          - group:
            - region /Stored record/
    `,
  );
  await page.goto(`/dashboard/events?customer=${customer_key}`);
  await expectAccessible(page, '- row /Lead Test .* (ago|just now)/');
});

test('what backgrounds show is seen in forced colors: buttons, the funnel, the arrows of the trace', async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.goto('/pricing');
  await expect(page.getByRole('button', { name: 'Choose Studio yearly' })).toHaveCSS('border-top-width', '1px');
  const kept = (locator: Locator) => expect(locator.first()).toHaveCSS('forced-color-adjust', 'none');
  await page.goto('/dashboard');
  await kept(page.getByRole('region', { name: 'Funnel' }).locator('[style*=width]'));
  await page.goto(emulators('/'));
  await kept(page.locator('li .arrow'));
});

test('the keyboard reaches the content first, then its first control, which works', async ({ page }) => {
  await openWhole(page, '/dashboard/events');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  const live = page.getByRole('button', { name: 'Live (pause updates)' });
  await expect(live).toBeFocused();
  await expect(async () => {
    if (await live.isVisible()) await page.keyboard.press('Space'); // works once the page has started
    await expect(page.getByRole('button', { name: 'Paused (resume updates)' })).toBeFocused({ timeout: 500 });
  }).toPass();
});

// Next keeps the page that was left, hidden behind the new one, with the link that had the focus.
test('after a link, the keyboard continues in the new page', async ({ page }) => {
  await expect(async () => {
    await openWhole(page, '/dashboard/partners');
    await page.getByRole('link', { name: 'Ada Keller' }).press('Enter'); // loads a document until the page has started
    await page.waitForURL(/\/dashboard\/events\?partner=ada&mode=live&from=[\d-]+&to=[\d-]+$/);
    await expect(page.getByRole('main')).toBeFocused({ timeout: 1_000 });
  }).toPass();
  const first = page.getByRole('main').getByRole('button').first();
  await expect(first).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(first).toBeFocused();
});

test('controls are 44 px targets', async ({ page }) => {
  await openWhole(page, '/dashboard/settings');
  const controls = page
    .locator('header, main')
    .locator('button, select, input:not([type=hidden]):not([type=radio]), nav a');
  expect(await controls.count()).toBeGreaterThan(10);
  for (const control of await controls.all()) {
    const height = await control.evaluate((element) => {
      const edge = getComputedStyle(element, '::after');
      return Math.max(
        element.getBoundingClientRect().height,
        edge.content === 'none' ? 0 : Number.parseFloat(edge.height),
      );
    });
    expect(height, await control.innerText()).toBeGreaterThanOrEqual(44);
  }
});
