import { randomUUID } from 'node:crypto';
import { expect, test } from './fixtures';
import { hold, main, redirectOf, untilHydrated } from './support';

const PAGES = ['', '/events', '/customers', '/customers/led_x', '/partners', '/settings', '/no-such-page'];
// How a deployed dashboard is reached: not under a local name.
const elsewhere = { 'x-forwarded-host': 'partners.example.com' };

test('without a session every page of the dashboard leads to the sign-in, and says nothing on the way', async ({
  page,
  context,
  request,
}) => {
  const read = async (path: string, headers = {}) => (await request.get(`/dashboard${path}`, { headers })).text();
  for (const path of PAGES) {
    expect(await read(path), path).toContain('Larkdesk partners');
    const refused = await read(path, elsewhere);
    expect(refused, path).not.toContain('Larkdesk partners');
    const next = `/dashboard${path.replace('/no-such-page', '')}`;
    const signIn = `/dashboard/sign-in?next=${encodeURIComponent(next)}`;
    expect(redirectOf(refused), path).toBe(signIn);
  }
  await context.setExtraHTTPHeaders(elsewhere);
  await page.goto('/dashboard/events');
  await expect(page).toHaveTitle('Sign in · svc dashboard');
  await expect(main(page).getByLabel('API key')).toBeVisible();
  const response = await request.get('/dashboard/events/export', { headers: elsewhere });
  expect(response.status()).toBe(401);
});

