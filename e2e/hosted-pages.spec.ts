// Hosted Checkout: sessions are opened through the API, as a shop's server does.
import { expectNoViolation } from './axe';
import { expect, test } from './fixtures';
import { callStripe, newSession, oneOff, type Session, subscriptionTo } from './payment-support';
import { emulators, main, newEmail, payWith } from './support';

test('a declined card says so, keeps what was typed, and the next card pays', async ({ page, request, baseURL }) => {
  const session = await newSession(request, baseURL ?? '', oneOff(39_900));
  await page.goto(session.url);
  await expect(page).toHaveTitle(/Emulator/);
  await expect(page.getByRole('button', { name: 'Pay $399.00' })).toBeVisible();
  await main(page).getByLabel('Email').fill(newEmail());
  await payWith(page, '4000 0000 0000 0002');
  await expect(page.getByRole('alert').filter({ hasText: 'Your card was declined.' })).toBeVisible();
  await expect(main(page).getByLabel('Name on card')).toHaveValue('Wanda Walker');
  await expectNoViolation(page);
  await payWith(page, '4242 4242 4242 4242');
  await page.waitForURL(`**/pricing?paid=${session.id}`);
  const paid = await callStripe<Session>(request, `/v1/checkout/sessions/${session.id}`);
  expect(paid).toMatchObject({ status: 'complete', payment_status: 'paid' });
  await page.goto(session.url);
  await expect(page.getByRole('heading', { name: 'This checkout has been paid' })).toBeVisible();
});

test('with the keyboard alone a subscription is paid', async ({ page, request, baseURL }) => {
  const price = await subscriptionTo(request, 'studio_monthly');
  const session = await newSession(request, baseURL ?? '', { ...price, customer_email: newEmail() });
  await page.goto(session.url);
  const cardNumber = main(page).getByLabel('Card number');
  await expect(cardNumber).toBeVisible();
  await cardNumber.focus();
  for (const text of ['4242424242424242', '1234', '123', 'Wanda Walker']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await expect(page.getByRole('button', { name: 'Subscribe' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/pricing?paid=**');
});

test('the cancel link leads back to the shop, and the session stays open', async ({ page, request, baseURL }) => {
  const session = await newSession(request, baseURL ?? '', { ...oneOff(39_900), customer_email: newEmail() });
  await page.goto(session.url);
  await page.getByRole('link', { name: 'Cancel and go back' }).click();
  await page.waitForURL('**/pricing?cancelled=1');
  expect(await callStripe<Session>(request, `/v1/checkout/sessions/${session.id}`)).toMatchObject({ status: 'open' });
});

test('a promotion code of 100 % leaves nothing to pay and asks for no card', async ({ page, request, baseURL }) => {
  const coupon = await callStripe<{ id: string }>(request, '/v1/coupons', { percent_off: '100', duration: 'once' });
  const { code } = await callStripe<{ code: string }>(request, '/v1/promotion_codes', {
    'promotion[type]': 'coupon',
    'promotion[coupon]': coupon.id,
  });
  const session = await newSession(request, baseURL ?? '', {
    ...oneOff(39_900),
    customer_email: newEmail(),
    allow_promotion_codes: 'true',
  });
  await page.goto(session.url);
  await main(page).getByLabel('Promotion code').fill('NOT-A-CODE');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(main(page).getByText('This code is invalid.')).toBeVisible();
  await main(page).getByLabel('Promotion code').fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(main(page).getByLabel('Card number')).toHaveCount(0);
  await page.getByRole('button', { name: 'Pay $0.00' }).click();
  await page.waitForURL('**/pricing?paid=**');
});

test.describe('a session that does not exist', () => {
  test.use({ expectedProblems: [/404/] });

  test('is a page that is not found', async ({ page }) => {
    await page.goto(emulators('/stripe/checkout/cs_test_none'));
    await expect(page.getByRole('heading', { level: 1 })).toContainText(/not found/i);
  });
});
