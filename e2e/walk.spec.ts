import { expect, test } from './fixtures';
import { deliveriesSettle, payByForm, salesOf, startCheckout } from './payment-support';
import { readUser } from './session-support';
import {
  advanceTime,
  arriveFrom,
  eventually,
  listEvents,
  main,
  newEmail,
  payWith,
  readClickId,
  readTexts,
  signUp,
} from './support';

const MONTH = 31; // days

test('a visitor becomes a click, a lead, a sale and a renewal', async ({ page, request }) => {
  const email = newEmail();
  /** The bar shows what webhooks caused, even after the page has loaded, and links to the message. */
  const barLeadsTo = async (path: string, text: string) => {
    const bar = page.getByRole('complementary', { name: 'Emulators' });
    const notice = bar.getByRole('status').getByRole('link', { name: text, exact: true });
    await expect(notice).toBeVisible({ timeout: 30_000 });
    const opened = page.waitForEvent('popup');
    await notice.click();
    const room = await opened;
    await expect(room.getByRole('article', { name: `POST ${path}` })).toBeVisible();
    await room.close();
  };

  const clickId = await test.step('a partner’s link creates a click', () => arriveFrom(page, 'ada'));

  const customer = await test.step('signing up carries the click ID in unsafe_metadata', async () => {
    const signUpRequest = page.waitForRequest(
      (sent) => sent.url().includes('/client/sign_ups') && sent.method() === 'POST',
    );
    await page
      .getByRole('link', { name: /sign up|start free|get started/i })
      .first()
      .click();
    await page.waitForURL('**/sign-up**');
    const browserLead = page.waitForResponse((response) => response.url().endsWith('/api/v1/track/lead'));
    const userId = await signUp(page, email);
    const sent = new URLSearchParams((await signUpRequest).postData() ?? '');
    expect(JSON.parse(sent.get('unsafe_metadata') ?? 'null')).toMatchObject({ svc_click_id: clickId });
    expect(await (await browserLead).json()).toMatchObject({ success: true, provisional: true });
    return userId;
  });

  await test.step('the webhook settles the lead', async () => {
    await deliveriesSettle(request, email);
    const listLeads = async () => (await listEvents(request, customer)).filter(({ kind }) => kind === 'lead');
    await eventually(listLeads).toHaveLength(1);
    const leads = await listLeads();
    expect(leads).toEqual([
      expect.objectContaining({ click_id: clickId, partner_code: 'ada', customer_key: customer, test: false }),
    ]);
    expect(leads[0]?.provisional ?? false).toBe(false);
    await barLeadsTo('/api/v1/track/lead', 'Lead recorded');
  });

  await test.step('checkout pays for the monthly plan', async () => {
    await page.goto('/pricing');
    await page
      .getByRole('button', { name: /Studio monthly/i })
      .first()
      .click();
    await expect(page).toHaveTitle(/Emulator/);
    await payWith(page, '4242 4242 4242 4242');
    await page.waitForURL('**/checkout/success**');
    await barLeadsTo('/api/v1/webhooks/stripe', 'Sale recorded: $19.00 paid');
    await deliveriesSettle(request, email);
    await page.goto('/account');
    await expect(main(page).getByText('Active', { exact: true })).toBeVisible();
  });

  await test.step('the service records one sale from the payment’s metadata', async () => {
    expect(await salesOf(request, customer)).toEqual([
      expect.objectContaining({ amount_cents: 1900, currency: 'usd', click_id: clickId, partner_code: 'ada' }),
    ]);
  });

  await test.step('a month later the renewal is a second sale', async () => {
    await advanceTime(request, email, MONTH);
    await deliveriesSettle(request, email);
    const sales = await salesOf(request, customer);
    expect(sales.map(({ partner_code }) => partner_code)).toEqual(['ada', 'ada']);
    expect(new Set(sales.map(({ transaction_id }) => transaction_id)).size).toBe(2);
  });

  await test.step('the dashboard lists click, lead, sale and renewal', async () => {
    await page.goto(`/dashboard/events?customer=${customer}`);
    const events = page.getByRole('table');
    for (const kind of ['Click', 'Lead', 'Sale', 'Renewal']) {
      await expect(events.getByText(kind, { exact: true }).first()).toBeVisible();
    }
    // A month later in emulated time: the renewal is shown when it happened.
    const renewed = events.getByRole('row').filter({ hasText: 'Renewal' }).locator('time');
    const days = (Date.parse((await renewed.getAttribute('datetime')) ?? '') - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(27);
  });
});

test('a visitor who was not referred signs up and pays, and nothing is attributed', async ({ page, request }) => {
  await page.goto('/');
  expect(await readClickId(page)).toBeNull();
  await page.goto('/sign-up');
  const email = newEmail();
  const customer = await signUp(page, email);
  expect((await readUser(page, customer))?.unsafe_metadata).toEqual({ svc_click_id: null });

  await payByForm(request, await startCheckout(page, 'studio_monthly'));
  await deliveriesSettle(request, email);
  expect(await readTexts(page, '/account')).toMatch(/^Active$/m);
  const events = await listEvents(request, customer);
  expect(events.map(({ kind }) => kind)).toEqual(['not_attributed']);
});
