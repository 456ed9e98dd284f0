import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { stepMonths } from '../core/clock';
import { writeFault } from '../core/faults';
import { profileSchema, type Scenario } from '../core/profile';
import type { SignatureCheck } from '../core/signature';
import type { NewMessage } from '../core/trace';
import { createApp } from '../server';
import { newEmail } from '../stripe/testing/account';
import { DeliveryList } from './deliveries';
import { readSurroundings } from './read';
import { openRoom } from './testing/room';

const { app, emulator, stripe, get, submit, subscribe, newUser } = await openRoom();

const HOSTILE = '"><script>alert(1)</script>@example.com';
const textOf = async (path: string) => (await get(path)).text();
const of = (email: string, path = '/') => `${path}?customer=${encodeURIComponent(email)}`;

describe('every page', () => {
  const PAGES = ['/', '/simulate', '/deliveries', '/users', '/payments', '/none'];

  test.each(PAGES)('%s names the emulator in its title and allows no inline script', async (path) => {
    const response = await get(path);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
    const html = await response.text();
    expect(html).toMatch(/<title>.* · Emulator<\/title>/);
    expect(html).not.toMatch(/<script(?! src=)|\sstyle=|\son\w+=/);
  });

  test.each(PAGES)('%s shows hostile text as text', async (path) => {
    const html = await textOf(of(HOSTILE, path));
    expect(html).not.toContain('<script>alert');
    if (path !== '/none') expect(html).toContain('&lt;script&gt;alert(1)');
  });

  test('suggests each customer and each user once, by their addresses', async () => {
    const [both, user] = [newEmail(), newEmail()];
    await Promise.all([subscribe({ email: both }), newUser(both), newUser(user)]);
    const options = [...(await textOf('/users')).matchAll(/<option value="([^"]+)"/g)].map(([, value]) => value);
    expect(options.filter((value) => value === both || value === user).sort()).toEqual([both, user].sort());
  });

  test('shows the time of a customer on a test clock', async () => {
    const email = newEmail();
    const { id: test_clock } = await stripe.testHelpers.testClocks.create({ frozen_time: 1_798_761_600 });
    await stripe.customers.create({ email, test_clock });
    expect(await textOf(of(email, '/simulate'))).toContain('<time datetime="2027-01-01T00:00:00.000Z"');
  });

  test('shows hostile data as text', async () => {
    const email = newEmail();
    await newUser(email, { note: HOSTILE });
    await stripe.customers.create({ email: 'a@example.com', name: HOSTILE });
    const users = await textOf('/users');
    expect(users).toContain('&quot;&gt;&lt;script&gt;alert(1)');
    expect(users).not.toContain('<script>alert');
  });

  test('has the stylesheet that it asks for, and no other file', async () => {
    const css = await get('/assets/style.css');
    expect(css.headers.get('content-type')).toContain('text/css');
    expect(await css.text()).toContain('--foreground');
    expect((await get('/assets/ui.tsx')).status).toBe(404);
    expect((await get('/assets/..%2Fdatabase.ts')).status).toBe(404);
  });

  test('is not found where there is none', async () => {
    const nul = ['/ids/%00', '/stripe/checkout/%00', '/stripe/portal/a%00'];
    for (const path of [...nul, '/none', '/deliveries/dlv_none', '/trace/999999', `/trace/${'9'.repeat(20)}`]) {
      expect((await get(path)).status).toBe(404);
    }
    expect((await get(`/?before=${'9'.repeat(20)}`)).status).toBe(200);
  });
});

