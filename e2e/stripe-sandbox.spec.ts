// The hosted pages by themselves: sessions are opened through the API, as a shop's server does it.
import AxeBuilder from '@axe-core/playwright';
import type { APIRequestContext, Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { advanceTime, newEmail, payWith } from './support';

type Form = Record<string, string>;
type Session = { id: string; url: string; status: string; payment_status: string; subscription: string | null };

async function call<Answer>(request: APIRequestContext, path: string, form?: Form): Promise<Answer> {
  const headers = { authorization: `Bearer ${process.env.STRIPE_SECRET_KEY}` };
  const response = await (form ? request.post(path, { headers, form }) : request.get(path, { headers }));
  expect(response.ok(), await response.text()).toBe(true);
  return (await response.json()) as Answer;
}

const newSession = (request: APIRequestContext, baseURL: string, form: Form) =>
  call<Session>(request, '/v1/checkout/sessions', {
    'line_items[0][quantity]': '1',
    success_url: `${baseURL}/pricing?paid={CHECKOUT_SESSION_ID}`,
    cancel_url: `${baseURL}/pricing?cancelled=1`,
    ...form,
  });

async function monthlyPrice(request: APIRequestContext): Promise<Form> {
  const { data } = await call<{ data: { id: string }[] }>(request, '/v1/prices?lookup_keys[]=studio_monthly');
  return { mode: 'subscription', 'line_items[0][price]': data[0]?.id ?? '' };
}

async function expectNoViolation(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => ({ id, targets: nodes.map(({ target }) => target) }))).toEqual([]);
}

const oneOff = {
  mode: 'payment',
  'line_items[0][price_data][currency]': 'usd',
  'line_items[0][price_data][unit_amount]': '39900',
  'line_items[0][price_data][product_data][name]': 'Studio for life',
};

test('a declined card says so, keeps what was typed, and the next card pays', async ({ page, request, baseURL }) => {
  const session = await newSession(request, baseURL ?? '', oneOff);
  await page.goto(session.url);
  await expect(page).toHaveTitle(/Sandbox/);
  await expect(page.getByRole('button', { name: 'Pay $399.00' })).toBeVisible();
  await page.getByLabel('E-mail').fill(newEmail());
  await payWith(page, '4000 0000 0000 0002');
  await expect(page.getByRole('alert').filter({ hasText: 'Your card was declined.' })).toBeVisible();
  await expect(page.getByLabel('Name on card')).toHaveValue('Wanda Walker');
  await expectNoViolation(page);
  await payWith(page, '4242 4242 4242 4242');
  await page.waitForURL(`**/pricing?paid=${session.id}`);
  const paid = await call<Session>(request, `/v1/checkout/sessions/${session.id}`);
  expect(paid).toMatchObject({ status: 'complete', payment_status: 'paid' });
  await page.goto(session.url);
  await expect(page.getByRole('heading', { name: 'This checkout has been paid' })).toBeVisible();
});

test('with the keyboard alone a subscription is paid', async ({ page, request, baseURL }) => {
  const price = await monthlyPrice(request);
  const session = await newSession(request, baseURL ?? '', { ...price, customer_email: newEmail() });
  await page.goto(session.url);
  await page.getByLabel('Card number').focus();
  for (const text of ['4242424242424242', '1234', '123', 'Wanda Walker']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await expect(page.getByRole('button', { name: 'Subscribe' })).toBeFocused();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/pricing?paid=**');
});

test('the cancel link leads back to the shop, and the session stays open', async ({ page, request, baseURL }) => {
  const session = await newSession(request, baseURL ?? '', { ...oneOff, customer_email: newEmail() });
  await page.goto(session.url);
  await page.getByRole('link', { name: 'Cancel and go back' }).click();
  await page.waitForURL('**/pricing?cancelled=1');
  expect(await call<Session>(request, `/v1/checkout/sessions/${session.id}`)).toMatchObject({ status: 'open' });
});

test('a promotion code of 100 % leaves nothing to pay and asks for no card', async ({ page, request, baseURL }) => {
  const coupon = await call<{ id: string }>(request, '/v1/coupons', { percent_off: '100', duration: 'once' });
  const { code } = await call<{ code: string }>(request, '/v1/promotion_codes', {
    'promotion[type]': 'coupon',
    'promotion[coupon]': coupon.id,
  });
  const session = await newSession(request, baseURL ?? '', {
    ...oneOff,
    customer_email: newEmail(),
    allow_promotion_codes: 'true',
  });
  await page.goto(session.url);
  await page.getByLabel('Promotion code').fill('NOT-A-CODE');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('This code is invalid.')).toBeVisible();
  await page.getByLabel('Promotion code').fill(code.toLowerCase());
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByLabel('Card number')).toHaveCount(0);
  await page.getByRole('button', { name: 'Pay $0.00' }).click();
  await page.waitForURL('**/pricing?paid=**');
});

test('the portal: past due after a failed renewal, paid by a new card, changed and cancelled', async ({
  page,
  request,
  baseURL,
}) => {
  const email = newEmail();
  const customer = await call<{ id: string }>(request, '/v1/customers', { email });
  const price = await monthlyPrice(request);
  const session = await newSession(request, baseURL ?? '', { ...price, customer: customer.id });
  await page.goto(session.url);
  await payWith(page, '4000 0000 0000 0341');
  await page.waitForURL('**/pricing?paid=**');
  await advanceTime(request, email, 31);

  const portal = await call<{ url: string }>(request, '/v1/billing_portal/sessions', {
    customer: customer.id,
    return_url: `${baseURL}/pricing`,
  });
  await page.goto(portal.url);
  await expect(page.getByText('The last payment failed')).toBeVisible();
  await expectNoViolation(page);
  await page.getByText('Use another card').click();
  await page.getByLabel('Card number').fill('4242 4242 4242 4242');
  await page.getByLabel('Expiry').fill('12 / 34');
  await page.getByLabel('CVC').fill('123');
  await page.getByLabel('Name on card').fill('Wanda Walker');
  await page.getByRole('button', { name: 'Save card' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'card that ends in 4242' })).toBeVisible();
  await expect(page.getByText(/Renews on/)).toBeVisible();

  await page.getByLabel('Change to').selectOption({ index: 0 });
  await page.getByRole('button', { name: 'Change plan' }).click();
  await expect(page.getByText('Your plan has changed.')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel at the end of the period' }).click();
  await expect(page.getByText(/Ends on/)).toBeVisible();
  await page.getByRole('link', { name: 'Return to Larkdesk' }).click();
  await page.waitForURL('**/pricing');
});

test('a session that nobody knows is a page that is not found', async ({ page }) => {
  await page.goto('/sandbox/stripe/checkout/cs_test_none');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/not/i);
});
