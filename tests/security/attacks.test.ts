import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { writeCursor } from '../../lib/service/events/cursor';
import { browserLead, call, clerkWebhook, newCustomer, sale, serverLead } from '../support/calls';
import { DASHBOARD_PAGES, renderErrors, type SuiteApp, secretsOf, startSuiteApp } from './suite-app';

// The attacks that an integration of this kind meets, one test each, on a process of the production build. Webhooks, bodies,
// secrets in what is served, and the app without proxy.ts have files of their own beside this one.

let app: SuiteApp;
const requestId = `attack-${randomUUID()}`;
const address = `mallory.${randomUUID().slice(0, 8)}@mail.example.com`;

beforeAll(async () => {
  app = await startSuiteApp();
});
afterAll(() => app?.end());

const key = () => ({ authorization: `Bearer ${process.env.SVC_API_KEY}` });
const post = (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  call(app.url + path, {
    method: 'POST',
    body: body as BodyInit,
    headers: { 'content-type': 'application/json', 'x-request-id': requestId, ...headers },
  });
const events = async (customer: string) =>
  (await call(`${app.url}/api/v1/events?customer=${encodeURIComponent(customer)}`, { headers: key() })).body
    .data as Array<Record<string, unknown>>;
const aClick = async (fields: object = {}) =>
  String(
    (
      await post(
        '/api/v1/track/click',
        JSON.stringify({ program_id: 'prg_demo', affiliate_url: 'https://shop.example/?aff=ada', ...fields }),
      )
    ).body.click_id,
  );
const page = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(app.url + path, { headers, redirect: 'manual' });
  const text = await response.text();
  expect(renderErrors(text), path).toEqual([]);
  return { response, text };
};
const ELSEWHERE = { 'x-forwarded-host': 'partners.example.com' };

describe('bodies', () => {
  const nested = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
  test.each([
    ['malformed JSON', '{"customer_key":'],
    ['bytes that are not UTF-8', Buffer.from('{"customer_key":"\xff\xfe","click_id":"x"}', 'latin1')],
    ['deep nesting', nested],
    ['__proto__', '{"__proto__":{"customer_key":"x"},"amount_cents":1,"transaction_id":"x","customer_key":"x"}'],
    ['NUL', '{"customer_key":"a\\u0000b","click_id":"x"}'],
    ['half a character', '{"customer_key":"a\\ud83d","click_id":"x"}'],
  ])('%s is 400', async (_, body) => {
    for (const path of ['/api/v1/track/lead', '/api/v1/track/sale']) {
      expect((await post(path, body, key())).status).toBe(400);
    }
  });

  test.each([0, -1, 0.5, 2 ** 53, '1900', null, true])('an amount of %j is 400, and no sale', async (amount) => {
    const customer = newCustomer();
    await serverLead(app.url, customer, await aClick());
    const answer = await sale(app.url, customer, `in_${customer}`, { amount_cents: amount });
    expect(answer.status).toBe(400);
    expect((await events(customer)).map(({ kind }) => kind)).toEqual(['lead']);
  });

  test.each([{ svc: 1 }, 42, [], 'x'.repeat(40_000), '<script>', `clk_\0`, null])(
    'unsafe_metadata with the click ID %j costs no sign-up',
    async (clickId) => {
      const id = newCustomer();
      expect((await clerkWebhook(app.url, { id, clickId, email: address })).status).toBe(200);
      expect(await events(id)).toEqual([]);
    },
  );
});

