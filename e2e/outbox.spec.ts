import { createHmac, randomUUID } from 'node:crypto';
import type { APIRequestContext, Page } from '@playwright/test';
import { expect, test } from './fixtures';
import { eventually, listEvents, main, newClick, newEmail, readTexts, signUpByHttp, untilHydrated } from './support';

const WEBHOOK = '/api/webhooks/clerk';

/** Signs as Clerk does: HMAC-SHA256 over "id.timestamp.body". */
function signed(body: string, { id = `msg_${randomUUID()}`, seconds = Math.floor(Date.now() / 1000) } = {}) {
  const secret = process.env.CLERK_WEBHOOK_SIGNING_SECRET?.replace('whsec_', '') ?? '';
  const signature = createHmac('sha256', Buffer.from(secret, 'base64'))
    .update(`${id}.${seconds}.${body}`)
    .digest('base64');
  return {
    'content-type': 'application/json',
    'svix-id': id,
    'svix-timestamp': String(seconds),
    'svix-signature': `v1,${signature}`,
  };
}

const userCreated = (data: object) => JSON.stringify({ type: 'user.created', object: 'event', data });

const leadsOf = async (request: APIRequestContext, customer: string) =>
  (await listEvents(request, customer)).filter(({ kind }) => kind === 'lead');

test.describe('what breaks in real integrations', () => {
  test('a user who was not referred is no failing webhook', async ({ request }) => {
    const customer = `user_${randomUUID()}`;
    const body = userCreated({ id: customer, unsafe_metadata: { svc_click_id: null }, email_addresses: [] });
    expect((await request.post(WEBHOOK, { data: body, headers: signed(body) })).status()).toBe(200);
    expect(await listEvents(request, customer)).toEqual([]);
  });

  test('unsafe_metadata of any type and size is no error and no lead', async ({ request }) => {
    for (const value of [
      42,
      [],
      {},
      'x'.repeat(40_000),
      'clk_unknownunknownunknown',
      '<script>',
      `clk_${'\0'.repeat(22)}`,
    ]) {
      const customer = `user_${randomUUID()}`;
      const body = userCreated({ id: customer, unsafe_metadata: { svc_click_id: value }, email_addresses: [] });
      expect((await request.post(WEBHOOK, { data: body, headers: signed(body) })).status()).toBe(200);
      expect(await leadsOf(request, customer)).toEqual([]);
    }
  });

  test('a forged, altered, stale or unsigned webhook is 400', async ({ request }) => {
    const body = userCreated({ id: 'user_1', email_addresses: [] });
    const genuine = signed(body);
    const stale = signed(body, { seconds: Math.floor(Date.now() / 1000) - 400 });
    for (const [data, headers] of [
      [`${body} `, genuine],
      [body.replace('user_1', 'user_2'), genuine],
      [body, stale],
      [body, { ...genuine, 'svix-id': 'msg_other' }],
      [body, { ...genuine, 'svix-signature': 'v1,AAAA' }],
      [body, { 'content-type': 'application/json' }],
      ['', {}],
    ] as [string, Record<string, string>][]) {
      const response = await request.post(WEBHOOK, { data, headers });
      expect([response.status(), (await response.json()).code]).toEqual([400, 'bad_signature']);
    }
  });

  test('a body over 64 KiB is 413, signed or not', async ({ request }) => {
    const body = userCreated({ id: 'user_1', padding: 'x'.repeat(70_000) });
    const response = await request.post(WEBHOOK, { data: body, headers: signed(body) });
    expect([response.status(), (await response.json()).code]).toEqual([413, 'too_large']);
  });

  test('events that are not ours are acknowledged', async ({ request }) => {
    for (const type of ['session.created', 'organization.created']) {
      const body = JSON.stringify({ type, data: { id: 'x' } });
      expect((await request.post(WEBHOOK, { data: body, headers: signed(body) })).status()).toBe(200);
    }
  });

  test('a Stripe webhook without Stripe’s signature is 400', async ({ request }) => {
    const data = JSON.stringify({ id: 'evt_1', type: 'checkout.session.completed', data: { object: {} } });
    for (const headers of [{}, { 'stripe-signature': 't=1,v1=00' }] as Record<string, string>[]) {
      const response = await request.post('/api/webhooks/stripe', { data, headers });
      expect([response.status(), (await response.json()).code]).toEqual([400, 'bad_signature']);
    }
  });

  test('the cron routes refuse every caller without the secret', async ({ request }) => {
    for (const path of ['/api/cron/outbox', '/api/cron/reconcile']) {
      for (const authorization of ['', 'Bearer ', 'Bearer wrong', `Basic ${process.env.CRON_SECRET}`]) {
        expect((await request.get(path, { headers: { authorization } })).status()).toBe(401);
      }
      const headers = { authorization: `Bearer ${process.env.CRON_SECRET}` };
      expect((await request.get(path, { headers })).status()).toBe(200);
    }
  });
});

