// The control room, each group of buttons by one walk. Everything is done for one customer, so that walks run side by side.
import type { APIRequestContext, Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { listEvents, main, newEmail, readClickId, signUp } from './support';

const roomOf = (email: string) => `/sandbox?customer=${encodeURIComponent(email)}`;

/** A customer who has subscribed, made over HTTP: checkout opened through Stripe's API, and paid as the hosted page does. */
async function subscribe(request: APIRequestContext, baseURL: string): Promise<string> {
  const email = newEmail();
  const headers = { authorization: `Bearer ${process.env.STRIPE_SECRET_KEY}` };
  const prices = await request.get('/v1/prices?lookup_keys[]=studio_monthly', { headers });
  const form = {
    mode: 'subscription',
    customer_email: email,
    success_url: `${baseURL}/pricing`,
    'line_items[0][price]': (await prices.json()).data[0].id,
    'line_items[0][quantity]': '1',
  };
  const { id } = await (await request.post('/v1/checkout/sessions', { headers, form })).json();
  const card = { email, number: '4242424242424242', expiry: '12 / 34', cvc: '123', name: 'Wanda Walker' };
  expect((await request.post(`/sandbox/stripe/checkout/${id}/pay`, { form: card })).ok()).toBe(true);
  return email;
}

const failure = (page: Page, title: string) => page.getByRole('listitem', { name: title });

test('time passes, a delivery is sent again and a payment is given back, for one customer', async ({
  page,
  request,
  baseURL,
}) => {
  const email = await subscribe(request, baseURL ?? '');
  await page.goto('/sandbox');
  await main(page).getByLabel('Whose world').last().fill(email);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.waitForURL(/customer=/);
  const payments = page.getByRole('region', { name: 'Charges, newest first' });
  await expect(payments.getByRole('row')).toHaveCount(2);

  await page.getByRole('button', { name: 'To the next renewal' }).click();
  await expect(
    page.getByRole('status').filter({ hasText: /^It is now .* 1 thing happened on the way\.$/ }),
  ).toBeVisible();
  await expect(payments.getByRole('row')).toHaveCount(3);

  await payments
    .getByRole('button', { name: /^Refund/ })
    .first()
    .click();
  await expect(payments.getByRole('button', { name: /^Refund/ })).toHaveCount(1);

  const refunded = page
    .getByRole('region', { name: 'Deliveries, newest first' })
    .getByRole('row')
    .filter({ hasText: 'charge.refunded' })
    .first();
  await expect(refunded.getByText('delivered')).toBeVisible();
  await refunded.getByText('Request and answers').click();
  await expect(refunded.getByRole('region', { name: 'Request headers' })).toContainText('stripe-signature');
  await expect(refunded.getByRole('region', { name: 'Payload' })).toContainText('"type": "charge.refunded"');
  await refunded.getByRole('button', { name: /^Send again/ }).click();
  await expect(refunded.getByText(/^2 attempts/)).toBeVisible();
});

test('every failure is switched on and off for one customer, says what to watch, and leads to its test', async ({
  page,
  request,
}) => {
  const email = newEmail();
  await page.goto(roomOf(email));
  for (const title of [
    'Deliveries out of order',
    'Deliveries doubled',
    'Deliveries late',
    'Subscription metadata left out',
  ]) {
    const item = failure(page, title);
    await item.getByRole('button', { name: `Switch on ${title}` }).click();
    await expect(item.getByText('On', { exact: true })).toBeVisible();
    await item.getByRole('button', { name: `Switch off ${title}` }).click();
    await expect(item.getByText('On', { exact: true })).toBeHidden();
  }
  const links = page.getByRole('region', { name: 'Failures' }).getByRole('link', { name: 'The test' });
  await expect(links).toHaveCount(10);
  for (const link of await links.all()) {
    const answer = await request.get((await link.getAttribute('href')) ?? '');
    expect(await answer.text()).toContain('source');
  }
  await failure(page, 'Deliveries late').getByRole('link', { name: 'The test' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'browser first, webhook later: provisional, then settled',
  );
  await expect(page.getByRole('region', { name: 'The test’s source' })).toContainText('delay_seconds');
});

test.describe('an outage', () => {
  test.use({ expectedProblems: [/status of 503/] });

  test('the service is down: nobody who signs up is turned away, and the lead is settled once it is back', async ({
    page,
    request,
  }) => {
    const email = newEmail();
    const title = 'Tracking service down';
    await page.goto(roomOf(email));
    await failure(page, title)
      .getByRole('button', { name: `Switch on ${title}` })
      .click();
    await expect(failure(page, title).getByText('On', { exact: true })).toBeVisible();

    await page.goto('/sign-up?aff=ada');
    await expect.poll(() => readClickId(page)).toMatch(/^clk_/);
    const customer = await signUp(page, email);
    await page.goto('/operator');
    const report = page.getByRole('row').filter({ hasText: customer });
    await expect(report.getByText('Waiting', { exact: true })).toBeVisible();
    expect(await listEvents(request, customer)).toEqual([]);

    await page.goto(roomOf(email));
    await failure(page, title)
      .getByRole('button', { name: `Switch off ${title}` })
      .click();
    await expect(failure(page, title).getByText('On', { exact: true })).toBeHidden();
    await expect
      .poll(async () => (await listEvents(request, customer)).map(({ kind }) => kind), { timeout: 40_000 })
      .toEqual(['lead']);
  });

  test('there is no switch for anybody else’s page', async ({ request }) => {
    const headers = { origin: 'https://elsewhere.example' };
    const answer = await request.post('/dashboard/outage', { data: { is_out: true }, headers });
    expect(answer.status()).toBe(404);
  });
});

test.describe('a blocker', () => {
  test.use({ expectedProblems: [/ERR_FAILED/] });

  test('the tracker is blocked: the shop works on, and nothing is attributed', async ({ page, request }) => {
    const blocker = failure(page, 'Tracker blocked');
    await page.goto('/sandbox');
    await blocker.getByRole('button', { name: 'Switch on Tracker blocked' }).click();
    await expect(blocker.getByText('On in this browser')).toBeVisible();

    const failed = page.waitForEvent('requestfailed', (sent) => sent.url().endsWith('/api/v1/track/click'));
    await page.goto('/sign-up?aff=ada');
    await failed;
    const customer = await signUp(page, newEmail());
    expect(await readClickId(page)).toBeNull();
    expect(await listEvents(request, customer)).toEqual([]);

    await page.goto('/sandbox');
    await blocker.getByRole('button', { name: 'Switch off Tracker blocked' }).click();
    await expect(blocker.getByText('On in this browser')).toBeHidden();
    await page.goto('/?aff=ada');
    await expect.poll(() => readClickId(page)).toMatch(/^clk_/);
  });
});
