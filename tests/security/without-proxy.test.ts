import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DASHBOARD_PAGES, renderErrors, type SuiteApp, startSuiteApp } from './suite-app';

// proxy.ts decides nothing: it tells Clerk's auth() who is signed in. A copy of the build in which it never runs must not open
// anything, since each page and each handler asks for itself.

const ROOT = process.cwd();
let directory: string;
let app: SuiteApp;

beforeAll(async () => {
  mkdirSync('test-results', { recursive: true });
  directory = mkdtempSync(path.join(ROOT, 'test-results/without-proxy-'));
  for (const name of readdirSync(ROOT).filter(
    (entry) => !['.next', '.git', 'test-results', 'proxy.ts'].includes(entry),
  )) {
    symlinkSync(path.join(ROOT, name), path.join(directory, name));
  }
  cpSync('.next', path.join(directory, '.next'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !/\.next\/(cache|dev)(\/|$)/.test(source),
  });
  removeProxy(path.join(directory, '.next/server'));
  app = await startSuiteApp({ directory });
});
afterAll(async () => {
  await app?.end();
  if (directory) rmSync(directory, { recursive: true, force: true });
});

/** What a build without proxy.ts would say: there is no middleware. */
function removeProxy(server: string): void {
  const functions = path.join(server, 'functions-config-manifest.json');
  const manifest = JSON.parse(readFileSync(functions, 'utf8'));
  const { '/_middleware': proxy, ...others } = manifest.functions;
  if (!proxy) throw new Error('Next keeps proxy.ts elsewhere than in its functions manifest.');
  writeFileSync(functions, JSON.stringify({ ...manifest, functions: others }));
}

const ask = async (route: string, init: RequestInit = {}) => {
  const response = await fetch(app.url + route, { redirect: 'manual', ...init });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
};

// Whether `renderErrors`, which other tests expect to find nothing, finds something: `auth()` fails here.
test('a page that fails while it is rendered is seen as such', async () => {
  expect(renderErrors((await ask('/account')).text)).not.toEqual([]);
});

test.each([
  ['/account', /Manage billing|No plan/],
  ['/welcome', /Choose a plan/],
  ['/checkout?plan=studio_monthly', /Continue to payment|You chose/],
  ['/checkout/success', /payment is being confirmed|Renews on|Lifetime access/],
  ['/operator', /Bank transfers|Dead letters|Oldest pending/], // part: demo
])('%s shows nothing of what it shows a signed-in user', async (route, content) => {
  for (const headers of [{}, { rsc: '1' }, { cookie: '__session=a.b.c' }, { authorization: 'Bearer a.b.c' }] as Record<
    string,
    string
  >[]) {
    expect((await ask(route, { headers })).text).not.toMatch(content);
  }
});

test.each([
  '/api/checkout',
  '/api/billing',
  '/api/bank-transfer', // part: demo
])('%s does nothing for a visitor who cannot be known', async (route) => {
  const { status, location } = await ask(route, {
    method: 'POST',
    body: 'plan=studio_monthly',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
  });
  expect([status, location]).toEqual([500, null]); // Clerk's auth() says that it needs the proxy
  expect(await app.query('SELECT count(*)::int AS n FROM shop_transfers')).toEqual([{ n: 0 }]); // part: demo
  expect(await app.query('SELECT count(*)::int AS n FROM shop_customers')).toEqual([{ n: 0 }]);
});

test('the dashboard, the API and the scheduler’s routes are as closed as with it', async () => {
  const elsewhere = { 'x-forwarded-host': 'partners.example.com' };
  for (const [path, content] of DASHBOARD_PAGES) {
    const { text } = await ask(path, { headers: elsewhere });
    expect(text, path).not.toMatch(content);
    expect(text, path).toContain('/dashboard/sign-in');
  }
  expect((await ask('/dashboard/events/export', { headers: elsewhere })).status).toBe(401);
  expect((await ask('/api/v1/events')).status).toBe(401);
  expect((await ask('/api/cron/outbox')).status).toBe(401);
});

test('what needs no session works without it', async () => {
  expect((await ask('/pricing')).status).toBe(200);
  const click = await ask('/api/v1/track/click', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ program_id: 'prg_demo', affiliate_url: 'https://shop.example/?aff=ada' }),
  });
  expect(click.status).toBe(200);
});