// part: demo
test.describe('path B: a bank transfer', () => {
  async function orderByTransfer(page: Page): Promise<string> {
    await page.goto('/pricing');
    await page.getByRole('button', { name: 'Pay by bank transfer for Studio yearly' }).click();
    await page.waitForURL('**/account');
    const titles = main(page).getByText(/^(Waiting for your bank transfer|No plan yet)$/);
    await expect(titles, 'what was just ordered comes first').toHaveText([
      'Waiting for your bank transfer',
      'No plan yet',
    ]);
    return (
      (await main(page)
        .getByText(/^LD-[0-9A-F]+$/)
        .textContent()) ?? ''
    );
  }

  test('an operator marks it as paid, it becomes one sale, and a repeat is shown as already recorded', async ({
    page,
    request,
  }) => {
    const customer = await signUpByHttp(page, newEmail(), await newClick(request, 'grace'));
    await eventually(() => leadsOf(request, customer)).toHaveLength(1);
    const invoiceId = await orderByTransfer(page);

    await page.goto('/operator');
    const row = page.getByRole('row').filter({ hasText: invoiceId });
    await row.getByRole('button', { name: /Mark as paid/ }).click();
    await expect(row.getByText('Sale recorded')).toBeVisible();
    await expect(main(page).getByText(`${invoiceId} is marked as paid.`)).toBeVisible();
    const again = row.getByRole('button', { name: /Report again/ });
    await expect(again, 'the button keeps the focus').toBeFocused();
    await again.click();
    await expect(row.getByText('Sale already recorded')).toBeVisible();

    const sales = (await listEvents(request, customer)).filter(({ kind }) => kind === 'sale');
    expect(sales).toEqual([
      expect.objectContaining({
        transaction_id: invoiceId,
        amount_cents: 19_000,
        currency: 'usd',
        partner_code: 'grace',
      }),
    ]);
    expect(await readTexts(page, '/account')).toMatch(/^Active$/m);
  });

  test('the transfer of a customer who was not referred is no sale and no error', async ({ page }) => {
    await signUpByHttp(page, newEmail());
    const invoiceId = await orderByTransfer(page);
    await page.goto('/operator');
    const row = page.getByRole('row').filter({ hasText: invoiceId });
    await row.getByRole('button', { name: /Mark as paid/ }).click();
    await expect(row).toContainText('No sale not referred by a partner');
  });
});

test.describe('a refused report', () => {
  test.use({ expectedProblems: [/ERR_INTERNET_DISCONNECTED/] });

  test('is a dead letter on the operator’s page, until a retry succeeds', async ({ page, request }) => {
    await signUpByHttp(page, newEmail());
    const [id, customer] = [`msg_${randomUUID()}`, `user_${randomUUID()}`];
    const forged = 'clk_ForgedForgedForgedForged';
    const body = userCreated({ id: customer, unsafe_metadata: { svc_click_id: forged }, email_addresses: [] });
    expect((await request.post(WEBHOOK, { data: body, headers: signed(body, { id }) })).status()).toBe(200);
    await page.goto('/operator');
    const row = page.getByRole('row').filter({ hasText: id });
    await expect(row.getByText('Dead letter')).toBeVisible();
    const retry = row.getByRole('button', { name: /Retry/ });
    const status = page.getByRole('status').filter({ hasText: /was sent again|did not respond/ });
    const attempts = (count: string) => expect(row.getByRole('cell', { name: count, exact: true })).toBeVisible();

    await untilHydrated(page);
    // This request alone, because Clerk's script fails if a part of it cannot be loaded.
    await page.route('/operator', (route) => route.abort('internetdisconnected'));
    await retry.click();
    await expect(status).toContainText('The server did not respond.');
    await page.unroute('/operator');
    await expect(retry, 'a pending one ignores keys').toHaveAttribute('aria-disabled', 'false');
    await retry.press('Enter');
    await attempts('2');
    await expect(status).toHaveText(`The lead ${id} was sent again.`);
    const announced = await status.locator('span').elementHandle();
    await retry.press('Enter');
    await attempts('3');
    await expect.poll(() => announced?.evaluate((text) => text.isConnected), 'it is announced again').toBe(false);
    await expect(retry, 'the button keeps the focus').toBeFocused();

    const data = { customer_key: customer, click_id: await newClick(request) }; // a known customer needs no click
    const headers = { authorization: `Bearer ${process.env.SVC_API_KEY}` };
    expect((await request.post('/api/v1/track/lead', { data, headers })).status()).toBe(200);
    await retry.press('Enter');
    await expect(row).toBeHidden();
    await expect(status, 'the focus is not lost').toBeFocused();
  });
});
// end: demo

test('a deleted user’s email address is erased at the tracking service too', async ({ request }) => {
  const [customer, clickId] = [`user_${randomUUID()}`, await newClick(request)];
  const address = newEmail();
  const created = userCreated({
    id: customer,
    unsafe_metadata: { svc_click_id: clickId },
    email_addresses: [{ email_address: address }],
  });
  await request.post(WEBHOOK, { data: created, headers: signed(created) });
  const isShown = async () =>
    (await (await request.get(`/dashboard/events?customer=${customer}`)).text()).includes(address);
  await eventually(isShown).toBe(true);
  const deleted = JSON.stringify({ type: 'user.deleted', data: { id: customer, deleted: true } });
  expect((await request.post(WEBHOOK, { data: deleted, headers: signed(deleted) })).status()).toBe(200);
  await eventually(isShown).toBe(false);
  const headers = { authorization: `Bearer ${process.env.SVC_API_KEY}` };
  const erasure = await request.delete(`/api/v1/customers/${customer}/email`, { headers });
  expect(await erasure.json(), 'nothing is left to erase').toEqual({ success: true, erased: 0 });
  expect(await leadsOf(request, customer)).toHaveLength(1);
});