test.each(['/actions/clock', '/control/clock', '/stripe/checkout/cs_1/pay'])(
  '%s refuses a body that no form of ours has',
  async (path) => {
    const body = `step=${'x'.repeat(64 * 1024)}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const post = (body: string) => app.request(path, { method: 'POST', headers, body });
    const refused = await post(body);
    expect([refused.status, await refused.json()]).toMatchObject([413, { code: 'too_large' }]);
    expect((await post(body.slice(0, 1_000))).status).not.toBe(413);
  },
);

describe('the clock', () => {
  test.each([
    ['month', 'a calendar month', (now: number) => stepMonths(now, 1)],
    ['day', 'a day', (now: number) => now + 86_400],
  ])('advances by %s: %s, for one customer', async (step, _name, expected) => {
    const clockOf = (html: string) => Date.parse(/datetime="([^"]+)" data-live="clock"/.exec(html)?.[1] ?? '') / 1000;
    const { email } = await subscribe();
    const [before, everyone] = [clockOf(await textOf(of(email, '/simulate'))), clockOf(await textOf('/simulate'))];
    const { html } = await submit('/actions/clock', { step, customer: email }, of(email, '/simulate'));
    expect(Math.abs(clockOf(html) - expected(before))).toBeLessThan(60);
    expect(Math.abs(clockOf(await textOf('/simulate')) - everyone)).toBeLessThan(60);
  });

  test('advances to the next renewal for one customer, and lists the events', async () => {
    const { email } = await subscribe();
    const { status, html } = await submit('/actions/clock', { step: 'renewal', customer: email }, of(email));
    expect(status).toBe(303);
    expect(html).toMatch(/Now \d+ \w{3} \d{4}, [\d:]+ UTC · \d+ Stripe events/);
    expect(html).toContain('>invoice.paid</a>');
    expect(html).toContain(`for ${email}`);
  });

  test('leads to each event of an advance, also to one that no endpoint takes', async () => {
    const { email } = await subscribe();
    const alone = createApp({ ...emulator, config: { ...emulator.config, stripeWebhooks: [] } });
    const body = new URLSearchParams({ step: 'renewal', customer: email });
    const advanced = await alone.request('/actions/clock', { method: 'POST', body });
    const html = await (await alone.request(advanced.headers.get('location') ?? '')).text();
    const links = [...html.matchAll(/<li><a href="([^"]+)">[a-z_.]+<\/a>/g)].map(([, href = '']) => href);
    expect(links.length).toBeGreaterThan(3);
    for (const href of links) expect((await alone.request(href)).status).toBe(200);
  });

  test('advances under a page that stays as it is, such as the tour with the app in its frame', async () => {
    const { email } = await subscribe();
    const form = { step: 'renewal', customer: email, stay: 'yes' };
    expect(await submit('/actions/clock', form, '/tour')).toMatchObject({ status: 204, location: '' });
  });

  test('says on such a page that nothing happened', async () => {
    const { email } = await subscribe({ interval: 'year' });
    const { location, html } = await submit('/actions/clock', { step: 'month', customer: email, stay: 'yes' }, '/tour');
    expect(location).toMatch(/^\/tour\?notice=/);
    expect(html).toContain('nothing was due: no subscription was renewed');
  });

  test('does not advance for everyone on such a page, if its visitor has no address', async () => {
    const { now } = await readSurroundings(emulator, '');
    const { location, html } = await submit('/actions/clock', { step: 'month', customer: '', stay: 'yes' }, '/tour');
    expect(location).toMatch(/^\/tour\?notice=/);
    expect(html).toContain('Start again as a new visitor');
    expect((await readSurroundings(emulator, '')).now.getTime() - now.getTime()).toBeLessThan(86_400_000);
  });

  test('says so where there is nothing to renew', async () => {
    const { html } = await submit('/actions/clock', { step: 'renewal', customer: newEmail() });
    expect(html).toContain('No subscription to renew.');
  });
});

describe('faults', () => {
  test.each([
    ['Out-of-order webhooks', 'mode', 'shuffled'],
    ['Duplicate webhooks', 'mode', 'duplicated'],
    ['Delayed webhooks', 'delay_seconds', '30'],
    ['Paused webhooks', 'mode', 'off'],
    ['Missing subscription metadata', 'drop_subscription_metadata', 'true'],
    ['Service outage', 'outage', 'true'],
  ])('%s is turned on and off for one customer, and a banner says so on every page', async (title, name, value) => {
    const customer = newEmail();
    const page = of(customer, '/simulate');
    /** What the button of this fault sends, as it stands on the page. */
    const formOf = (html: string) => {
      const [, form = ''] = new RegExp(`aria-label="${title}".*?<form([^]*?)</form>`).exec(html) ?? [];
      expect(form).toContain('action="/actions/faults"');
      return Object.fromEntries(
        [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, key, sent]) => [key, sent]),
      );
    };
    const off = formOf(await textOf(page));
    expect(off).toEqual({ customer, name, value, turn: 'on' });
    const { location, html } = await submit('/actions/faults', off, page);
    expect(location).toMatch(new RegExp(`^/simulate\\?.*notice=[\\w-]+#fault-${name}-${value}$`));
    expect(html).toContain(`<li id="fault-${name}-${value}" tabindex="-1"`); // takes the focus
    expect(html).toMatch(new RegExp(`role="status" id="notice"><p>${title} (is|are) on for ${customer}\\.</p>`));
    expect(html).toContain(`Turn off<span class="sr-only"> ${title}`);
    expect(await textOf('/users')).toContain(`${title} (${customer})`);
    expect(await textOf(of(newEmail(), '/simulate'))).toContain(`Turn on<span class="sr-only"> ${title}`);
    const on = formOf(html);
    expect(on).toEqual({ customer, name, value, turn: 'off' });
    const ended = await submit('/actions/faults', on, page);
    expect(ended.location).toMatch(new RegExp(`#fault-${name}-${value}$`));
    expect(ended.html).toContain(`Turn on<span class="sr-only"> ${title}`);
    expect(ended.html).toMatch(new RegExp(`role="status" id="notice"><p>${title} (is|are) off for ${customer}\\.</p>`));
    expect(await textOf('/users')).not.toContain(`${title} (${customer})`);
  });

  test('are turned on for one customer, named on every page, and turned off at once', async () => {
    const email = newEmail();
    const duplicated = { name: 'mode', value: 'duplicated', turn: 'on', customer: email };
    const { html } = await submit('/actions/faults', duplicated, of(email, '/simulate'));
    expect(html).toMatch(/Turn off<span class="sr-only"> Duplicate webhooks/);
    expect(await textOf('/users')).toContain(`Duplicate webhooks (${email})`);
    const reset = await submit('/actions/faults/reset', {}, '/users');
    expect(reset.location).toMatch(/^\/users\?notice=/);
    expect(reset.html).toContain('All faults are off.');
    expect(reset.html).not.toContain(`Duplicate webhooks (${email})`);
  });

  test('lead back to no other host, whatever page their form was on', async () => {
    const reset = await submit('/actions/faults/reset', {}, '//evil.example/');
    expect(reset.location).toMatch(/^\/evil\.example\/\?notice=/);
  });

  test('say what was turned on for all customers, and in this browser', async () => {
    const outage = { name: 'outage', value: 'true', customer: '' };
    const on = await submit('/actions/faults', { ...outage, turn: 'on' }, '/simulate');
    expect(on.html).toContain('role="status" id="notice"><p>Service outage is on for all customers.</p>');
    const off = await submit('/actions/faults', { ...outage, turn: 'off' }, '/simulate');
    expect(off.html).toContain('role="status" id="notice"><p>Service outage is off for all customers.</p>');
    const blocked = await submit('/actions/tracker', { turn: 'on' }, '/simulate');
    expect(blocked.location).toMatch(/#fault-tracker_blocked-true$/);
    expect(blocked.html).toContain('<li id="fault-tracker_blocked-true" tabindex="-1"');
    expect(blocked.html).toContain('role="status" id="notice"><p>Tracker blocked is on for this browser.</p>');
  });

  test('say which one they turn off: webhooks are delivered in one way', async () => {
    const customer = newEmail();
    const turnOn = async (name: string, value: string) =>
      (await submit('/actions/faults', { name, value, turn: 'on', customer })).html;
    await emulator.database.change((sql) => writeFault(sql, 'delay_seconds', '5', customer));
    expect(await turnOn('mode', 'shuffled')).toContain(`<p>Out-of-order webhooks are on for ${customer}.</p>`);
    expect(await turnOn('mode', 'duplicated')).toContain(
      `<p>Duplicate webhooks are on for ${customer}. Out-of-order webhooks are off.</p>`,
    );
    expect(await turnOn('delay_seconds', '30')).toContain(`<p>Delayed webhooks are on for ${customer}.</p>`);
    await submit('/actions/reset', { customer });
  });

  test('that do not exist are refused', async () => {
    const { html } = await submit('/actions/faults', { name: 'toString', value: 'true' });
    expect(html).toContain('There is no fault toString.');
  });

  test('show their evidence: without metadata on the subscription', async () => {
    const email = newEmail();
    const dropped = { name: 'drop_subscription_metadata', value: 'true', customer: email };
    await submit('/actions/faults', { ...dropped, turn: 'on' });
    await subscribe({ email });
    expect(await textOf(of(email, '/simulate'))).toContain('Subscriptions without metadata: 1');
    await submit('/actions/faults', { ...dropped, turn: 'off' });
    expect(await textOf(of(email, '/simulate'))).not.toContain('Subscriptions without metadata');
  });

  test('show evidence of their customer, and count all of it', async () => {
    const email = newEmail();
    const turn = (name: string, value: string, turn: 'on' | 'off') =>
      submit('/actions/faults', { name, value, turn, customer: email }, of(email, '/simulate'));
    await turn('mode', 'off', 'on');
    await emulator.database.change((sql) =>
      sql(
        `INSERT INTO delivery (id, provider, url, secret, event_id, event_type, body, subject, occurred_at)
         SELECT 'dlv_held' || n, 'stripe', 'http://localhost/webhooks', '', 'evt_' || n, 'test', '{}', $1, now()
         FROM generate_series(1, 60) AS n`,
        [email],
      ),
    );
    const lead = { from: 'app', to: 'service', method: 'POST', path: '/api/v1/track/lead', status: 503 } as const;
    const refuse = (text: string, change: Partial<NewMessage> = {}) => {
      const parts = { request: { headers: {}, body: text }, response: { headers: {}, body: '' } };
      emulator.trace.record({ ...lead, ...parts, at: new Date().toISOString(), duration_ms: 1, ...change });
    };
    for (const address of [email, email, newEmail()]) refuse(`{"email":"${address}"}`);
    for (let n = 0; n < 210; n += 1) refuse('', { from: 'browser', method: 'GET', status: 200 });
    const html = (await turn('outage', 'true', 'on')).html;
    expect(html).toContain('Pending webhooks: 60');
    expect(html).toContain('Requests that got 503: 2');
    await submit('/actions/reset', { customer: email });
  });
});

