// The click, as a visitor's browser makes it: contract §1 and §4, docs/decisions/0005 and 0011.
import type { Page, Request } from '@playwright/test';
import { expect, test } from './fixtures';
import { arriveFrom, newEmail, PASSWORD, readClickId, untilHydrated, watchTrack } from './support';

const CLICK = '**/api/v1/track/click';
const DAY = 86_400;

/** Follows the shop's own link, without loading a page. */
async function goToSignUp(page: Page) {
  await untilHydrated(page);
  await page
    .getByRole('link', { name: /sign up|start free|get started/i })
    .first()
    .click();
  await page.waitForURL('**/sign-up**');
}

const sentClickId = (request: Request) =>
  JSON.parse(new URLSearchParams(request.postData() ?? '').get('unsafe_metadata') ?? 'null')?.svc_click_id;

/** Fills Clerk's form on the page that is open, and resolves with the request that creates the user. */
async function submitSignUp(page: Page): Promise<Request> {
  const sent = page.waitForRequest(
    (request) => request.url().includes('/client/sign_ups') && request.method() === 'POST',
  );
  await page.locator('input[name=emailAddress]').fill(newEmail());
  await page.locator('input[name=password]').fill(PASSWORD);
  // By the keyboard: a remark below the password moves the button away while it is being pressed.
  await page.locator('input[name=password]').press('Enter');
  return sent;
}

test.describe('§1 a visitor arrives', () => {
  test('with aff: one request, and a first-party cookie for as long as the program says', async ({ page, baseURL }) => {
    const clicks = watchTrack(page.context(), 'click');
    const answered = page.waitForResponse(CLICK);
    await page.goto('/?aff=ada&utm_source=blog#plans');
    const answer = await (await answered).json();
    await expect.poll(() => readClickId(page)).toBe(answer.click_id);
    await untilHydrated(page); // the inline script has made the click, and the provider makes no other
    expect(clicks).toMatchObject([{ affiliate_url: `${baseURL}/?aff=ada&utm_source=blog` }]);
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'svc_click_id');
    expect(cookie).toMatchObject({ path: '/', sameSite: 'Lax', httpOnly: false, secure: false });
    const daysLeft = ((cookie?.expires ?? 0) - Date.now() / 1000) / DAY;
    expect(daysLeft).toBeCloseTo(answer.cookie_window_days, 1);
  });

  test('on the server the tracker does nothing: the page alone sets no cookie', async ({ request }) => {
    const answer = await request.get('/?aff=ada');
    expect(answer.headers()['set-cookie']).toBeUndefined();
    expect(await answer.text()).toContain('data-program-id="prg_demo"');
  });

  test('by a client-side navigation, in whatever router', async ({ page }) => {
    const clicks = watchTrack(page.context(), 'click');
    await page.goto('/');
    await goToSignUp(page); // the provider runs by now
    await page.evaluate(() => history.pushState(null, '', '/pricing?aff=ada'));
    await expect.poll(() => readClickId(page)).toMatch(/^clk_/);
    expect(clicks).toHaveLength(1);
  });
});

test.describe('the last click wins', () => {
  test('the back button and a reload are no visits', async ({ page }) => {
    const first = await arriveFrom(page, 'ada');
    await page.goto('/?aff=grace');
    await expect.poll(() => readClickId(page)).not.toBe(first);
    const second = await readClickId(page);
    const clicks = watchTrack(page.context(), 'click');
    await page.goBack();
    await untilHydrated(page);
    await page.reload();
    await untilHydrated(page);
    expect(new URL(page.url()).searchParams.get('aff')).toBe('ada');
    expect(clicks).toEqual([]);
    expect(await readClickId(page)).toBe(second);
  });
});

test.describe('a service that is slow', () => {
  test('a visitor who presses "sign up" before the click has come back still signs up with it', async ({ page }) => {
    let answerNow = () => {};
    const held = new Promise<void>((resolve) => (answerNow = resolve));
    await page.route(CLICK, async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    const answered = page.waitForResponse(CLICK);
    await page.goto('/?aff=ada');
    await goToSignUp(page);
    answerNow();
    const { click_id: clickId } = await (await answered).json();
    expect(sentClickId(await submitSignUp(page))).toBe(clickId);
  });
});

test.describe('a service that cannot be reached', () => {
  test.use({ expectedProblems: [/net::ERR_BLOCKED_BY_CLIENT/] });

  test('blocked: the page works on, and the click is made up for when the visitor signs up', async ({ page }) => {
    await page.route(CLICK, (route) => route.abort('blockedbyclient'));
    await page.goto('/?aff=ada');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(await readClickId(page)).toBeNull();
    await page.unroute(CLICK);
    await goToSignUp(page);
    await expect.poll(() => readClickId(page)).toMatch(/^clk_/);
  });
});

test.describe('a browser without cookies', () => {
  test('keeps the click for as long as the page lives', async ({ page, context }) => {
    const browser = await context.newCDPSession(page);
    await browser.send('Emulation.setDocumentCookieDisabled', { disabled: true });
    const answered = page.waitForResponse(CLICK);
    await page.goto('/?aff=ada');
    const { click_id: clickId } = await (await answered).json();
    expect(await readClickId(page)).toBeNull();
    await expect.poll(() => page.evaluate(() => window.svcCapture?.getClickId())).toBe(clickId);
  });
});