describe('attribution', () => {
  test('a click ID of another program settles nothing', async () => {
    const other = await aClick({ program_id: 'prg_open' });
    const customer = newCustomer();
    expect((await serverLead(app.url, customer, other)).status).toBe(400);
    expect(await events(customer)).toEqual([]);
  });

  test('a second lead steals no attribution', async () => {
    const customer = newCustomer();
    await serverLead(app.url, customer, await aClick());
    const graces = await aClick({ affiliate_url: 'https://shop.example/?aff=grace' });
    expect((await serverLead(app.url, customer, graces)).status).toBe(200);
    expect(await events(customer)).toEqual([expect.objectContaining({ kind: 'lead', partner_code: 'ada' })]);
  });

  test('a browser lead for the customer ID of another user stores neither the ID nor the email address', async () => {
    const victim = newCustomer();
    const answer = await post(
      '/api/v1/track/lead',
      JSON.stringify({ program_id: 'prg_demo', customer_key: victim, click_id: await aClick(), email: address }),
    );
    expect(answer.body).toMatchObject({ provisional: true });
    expect(await events(victim)).toEqual([]);
    const [leads] = await app.query('SELECT count(*)::int AS n FROM service_leads WHERE email = $1', [address]);
    expect(leads).toEqual({ n: 0 });
  });

  test('a browser call tells a settled customer from an unknown one by nothing', async () => {
    const settled = newCustomer();
    await serverLead(app.url, settled, await aClick());
    const clickId = await aClick();
    const known = await browserLead(app.url, settled, clickId);
    const unknown = await browserLead(app.url, newCustomer(), clickId);
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
  });

  test('a browser cannot make a test lead, a sale, or a lead with a key that is wrong', async () => {
    const clickId = await aClick();
    const test_mode = { test_mode: true, program_id: 'prg_demo' };
    const body = { customer_key: 'x', click_id: clickId, program_id: 'prg_demo' };
    expect((await post('/api/v1/track/lead', JSON.stringify({ ...body, additional_data: test_mode }))).status).toBe(
      401,
    );
    expect(
      (await post('/api/v1/track/sale', JSON.stringify({ ...body, amount_cents: 1, transaction_id: 'x' }))).status,
    ).toBe(401);
    expect(
      (await post('/api/v1/track/lead', JSON.stringify(body), { authorization: 'Bearer svc_sk_wrong' })).status,
    ).toBe(401);
  });
});

describe('forms of the shop', () => {
  const form = (path: string, body: string, headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' }) =>
    fetch(app.url + path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      redirect: 'manual',
    });

  test('a price without a plan sells nothing, and an address of the browser is not where the redirect leads', async () => {
    expect((await form('/api/checkout', 'price=price_1')).headers.get('location')).toBe('/pricing');
    const { headers } = await form('/api/checkout', 'plan=studio_monthly&success_url=https://evil.example');
    expect(headers.get('location')).toBe('/checkout?plan=studio_monthly&resume=payment');
  });

  test.each([
    { host: 'evil.example' },
    { 'x-forwarded-host': 'evil.example' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  ] as Record<string, string>[])('no redirect leads where the header %j says', async (headers) => {
    const response = await form('/api/checkout', 'plan=studio_monthly', {
      'sec-fetch-site': 'same-origin',
      ...headers,
    });
    expect(response.headers.get('location')).toBe('/checkout?plan=studio_monthly&resume=payment');
  });

  test.each([{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }, { origin: 'null' }, {}] as Record<
    string,
    string
  >[])('a form of another site is refused: %j', async (headers) => {
    for (const path of ['/api/checkout', '/api/bank-transfer', '/api/billing']) {
      expect((await form(path, 'plan=studio_monthly', headers)).status).toBe(403);
    }
  });
});

test('no landing URL is ever fetched', async () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests++;
    response.end();
  });
  await once(server.listen(0, 'localhost'), 'listening');
  const target = `http://localhost:${(server.address() as AddressInfo).port}/`;
  await aClick({ affiliate_url: `${target}?aff=ada`, page_url: target, referrer_url: target });
  await page('/dashboard/events?kind=click');
  await page('/dashboard/customers'); // a fetch that no response waits for has been made by then
  const fetched = requests;
  const { status } = await fetch(target); // one that is made is counted
  server.close();
  expect([fetched, status, requests]).toEqual([0, 200, 1]);
});