describe('deliveries', () => {
  test('are listed for one customer, and one is shown with request, response and payload', async () => {
    const [{ email }, other] = [await subscribe(), await subscribe()];
    const list = await textOf(of(email, '/deliveries'));
    expect(list).toContain(email);
    expect(list).not.toContain(`<td class="cut secondary">${other.email}`);
    const [delivery] = await emulator.deliveries.list({ limit: 1, customer: email });
    expect(list, 'each endpoint has its own').toContain(new URL(delivery?.url ?? '').pathname);
    await emulator.deliveries.deliverNow([delivery?.event_id ?? ''], { timeoutMs: 60_000 });
    const page = await textOf(`/deliveries/${delivery?.id}`);
    expect(page).toContain('stripe-signature');
    expect(page).toContain('&quot;received&quot;: true');
    expect(page).toContain(`&quot;id&quot;: &quot;<a class="id" href="/ids/${delivery?.event_id}"`);
    expect(await textOf(`/deliveries/${delivery?.event_id}`)).toContain(delivery?.url);
    const again = await submit('/actions/redeliver', { delivery: delivery?.id ?? '' }, `/deliveries/${delivery?.id}`);
    expect(again.html).toContain('Queued to be sent again.');
  });

  test.each([
    [{}, 'Sign up in the app: the first event is user.created.'],
    [{ forwards: { clerk: 'https://api.clerk.com' } }, 'Buy something in the app: its events are listed here.'],
  ])('that are missing yet can be caused, where some providers are not emulated: %j', (over, hint) => {
    const config = { ...emulator.config, ...over };
    expect(String(DeliveryList({ deliveries: [], config, customer: '', isFiltered: false }))).toContain(hint);
  });

  test('are all reached by way of “Show older”, each of them once', async () => {
    const email = newEmail();
    await emulator.database.change((sql) =>
      sql(
        `INSERT INTO delivery (id, provider, url, secret, event_id, event_type, body, subject, status, occurred_at)
         SELECT 'dlv_older' || n, 'stripe', 'http://localhost/webhooks', '', 'evt_' || n, 'test.' || n, '{}', $1, 'delivered', now()
         FROM generate_series(0, 109) AS n ORDER BY n`,
        [email],
      ),
    );
    const seen: string[] = [];
    for (let path = of(email, '/deliveries'); path; ) {
      const html = await textOf(path);
      seen.push(...[...html.matchAll(/test\.(\d+)\s*<\/a>/g)].map(([, number = '']) => number));
      // In a part of its own that is updated: rows that arrive meanwhile move the last one.
      path =
        /data-live="older-deliveries"><p><a href="([^"]+)">Show older/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    }
    expect(seen).toEqual(Array.from({ length: 110 }, (_, n) => String(109 - n)));
  });
});