test('the page that was asked for opens with a program API key, and with no other', async ({
  page,
  context,
  request,
}) => {
  const asked = await request.get('/dashboard/events?kind=refund&partner=ada', { headers: elsewhere });
  const next = 'next=%2Fdashboard%2Fevents%3Fkind%3Drefund%26partner%3Dada';
  expect(asked.url() + (await asked.text())).toContain(`/dashboard/sign-in?${next}`);
  const [form] = /<form.*?<\/form>/s.exec(await (await request.get(`/dashboard/sign-in?${next}`)).text()) ?? [];
  expect(form, 'what arrives before the asked-for page is known cannot be sent').toMatch(/<button[^>]* disabled=""/);

  await page.goto(`/dashboard/sign-in?${next}`);
  const key = main(page).getByLabel('API key');
  const problem = main(page).getByRole('alert');
  await key.fill('svc_sk_wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(problem).toContainText('This key does not open the dashboard.');

  const announced = await problem.elementHandle();
  await key.fill('svc_sk_wrong_too');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await announced?.waitForElementState('hidden'); // screen readers announce the same message again only if it is a new one
  await expect(problem).toContainText('This key does not open the dashboard.');

  await key.fill(process.env.SVC_OPEN_API_KEY ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(/\/dashboard\/events\?kind=refund&partner=ada$/);
  await expect(page.getByRole('heading', { level: 1, name: 'Events' })).toBeVisible();
  await expect(page.getByRole('banner').getByText('prg_open', { exact: true })).toBeVisible();

  const session = (await context.cookies('http://localhost/dashboard')).find(({ name }) => name === 'svc_dashboard');
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/dashboard' });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveTitle('Sign in · svc dashboard');
  await expect(key).toHaveValue('');
  await expect(problem, 'of the attempt that failed').toHaveCount(0);
  const response = await context.request.get('/dashboard/events/export', {
    headers: { ...elsewhere, cookie: `svc_dashboard=${session?.value}` },
  });
  expect(response.status(), 'the old cookie').toBe(401);
});

test.describe('a session that ends', () => {
  test.use({ expectedProblems: [/ 401 .*\/dashboard\/version$/] });

  test('leads an open page to the sign-in', async ({ page, context }) => {
    await page.goto('/dashboard/sign-in');
    await main(page)
      .getByLabel('API key')
      .fill(process.env.SVC_OPEN_API_KEY ?? '');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
    await context.setExtraHTTPHeaders(elsewhere);
    await page.clock.install();
    await page.goto('/dashboard/events');
    await expect(page.getByRole('button', { name: 'Live (pause updates)' })).toBeVisible();
    await expect(async () => {
      const asked = page.waitForRequest('**/dashboard/version', { timeout: 500 });
      await Promise.all([asked, page.clock.runFor(3_000)]); // works once the page has started
    }).toPass();
    await context.clearCookies();
    await page.clock.runFor(3_000);
    await expect(page).toHaveURL(/\/dashboard\/sign-in\?next=%2Fdashboard%2Fevents$/);
  });
});

test('a program sees nothing of another', async ({ page, request }) => {
  const headers = { authorization: `Bearer ${process.env.SVC_API_KEY}` };
  const additional_data = { test_mode: true, program_id: 'prg_demo' };
  const customer_key = `user_${randomUUID()}`;
  const lead = await request.post('/api/v1/track/lead', { data: { customer_key, additional_data }, headers });
  const { lead_id } = await lead.json();
  await page.goto(`/dashboard/customers/${lead_id}`);
  await expect(main(page).getByText(customer_key).first()).toBeVisible();

  await page.getByRole('button', { name: 'Switch to prg_open' }).click();
  await expect(page.getByRole('banner').getByText('prg_open', { exact: true })).toBeVisible();
  await page.goto(`/dashboard/customers/${lead_id}`);
  await expect(page.getByRole('heading', { name: 'Customer not found' })).toBeVisible();
  await page.goto(`/dashboard/events?customer=${customer_key}`);
  await expect(main(page).getByText('No matching events')).toBeVisible();
});

test('a session of a dashboard-only key hands out no key for the API', async ({ page }) => {
  await page.goto('/dashboard/settings');
  const card = page.getByRole('region', { name: 'API keys', exact: true });
  await card.getByLabel('Access').selectOption('Dashboard only');
  await card.getByRole('button', { name: 'Create key' }).click();
  const key = (await card.getByText(/^svc_sk_[\w-]{20}/).innerText()).trim();

  await page.goto('/dashboard/sign-in?next=%2Fdashboard%2Fsettings');
  await main(page).getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const access = card.getByLabel('Access');
  await expect(access.getByRole('option')).toHaveText(['Dashboard only']);
  const full = card.getByRole('row').filter({ hasText: 'API and dashboard' }).filter({ hasText: 'Active' }).first();
  await expect(full.getByRole('button', { name: 'Revoke' })).toBeVisible();
  await expect(full.getByRole('button', { name: 'Rotate' })).toBeHidden();

  await access.getByRole('option').evaluate((option: HTMLOptionElement) => option.setAttribute('value', 'full'));
  await card.getByRole('button', { name: 'Create key' }).click();
  await expect(card.getByText('You signed in with a dashboard-only key.')).toBeVisible();
  await expect(card.getByText(/^svc_sk_[\w-]{20}/)).toBeHidden();
});

test('an API key is shown once, also when the page is left and reopened, works, is rotated with an overlap, and revoked', async ({
  page,
  request,
}) => {
  page.on('dialog', (dialog) => dialog.accept());
  const label = `Key ${randomUUID()}`;
  const statusWith = async (key: string) =>
    (await request.get('/api/v1/events', { headers: { authorization: `Bearer ${key}` } })).status();
  const nav = page.getByRole('navigation', { name: 'Dashboard' });
  const leave = async () => {
    await nav.getByRole('link', { name: 'Partners' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Partners' })).toBeVisible();
  };
  const card = page.getByRole('region', { name: 'API keys', exact: true });
  const row = card.getByRole('row').filter({ hasText: label }); // it is there once all of the page is
  const shownKey = card.getByText(/^svc_sk_[\w-]{20}/);

  await page.goto('/dashboard/settings');
  await card.getByLabel('Name').fill(label);
  await card.getByRole('button', { name: 'Create key' }).click();
  const created = (await shownKey.innerText()).trim();
  expect(await statusWith(created)).toBe(200);
  await leave();
  await nav.getByRole('link', { name: 'Settings' }).click();
  await expect(row).toBeVisible();
  await expect(shownKey).toHaveCount(0);

  await row.getByRole('button', { name: 'Rotate' }).click();
  const rotated = (await shownKey.innerText()).trim();
  expect(await statusWith(created), 'the old key beside the new').toBe(200);
  expect(await statusWith(rotated)).toBe(200);
  await leave();
  await page.goBack();
  await expect(row).toHaveCount(2);
  await expect(shownKey).toHaveCount(0);
  await expect(card.locator('[tabindex="-1"]:focus'), 'no result takes the focus again').toHaveCount(0);

  await page.reload();
  const replaced = row.filter({ hasText: 'Being replaced' });
  await expect(replaced).toBeVisible();
  await expect(page.getByText(created)).toHaveCount(0);
  await expect(page.getByText(rotated)).toHaveCount(0);
  await replaced.getByRole('button', { name: 'Revoke' }).click();
  await expect(row.getByText('Revoked', { exact: true })).toBeVisible();
  await expect(
    card.getByRole('status').filter({ hasText: 'Revoked. API calls with this key now return 401' }),
  ).toBeVisible();
  expect(await statusWith(created)).toBe(401);
  expect(await statusWith(rotated)).toBe(200);
});

test('what is pressed before the page has hydrated creates one key, and revokes none without a question', async ({
  page,
}) => {
  const [kept, created] = [`Key ${randomUUID()}`, `Key ${randomUUID()}`];
  const card = page.getByRole('region', { name: 'API keys', exact: true });
  const rowOf = (label: string) => card.getByRole('row').filter({ hasText: label });
  const create = card.getByRole('button', { name: 'Create key' });
  await page.goto('/dashboard/settings');
  await card.getByLabel('Name').fill(kept);
  await create.click();
  await expect(rowOf(kept)).toBeVisible();

  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(dialog.message());
    void dialog.dismiss();
  });
  const letGo = await hold(page, /_next.static.chunks.*\.js/);
  await page.reload({ waitUntil: 'commit' });
  await rowOf(kept).getByRole('button', { name: 'Revoke' }).click();
  await card.getByLabel('Name').fill(created);
  await create.click();
  await create.click();
  letGo();
  await expect(card.getByText(/^svc_sk_[\w-]{20}/)).toBeVisible();
  await page.reload();
  await expect(rowOf(created)).toHaveCount(1);
  await expect(rowOf(kept).getByText('Active', { exact: true })).toBeVisible();
  expect(questions).toEqual([expect.stringContaining('Revoke the key ending in')]);
});

test('of two keys that are rotated at once, the second one waits until the first new key is shown', async ({
  page,
}) => {
  const card = page.getByRole('region', { name: 'API keys', exact: true });
  const shownKey = card.getByText(/^svc_sk_[\w-]{20}/);
  await page.goto('/dashboard/settings');
  const [first, second] = ['a', 'b'].map((label) => `Key ${label} ${randomUUID()}`) as [string, string];
  for (const label of [first, second]) {
    await card.getByLabel('Name').fill(label);
    await card.getByRole('button', { name: 'Create key' }).click();
    await expect(card.getByRole('row').filter({ hasText: label })).toBeVisible();
  }
  await page.reload();
  await expect(shownKey).toHaveCount(0);
  const letGo = await hold(page, '/dashboard/settings');
  const rotate = (label: string) =>
    card.getByRole('row').filter({ hasText: label }).getByRole('button', { name: 'Rotate' });
  const rotations: string[] = [];
  page.on('request', (sent) => void (sent.method() === 'POST' && rotations.push(sent.url())));
  await rotate(first).click();
  await expect.poll(() => rotations).toHaveLength(1);
  await expect(rotate(second)).toHaveAttribute('aria-disabled', 'true');
  await rotate(second).click({ force: true });
  letGo();
  await expect(shownKey).toBeVisible();
  await expect(rotate(second)).toHaveAttribute('aria-disabled', 'false');
  expect(rotations).toHaveLength(1);
  await page.reload();
  await expect(card.getByRole('row').filter({ hasText: second })).toHaveCount(1);
});

test('what was entered for one program is not kept once another tab has chosen another program', async ({
  page,
  context,
}) => {
  const nav = page.getByRole('navigation', { name: 'Dashboard' });
  const name = page.getByRole('region', { name: 'API keys', exact: true }).getByLabel('Name');
  await page.goto('/dashboard/settings');
  await untilHydrated(page);
  await name.fill('For prg_demo');
  const other = await context.newPage();
  await other.goto('/dashboard');
  await other.getByRole('button', { name: 'Switch to prg_open' }).click();
  await expect(other.getByRole('banner').getByText('prg_open', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Create key' }).click();
  await expect(main(page).getByRole('alert'), 'nor stored there').toContainText('Reload the page');

  const header = page.getByRole('banner').getByText(/^prg_/).first();
  await expect(header).toHaveText('prg_demo');
  await nav.getByRole('link', { name: 'Events' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Events' })).toBeVisible();
  await expect(header, 'it names the program of the page').toHaveText('prg_open');
  await nav.getByRole('link', { name: 'Settings' }).click();
  await expect(main(page).getByText('prg_open', { exact: true })).toBeVisible();
  await expect(name).toHaveValue('');
});
