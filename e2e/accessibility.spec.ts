import { randomUUID } from 'node:crypto';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from './fixtures';

const PAGES = [
  '/',
  '/pricing',
  '/sign-up',
  '/sign-in',
  '/no-such-page',
  '/dashboard',
  '/dashboard/sign-in',
  '/dashboard/events',
  '/dashboard/events?customer=nobody',
  '/dashboard/customers',
  '/dashboard/customers/led_x',
  '/dashboard/partners',
  '/dashboard/settings',
  '/sandbox',
];

test.use({ expectedProblems: [/404/] });

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} scheme`, () => {
    test.use({ colorScheme });
    for (const path of PAGES) {
      test(`${path} has no accessibility violation`, async ({ page }) => {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
        // Clerk's components are Clerk's own.
        const { violations } = await new AxeBuilder({ page }).exclude('.cl-rootBox').analyze();
        expect(violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target) }))).toEqual([]);
      });
    }

    test('a journey has no accessibility violation', async ({ page, request }) => {
      const lead = await request.post('/api/v1/track/lead', {
        data: {
          customer_key: `user_${randomUUID()}`,
          additional_data: { test_mode: true, program_id: 'prg_demo' },
        },
        headers: { authorization: `Bearer ${process.env.SVC_API_KEY}` },
      });
      await page.goto(`/dashboard/customers/${(await lead.json()).lead_id}`);
      await page
        .getByText(/^Stored record/)
        .first()
        .click();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target) }))).toEqual([]);
    });
  });
}

test('every page fits 360 px without scrolling sideways', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of PAGES) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow, path).toBeLessThanOrEqual(0);
  }
});

test('the keyboard reaches the content first, then every control', async ({ page }) => {
  await page.goto('/dashboard/events');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Live: pause' })).toBeFocused();
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Paused: resume' })).toHaveAttribute('aria-pressed', 'true');
});

test('nothing moves for those who asked for less motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/dashboard');
  const moving = await page.evaluate(
    () =>
      Array.from(document.querySelectorAll('*'))
        .map((element) => getComputedStyle(element))
        .filter((style) => style.transitionDuration !== '0s' || style.animationName !== 'none').length,
  );
  expect(moving).toBe(0);
});

test('controls are 44 px targets', async ({ page }) => {
  await page.goto('/dashboard/settings');
  const controls = page.locator('button, select, input:not([type=hidden]):not([type=radio]), nav a');
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