describe('payments', () => {
  test('list charges and subscriptions of one customer, and refund a charge', async () => {
    const { email, customer, subscription } = await subscribe();
    const page = await textOf(of(email, '/payments'));
    expect(page).toContain(subscription);
    expect(page).toContain('program_id: prg_demo');
    const charge = (await stripe.charges.list({ customer })).data[0]?.id ?? '';
    const { html } = await submit('/actions/refund', { charge }, of(email, '/payments'));
    expect(html).toContain(`${charge} was refunded.`);
    expect(html).toContain('data-label="Refunded"');
    expect(await stripe.charges.retrieve(charge)).toMatchObject({ refunded: true });
    const types = (await emulator.deliveries.list({ customer: email })).map(({ event_type: type }) => type);
    expect(types).toContain('charge.refunded');
    expect((await submit('/actions/refund', { charge })).html).toContain('has already been refunded');
  });

  test.each(['won', 'lost'])('mark a charge as disputed, and decide the dispute: %s', async (outcome) => {
    const { email, customer } = await subscribe({ number: '4000000000000259' });
    const charge = (await stripe.charges.list({ customer })).data[0]?.id ?? '';
    const dispute = (await stripe.disputes.list({ charge })).data[0]?.id ?? '';
    const page = await textOf(of(email, '/payments'));
    expect(page).toContain('Disputed');
    expect(page).not.toContain('/actions/refund'); // Stripe refuses to refund it
    const decided = await submit('/actions/dispute', { charge, dispute, outcome }, of(email, '/payments'));
    expect(decided.html).toContain(`${dispute} is ${outcome}.`);
    expect(decided.html).toContain(`Dispute ${outcome}`);
    expect(decided.html).not.toContain('value="lost"');
    const types = (await emulator.deliveries.list({ customer: email })).map(({ event_type: type }) => type);
    expect(types.includes('charge.dispute.funds_reinstated')).toBe(outcome === 'won');
    expect((await submit('/actions/dispute', { dispute, outcome })).html).toContain('This dispute is already closed.');
  });
});