describe('what the dashboard shows and exports', () => {
  const xss = '<img src=x onerror=alert(1)>"\'><script>alert(2)</script>';
  const formulas = ['=1+1', '+1', '-1', '@x', '\t=1', '＝1+1', '＋1', '－1', '＠x'].map(
    (text) => `${text} ${randomUUID()}`,
  );
  let leadId: string;

  beforeAll(async () => {
    const clickId = await aClick({ page_url: `https://shop.example/?${xss}`, referrer_url: `https://${xss}.example` });
    const lead = { customer_key: `${xss}${randomUUID()}`, click_id: clickId, email: address };
    leadId = String((await post('/api/v1/track/lead', JSON.stringify(lead), key())).body.lead_id);
    for (const customer of formulas.filter((text) => !text.includes('\t'))) {
      expect((await serverLead(app.url, customer, await aClick())).status).toBe(200);
    }
  });

  test('runs no script that stands in a record', async () => {
    for (const path of [
      '',
      '/events',
      '/customers',
      `/customers/${leadId}`,
      '/partners',
      '/settings',
      `/events?customer=${encodeURIComponent(xss)}`,
    ]) {
      const { text, response } = await page(`/dashboard${path}`);
      expect(response.status, path).toBe(200);
      expect(text, path).not.toMatch(/<img src=x|<script>alert/);
    }
    const { text } = await page(`/dashboard/customers/${leadId}`);
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;'); // it is shown, as text
  });

  test('an export holds no formula, and no value that breaks out of its cell', async () => {
    const { text } = await page('/dashboard/events/export?format=csv');
    expect(text).toContain('1+1');
    for (const cell of text.split(/[,;\n]/)) expect(cell).not.toMatch(/^(?!"-\d+"\s*$)"*[=+\-@＝＋－＠]|^"?[\t\r]/);
  });

  test('a cursor that was changed is 400 at the API, and the first page on the dashboard', async () => {
    const first = await call(`${app.url}/api/v1/events?limit=1`, { headers: key() });
    const cursor = String(first.body.next_cursor);
    for (const changed of [`${cursor}x`, cursor.slice(1), Buffer.from("' OR 1=1").toString('base64url'), 'x']) {
      expect((await call(`${app.url}/api/v1/events?cursor=${changed}`, { headers: key() })).status).toBe(400);
    }
    const rows = async (query: string) => (await page(`/dashboard/events${query}`)).text.match(/(?<= id=")evt_\w+/g);
    const firstPage = await rows('');
    const oldest = writeCursor({ time: new Date(0), id: 'evt_0' });
    expect(firstPage).not.toBeNull();
    expect(await rows(`?cursor=${oldest}`)).toBeNull();
    for (const changed of [`${oldest}x`, oldest.slice(1), "' OR 1=1", '%00']) {
      expect(await rows(`?cursor=${changed}`), changed).toEqual(firstPage);
    }
  });

  test.each(DASHBOARD_PAGES)('%s shows nothing without a session', async (path, content) => {
    expect((await page(path)).text).toMatch(content); // on this machine it needs none
    const { text, response } = await page(path, ELSEWHERE);
    expect(text).not.toMatch(content);
    expect(response.status === 307 || text.includes('/dashboard/sign-in')).toBe(true);
  });

  test('the export and the feed’s version are 401 without a session, and with a forged one', async () => {
    for (const path of ['/dashboard/events/export', '/dashboard/version']) {
      expect((await page(path, ELSEWHERE)).response.status).toBe(401);
      expect((await page(path, { ...ELSEWHERE, cookie: `svc_dashboard=${'A'.repeat(43)}` })).response.status).toBe(401);
    }
  });

  test('a customer of another program is no customer', async () => {
    const open = { authorization: `Bearer ${process.env.SVC_OPEN_API_KEY}` };
    const { body } = await call(`${app.url}/api/v1/events?customer=${encodeURIComponent(formulas[0] ?? '')}`, {
      headers: open,
    });
    expect(body.data).toEqual([]);
  });
});

describe('other origins', () => {
  const preflight = (path: string) =>
    fetch(app.url + path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });

  test('preflights of clicks and browser leads allow any origin, but no credentials and no Authorization header', async () => {
    for (const path of ['/api/v1/track/click', '/api/v1/track/lead']) {
      const { headers } = await preflight(path);
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect(headers.get('access-control-allow-headers')).toBe('content-type');
    }
  });

  test.each([
    '/api/v1/track/sale',
    '/api/v1/events',
    '/api/v1/webhooks/stripe',
    '/api/checkout',
    '/api/cron/outbox',
    '/dashboard/events/export',
  ])('%s is for none', async (path) => {
    expect((await preflight(path)).headers.get('access-control-allow-origin')).toBeNull();
  });
});

test('a flood of clicks is refused with Retry-After, whatever addresses it invents, and writes a bounded number of rows', async () => {
  await app.query(
    "UPDATE service_programs SET browser_requests_per_minute = 20, browser_ceiling_per_minute = 1e6 WHERE id = 'prg_open'",
  );
  const answers: Response[] = [];
  // In waves that are larger than what is allowed. All at once, some would wait 3.5 s for the database, and be refused for that.
  for (let wave = 0; wave < 8; wave++) {
    const flood = Array.from({ length: 25 }, (_, index) =>
      fetch(`${app.url}/api/v1/track/click`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${wave * 25 + index}` },
        body: JSON.stringify({ program_id: 'prg_open', affiliate_url: 'https://shop.example/?aff=ada' }),
      }),
    );
    answers.push(...(await Promise.all(flood)));
  }
  const refused = answers.filter(({ status }) => status === 429);
  const accepted = answers.filter(({ status }) => status === 200);
  expect(accepted.length + refused.length, 'every click is accepted or refused').toBe(answers.length);
  expect(accepted.length).toBeGreaterThan(0); // what other tests have sent in this minute counts, too
  expect(accepted.length).toBeLessThanOrEqual(40); // twenty, or forty if a new minute has begun
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  const [rows] = await app.query("SELECT count(*)::int AS n FROM service_rate_limits WHERE bucket LIKE 'prg_open%'");
  expect(Number(rows?.n)).toBeLessThanOrEqual(3);
});

test('a copy of the database holds no key and no secret', async () => {
  const tables = await app.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'");
  for (const { tablename } of tables) {
    const [dump] = await app.query(`SELECT coalesce(string_agg(t::text, '\n'), '') AS text FROM "${tablename}" t`);
    for (const [name, value] of secretsOf(process.env))
      expect(String(dump?.text), `${name} in ${tablename}`).not.toContain(value);
  }
});

test('a key that is nearly right is refused as one that is all wrong', async () => {
  const right = process.env.SVC_API_KEY ?? '';
  const answers = await Promise.all(
    [
      right.slice(0, -1),
      `${right}x`,
      right.toUpperCase(),
      `${right.slice(0, -1)}${right.endsWith('a') ? 'b' : 'a'}`,
      'x',
    ].map((wrong) => call(`${app.url}/api/v1/events`, { headers: { authorization: `Bearer ${wrong}` } })),
  );
  expect(new Set(answers.map(({ status, body }) => `${status} ${JSON.stringify(body)}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(401);
});

test('the routes of a scheduler and a scraper are closed without the secret', async () => {
  for (const path of [
    '/api/cron/outbox',
    '/api/cron/reconcile',
    '/api/cron/retention',
    '/api/metrics',
    '/api/metrics/service',
  ]) {
    for (const authorization of [
      '',
      'Bearer',
      'Bearer wrong',
      `Basic ${process.env.CRON_SECRET}`,
      process.env.CRON_SECRET ?? '',
    ]) {
      expect((await call(app.url + path, { headers: { authorization } })).status, path).toBe(401);
    }
  }
  const headers = { authorization: `Bearer ${process.env.CRON_SECRET}` };
  expect((await page('/api/metrics', headers)).text).toMatch(/^outbox_pending \d+$/m);
  expect((await page('/api/metrics/service', headers)).text).toMatch(/^service_unattributed_payments_today \d+$/m);
});

test('health and readiness say no more than they have to', async () => {
  expect((await call(`${app.url}/healthz`)).body).toEqual({ status: 'ok' });
  await vi.waitUntil(async () => (await call(`${app.url}/readyz`)).status === 200, { timeout: 30_000 }); // it may be busy
  expect((await call(`${app.url}/readyz`)).body).toEqual({
    status: 'ready',
    checks: { process: 'ok', database: 'ok', migrations: 'ok', 'service migrations': 'ok' },
  });
});

test('none of the local run’s routes is served in production', async () => {
  for (const path of [
    '/control',
    '/control/clock',
    '/clerk/v1/client',
    '/stripe/checkout/cs_1',
    '/__emulators/faults', // part: emulators
    '/v1/customers',
  ]) {
    expect((await page(path)).response.status, path).toBe(404);
  }
});

test.each(['/', '/pricing', '/sign-up', '/dashboard', '/api/v1/events', '/no-such-page'])(
  '%s has the security headers',
  async (path) => {
    const { headers } = (await page(path)).response;
    expect(headers.get('content-security-policy')).toMatch(/frame-ancestors 'none'/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('referrer-policy')).toBeTruthy();
    expect(headers.get('x-powered-by')).toBeNull();
  },
);

// Last: it reads what the process has logged during all of the above.
describe('the log', () => {
  test('has each line as one JSON object, and the ID of the request that it belongs to', async () => {
    await post('/api/v1/track/sale', '{}', key());
    const lines = app
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    expect(lines.length).toBeGreaterThan(20);
    expect(lines).toContainEqual(
      expect.objectContaining({ part: 'service', message: '/api/v1/track/sale', request_id: requestId }),
    );
    expect(lines).toContainEqual(expect.objectContaining({ part: 'integration', message: 'outbox: attempt' }));
  });

  test('holds no secret and no email address', () => {
    for (const [name, value] of secretsOf(process.env)) expect(app.log(), name).not.toContain(value);
    expect(app.log()).not.toMatch(/[\w.+-]+@[\w-]+\.[\w.-]+/);
  });
});