describe('users', () => {
  test('are listed with what the app stored at sign-up', async () => {
    const email = newEmail();
    const id = await newUser(email, { svc_click_id: 'clk_1' });
    const page = await textOf(of(email, '/users'));
    expect(page).toContain(id);
    expect(page).toContain('svc_click_id: clk_1');
  });
});

describe('a list', () => {
  test.each(['/users', '/payments', '/deliveries'])('has a header in each row: %s', async (path) => {
    const email = newEmail();
    await Promise.all([subscribe({ email }), newUser(email)]);
    const rows = (await textOf(of(email, path))).match(/<tr [^>]*\bdata-key=.*?<\/tr>/gs) ?? [];
    expect(rows).not.toEqual([]);
    for (const row of rows) expect(row).toMatch(/^<tr [^>]*><th scope="row"/);
  });

  test.each([
    ['users', of(newEmail(), '/users'), '/users'],
    ['subscriptions', of(newEmail(), '/payments'), '/payments'],
    ['charges', of(newEmail(), '/payments'), '/payments'],
    ['deliveries', of(newEmail(), '/deliveries'), '/deliveries'],
    ['deliveries', '/deliveries?before=dlv_none', '/deliveries'],
    ['deliveries', of(newEmail(), '/simulate'), '/deliveries'],
    ['messages', '/?visitor=none', '/'],
    ['messages', '/?q=no-such-path&all=1', '/?all=1'],
    ['messages', '/?before=1', '/'],
  ])('of %s that a filter leaves without rows says so, and leads to all of them: %s', async (noun, path, all) => {
    const html = await textOf(path);
    expect(html).toContain(`No matching ${noun}`);
    expect(html).not.toContain(`No ${noun} yet`);
    expect(html).toContain(`<a href="${all}">Show all ${noun}</a>`);
  });

  test('of users with more than it shows says so', async () => {
    for (let n = 0; n < 26; n += 1) await newUser(newEmail());
    expect(await textOf('/users')).toContain('The newest 25. Filter by customer to see others.');
    expect(await textOf(of(newEmail(), '/users'))).not.toContain('The newest');
  });

  test('of subscriptions or of charges with more than it shows says so', async () => {
    const { email, customer, subscription } = await subscribe();
    const charge = (await stripe.charges.list({ customer })).data[0]?.id;
    const copy = (id: string | undefined, times: number) =>
      emulator.database.change((sql) =>
        sql(
          `INSERT INTO object (id, type, customer, data)
           SELECT id || 'copy' || n, type, customer, jsonb_set(data, '{id}', to_jsonb(id || 'copy' || n))
           FROM object, generate_series(1, $2::int) AS n WHERE id = $1`,
          [id, times],
        ),
      );
    const notes = async (path: string) => (await textOf(path)).match(/The newest 25\.[^<]*/g) ?? [];
    await copy(subscription, 24);
    expect(await notes(of(email, '/payments'))).toEqual([]);
    await copy(charge, 25);
    expect(await notes(of(email, '/payments'))).toEqual(['The newest 25.']);
    await copy(`${subscription}copy1`, 1);
    expect(await notes('/payments')).toEqual(Array(2).fill('The newest 25. Filter by customer to see others.'));
    expect(await notes(of(newEmail(), '/payments'))).toEqual([]);
  });
});

test('a reset of one customer leads back to the first page', async () => {
  const { email } = await subscribe();
  const { location, html } = await submit('/actions/reset', { customer: email }, of(email, '/payments'));
  expect(location).toMatch(/^\/\?notice=/);
  expect(html).toContain(`Everything about ${email} was deleted.`);
});

test('an import says that it replaces everything', async () => {
  const [, form = ''] = /action="\/actions\/import"(.*?)<\/form>/s.exec(await textOf('/simulate')) ?? [];
  expect(form).toContain('Replaces everything here. This cannot be undone. Export first to keep it.');
  expect(form).toContain('>Replace the state</button>');
});

test('an import without a file, or of another file, changes nothing', async () => {
  const { id } = await stripe.customers.create({ email: newEmail() });
  const none = await app.request('/actions/import', { method: 'POST', body: new FormData() });
  expect(await textOf(none.headers.get('location') ?? '')).toContain('Choose a file that was exported here.');
  const form = new FormData();
  form.set('file', new File(['no archive', new Uint8Array(1_000_000)], 'state.tar.gz'));
  const wrong = await app.request('/actions/import', { method: 'POST', body: form });
  expect(await textOf(wrong.headers.get('location') ?? '')).toContain('Nothing was imported');
  expect(await stripe.customers.retrieve(id)).not.toHaveProperty('deleted');
});

describe('without', () => {
  const texts = (config: Partial<typeof emulator.config>) => {
    const other = createApp({ ...emulator, config: { ...emulator.config, ...config } });
    return async (path: string) => {
      const response = await other.request(path);
      return { status: response.status, html: await response.text() };
    };
  };

  test('a recorder, no fault is offered that only the recorder can apply', async () => {
    const { html } = await texts({ recorder: null })('/simulate');
    expect(html).toContain('Duplicate webhooks');
    expect(html).not.toMatch(/Service outage|Tracker blocked/);
  });

  test.each([
    [{ clerk: 'https://api.clerk.com' }, ['/users']],
    [{ stripe: 'https://api.stripe.com' }, ['/payments']],
    [{ clerk: 'https://api.clerk.com', stripe: 'https://api.stripe.com' }, ['/users', '/payments', '/deliveries']],
  ])('an emulator of %s, there are no pages of its data, no clock and no faults of it', async (forwards, absent) => {
    const read = texts({ forwards });
    const [{ html: trace }, { html: simulate }] = [await read('/'), await read('/simulate')];
    for (const path of ['/users', '/payments', '/deliveries']) {
      const isThere = !absent.includes(path);
      expect(trace.includes(`href="${path}"`)).toBe(isThere);
      expect((await read(path)).status).toBe(isThere ? 200 : 404);
    }
    for (const html of [trace, simulate])
      expect(html.includes('Advance one month')).toBe(!absent.includes('/payments'));
    expect(simulate.includes('Missing subscription metadata')).toBe(!absent.includes('/payments'));
    expect(simulate.includes('Duplicate webhooks')).toBe(!absent.includes('/deliveries'));
    expect(simulate).toContain('Service outage');
  });
});

/** Pages of scenarios with these names, and the buttons that run them. */
function openScenarios(names: string[], scenario: Scenario) {
  const place = { file: 'cli.ts', find: 'import' };
  const scenarios = names.map((name) => ({
    ...{ name, title: name, description: '', decidedBy: place, provenBy: place },
  }));
  const profile = profileSchema.parse({ scenarios });
  const described = createApp({ ...emulator, config: { ...emulator.config, profile, scenario } });
  return {
    run: (name: string) =>
      described.request('/actions/scenarios', { method: 'POST', body: new URLSearchParams({ name }) }),
    pageOf: async (name: string) => (await described.request(`/scenarios/${name}`)).text(),
  };
}

test('a scenario says what is wrong, and one without a result says why', async () => {
  const row = { stage: 'Renewal', during: 'Nothing recorded', after: 'Two sales', outcome: 'wrong' } as const;
  const { run, pageOf } = openScenarios(['wrong', 'stopped'], async (name) => {
    if (name === 'stopped') throw new Error('Still pending after 90 seconds: invoice.paid.');
    return [row, { ...row, outcome: 'lost' }];
  });
  for (const name of ['wrong', 'stopped']) {
    await run(name);
    await expect.poll(() => pageOf(name)).toContain('Run again');
  }
  const html = await pageOf('wrong');
  expect(html).toContain('1 of 2 wrong');
  expect(html).toMatch(/Two sales<\/td><td><span class="badge danger">.*?<\/svg>Wrong/);
  const stopped = await pageOf('stopped');
  expect(stopped).toContain('The scenario has no result');
  expect(stopped).toContain('Still pending after 90 seconds: invoice.paid.');
  expect(stopped).toContain('</svg>Failed<');
});

test('a scenario that throws before its first await has failed, and can run again', async () => {
  const { run, pageOf } = openScenarios(['unfinished'], () => {
    throw new Error('Not written yet.');
  });
  expect((await run('unfinished')).status).toBe(303);
  await expect.poll(() => pageOf('unfinished')).toContain('Run again');
  expect(await pageOf('unfinished')).toContain('Not written yet.');
});

test('the last step of a scenario is the current one while it runs', async () => {
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { run, pageOf } = openScenarios(['paused'], async (_name, { report }) => {
    for (const step of ['Arrives', 'Signs up']) report(step);
    await finished;
    return [];
  });
  await run('paused');
  const html = await pageOf('paused');
  expect(html).toContain('<li class="done">Arrives</li>');
  expect(html).toContain('<li class="current" aria-current="step">Signs up</li>');
  finish();
  await expect.poll(() => pageOf('paused')).toContain('<li class="done">Signs up</li>');
});

test('the tour names its origin to the app, which accepts its form by it; other pages name it to themselves alone', async () => {
  const action = { label: 'Go', href: '/' };
  const step = { title: 'Arrive', text: '', done: [{ to: 'app', path: '/' }], action };
  const profile = profileSchema.parse({ tour: { steps: [step] } });
  const guided = createApp({ ...emulator, config: { ...emulator.config, profile } });
  const policyOf = async (path: string) => (await guided.request(path)).headers.get('referrer-policy');
  expect(await policyOf('/tour')).toBe('strict-origin-when-cross-origin');
  expect(await policyOf('/')).toBe('same-origin');
});

describe('the trace', () => {
  const ask = async (path: string) => {
    await get(path, { authorization: `Bearer ${emulator.secrets.stripeSecretKey}` });
    const [message] = await emulator.trace.list({ limit: 1 });
    return message?.id ?? 0;
  };

  test('lists messages and shows one with its parts', async () => {
    const id = await ask('/v1/prices');
    expect(await textOf('/')).toContain(`href="/trace/${id}"`);
    const page = await textOf(`/trace/${id}`);
    expect(page).toContain('authorization: [redacted]');
    expect(page).toContain('<h2 id="message-title" tabindex="-1">'); // takes the focus when it opens
    expect(page).toContain('Response body');
    expect(page).toContain(`curl &#39;${emulator.config.url}/v1/prices&#39;`);
  });

  test('says what is known of the sender, and why a signature is refused', async () => {
    const show = async (from: 'stripe' | 'app' | 'browser', signature?: SignatureCheck, headers = {}) => {
      const part = { headers: {}, body: '{"type":"invoice.paid"}' };
      emulator.trace.record({
        ...{ at: new Date().toISOString(), from, to: 'app', method: 'POST', path: '/api/webhooks/stripe', status: 400 },
        ...{ duration_ms: 1, request: { ...part, headers }, response: part, ...(signature && { signature }) },
      });
      const [message] = await emulator.trace.list({ limit: 1 });
      const html = await textOf(`/trace/${message?.id}`);
      const title = /<strong>(Signature [^<]*)<\/strong>/.exec(html)?.[1] ?? null;
      return [title, /<dt>From<\/dt><dd>.*?<\/dd>/.exec(html)?.[0].includes('Not verified')];
    };
    const stripe = { scheme: 'stripe', secret: 'STRIPE_WEBHOOK_SECRET' } as const;
    expect(await show('stripe', stripe)).toEqual(['Signature verified.', false]);
    expect(await show('stripe', { ...stripe, isOutdated: true })).toEqual(['Signature too old.', false]);
    expect(await show('stripe', { ...stripe, secret: null })).toEqual(['Signature not verified.', true]);
    expect(await show('app')).toEqual([null, true]);
    expect(await show('app', undefined, { authorization: 'Bearer x' })).toEqual([null, false]);
    expect(await show('browser')).toEqual([null, false]);
  });

  test('leads to the line of the source that handles a message', async () => {
    const id = await ask('/v1/prices');
    const handledBy = { file: 'cli.ts', find: 'import' };
    const root = path.join(import.meta.dirname, '..');
    const profile = profileSchema.parse({ root, sources: [{ path: '/v1/prices', handledBy }] });
    const described = createApp({ ...emulator, config: { ...emulator.config, profile } });
    const page = await (await described.request(`/trace/${id}`)).text();
    expect(page).toContain('href="/source?file=cli.ts&amp;find=import#line" data-drawer');
    const source = await (await described.request('/source?file=cli.ts&find=import')).text();
    expect(source).toMatch(/<li class="marked" id="line"><code>.*import/);
  });

  test('is limited to a path or an ID, and exported so', async () => {
    const { customer } = await subscribe();
    const id = await ask(`/v1/customers/${customer}`);
    await ask('/v1/prices');
    const har = (await (await get(`/trace.har?q=${customer}`)).json()) as {
      log: { entries: { request: { url: string } }[] };
    };
    const urls = har.log.entries.map(({ request }) => request.url);
    expect(urls).toContain(`${emulator.config.url}/v1/customers/${customer}`);
    expect(urls.filter((url) => url.endsWith('/v1/prices'))).toEqual([]);
    expect(await textOf(`/?q=${customer}`)).toContain(`/trace/${id}?q=${customer}`);
  });

  test('keeps no card number of a declined payment, though the page shows it again', async () => {
    const { url } = await stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price_data: { currency: 'usd', unit_amount: 900, product_data: { name: 'Book' } }, quantity: 1 }],
      success_url: 'http://localhost:1/done',
    });
    const { pathname } = new URL(url ?? '');
    const card = { number: '4000 0000 0000 0002', expiry: '12 / 34', cvc: '737', name: 'Ada Keller' };
    await submit(`${pathname}/pay`, { ...card, email: newEmail() });
    expect(await textOf(pathname)).toContain(`value="${card.number}"`);
    const messages = await emulator.trace.list({ search: pathname });
    expect(messages.map(({ method }) => method)).toEqual(['GET', 'POST']);
    expect(JSON.stringify(messages)).not.toMatch(/4000[ +]0000/);
  });

  test('follows an ID to the objects, deliveries and messages that carry it', async () => {
    const { customer, subscription } = await subscribe();
    const page = await textOf(`/ids/${customer}`);
    expect(page).toContain(`href="/ids/${subscription}"`);
    expect(page).toContain('>Invoice</span>');
    for (const part of ['<ol class="places"', '<p class="muted">No recorded message', '<section id="object"']) {
      expect(page, 'is updated').toMatch(new RegExp(`data-live="\\w+"( data-noun="\\w+")?>${part}`));
    }
    expect(page).toContain('invoice.paid');
    expect(await textOf(`/ids/${subscription}`)).toContain('&quot;object&quot;: &quot;subscription&quot;');
    expect((await get('/ids/clk_none')).status).toBe(404);
  });

  test('names an ID after the whole name of the field that contains it', async () => {
    const ids = [
      { label: 'Customer', fields: ['id'] },
      { label: 'Click ID', fields: ['click_id'], page: '/clicks/{id}' },
    ];
    const profile = profileSchema.parse({ ids });
    const described = createApp({ ...emulator, config: { ...emulator.config, profile } });
    const parts = {
      request: { headers: {}, body: '{"click_id":"cus_1A2b3C4d"}' },
      response: { headers: {}, body: '' },
    };
    const message = { from: 'app', to: 'service', method: 'POST', path: '/lead', status: 200, duration_ms: 1 } as const;
    emulator.trace.record({ ...message, ...parts, at: new Date().toISOString() });
    const page = await (await described.request('/ids/cus_1A2b3C4d')).text();
    expect(page).toContain('<p class="muted">Click ID</p>');
    expect(page).toContain(`href="${emulator.config.appUrl}/clicks/cus_1A2b3C4d"`);
  });

  test('has no tour, no scenarios and no sources where the app describes none', async () => {
    for (const path of ['/tour', '/scenarios', '/scenarios/outage', '/source?file=package.json']) {
      expect((await get(path)).status).toBe(404);
    }
    expect(await textOf('/')).not.toContain('href="/tour"');
    const started = await submit('/actions/scenarios', { name: 'outage' });
    expect(started.html).toContain('There is no scenario outage.');
  });
});
