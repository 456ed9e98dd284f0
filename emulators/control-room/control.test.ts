import { PGlite } from '@electric-sql/pglite';
import { describe, expect, test, vi } from 'vitest';
import type { Delivery } from '../core/deliveries';
import { readFault } from '../core/faults';
import { METADATA, newEmail } from '../stripe/testing/account';
import { redirectWebhooks } from './state';
import { openRoom } from './testing/room';

const { app, emulator, stripe, get, post, submit, subscribe, typesAbout, newUser } = await openRoom();

const WAIT = { timeout: 60_000 };

type Json = Record<string, unknown>;
const json = async (response: Response) => (await response.json()) as Json;
const faultOf = (name: 'mode' | 'delay_seconds' | 'outage', email: string) =>
  emulator.database.query((sql) => readFault(sql, name, email));

describe('POST /control/clock', () => {
  test('advances one customer by seconds, to the next renewal and by calendar months', async () => {
    const { email, subscription } = await subscribe();
    expect(await json(await post('/control/clock', { advance_seconds: 60, customer: email }))).toMatchObject({
      happened: 0,
      events: [],
    });
    const renewed = await json(await post('/control/clock', { to_next_renewal: true, customer: email }));
    expect(renewed).toMatchObject({ happened: 1 });
    expect(renewed.events).toContainEqual(expect.objectContaining({ type: 'invoice.paid' }));
    expect(await typesAbout(subscription)).toContain('customer.subscription.updated');
    const { now } = await json(await post('/control/clock', { months: 1, customer: email }));
    expect(new Date(String(now)).getTime()).toBeGreaterThan(new Date(String(renewed.now)).getTime());
  });

  test.each([
    ['no JSON', '{'],
    ['a negative time', { advance_seconds: -1 }],
    ['no time', {}],
    ['text for a number', { advance_seconds: '60' }],
    ['two ways at once', { advance_seconds: 60, months: 1 }],
    ['a field that does not exist', { advance_seconds: 60, customers: 'ada@example.com' }],
    ['a time that is none', { advance_to: 'tomorrow' }],
  ])('refuses %s with 400', async (_name, body) => {
    const response = await post('/control/clock', body);
    expect(response.status).toBe(400);
    expect(await json(response)).toEqual({ error: expect.stringContaining('advance_seconds'), code: 'invalid_body' });
  });

  test('refuses a time that is more than five years ahead with 400, and nothing has happened', async () => {
    const { email, subscription } = await subscribe();
    const events = await typesAbout(subscription);
    for (const change of [{ advance_to: '2099-01-01T00:00:00Z' }, { advance_seconds: 200_000_000 }, { months: 1e9 }]) {
      const response = await post('/control/clock', { ...change, customer: email });
      expect(response.status).toBe(400);
      expect(await json(response)).toEqual({ error: expect.stringContaining('five years'), code: 'invalid_body' });
    }
    expect(await typesAbout(subscription)).toEqual(events);
  });

  test('responds with 404 for a customer that is unknown', async () => {
    const response = await post('/control/clock', { advance_seconds: 1, customer: newEmail() });
    expect(response.status).toBe(404);
    expect(await json(response)).toMatchObject({ code: 'unknown_customer' });
  });
});

describe('/control/deliveries', () => {
  const listOf = async (email: string, limit = 5) =>
    (await json(await get(`/control/deliveries?customer=${encodeURIComponent(email)}&limit=${limit}`)))
      .data as Delivery[];

  test('lists deliveries with their attempts, and sends one again', async () => {
    const { email } = await subscribe();
    const [newest] = await listOf(email);
    expect(await listOf(email)).toHaveLength(5);
    const attempts = async () => (await listOf(email))[0]?.attempts ?? [];
    await expect.poll(attempts, WAIT).toHaveLength(1);
    expect(await attempts()).toMatchObject([{ response_status: 200, response_body: '{"received":true}' }]);
    expect((await post(`/control/deliveries/${newest?.id}/redeliver`, '')).status).toBe(200);
    await expect.poll(attempts, WAIT).toHaveLength(2);
    expect((await post('/control/deliveries/dlv_none/redeliver', '')).status).toBe(404);
  });

  test('sets mode and delay for one customer alone', async () => {
    const email = newEmail();
    expect((await post('/control/deliveries', { mode: 'shuffled', delay_seconds: 5, customer: email })).status).toBe(
      200,
    );
    expect(await faultOf('mode', email)).toBe('shuffled');
    expect(await faultOf('delay_seconds', email)).toBe('5');
    expect(await faultOf('mode', newEmail())).toBeNull();
    expect((await post('/control/deliveries', { mode: 'backwards' })).status).toBe(400);
  });
});

describe('/control/faults', () => {
  test('turns faults on and off, and lists those that are on', async () => {
    const email = newEmail();
    const mine = async () => {
      const { data } = await json(await get('/control/faults'));
      return (data as { subject: string }[]).filter(({ subject }) => subject === email);
    };
    await post('/control/faults', { outage: true, drop_subscription_metadata: true, customer: email });
    expect(await mine()).toEqual([
      { name: 'drop_subscription_metadata', subject: email, value: 'true' },
      { name: 'outage', subject: email, value: 'true' },
    ]);
    const off = { outage: false, drop_subscription_metadata: null, mode: 'ordered', delay_seconds: 0 };
    await post('/control/faults', { ...off, customer: email });
    expect(await mine()).toEqual([]);
    expect((await post('/control/faults', { earthquake: true })).status).toBe(400);
  });

  test('take the metadata from the subscription of one customer, and not from the session', async () => {
    const email = newEmail();
    await post('/control/faults', { drop_subscription_metadata: true, customer: email });
    const [broken, other] = [await subscribe({ email }), await subscribe()];
    const metadataOf = async ({ subscription }: { subscription: string }) =>
      (await stripe.subscriptions.retrieve(subscription)).metadata;
    expect([await metadataOf(broken), broken.session.metadata]).toEqual([{}, METADATA]);
    expect(await metadataOf(other)).toEqual(METADATA);
  });

  test('block the tracker in the browser that asks for it', async () => {
    const on = await post('/control/faults', { tracker_blocked: true });
    expect(on.headers.get('set-cookie')).toContain('emulators_blocker=on;');
    const off = await post('/control/faults', { tracker_blocked: false });
    expect(off.headers.get('set-cookie')).toContain('Max-Age=0');
  });
});

describe('POST /control/reset for one customer', () => {
  test('removes everything about that customer and nothing about others', async () => {
    const [mine, other] = [await subscribe(), await subscribe()];
    const users = [await newUser(mine.email), await newUser(other.email)];
    await post('/control/deliveries', { delay_seconds: 5, customer: mine.email });
    await post('/control/clock', { months: 1, customer: mine.email });

    expect(await json(await post('/control/reset', { customer: mine.email.toUpperCase() }))).toMatchObject({
      success: true,
    });
    await expect(stripe.customers.retrieve(mine.customer)).rejects.toMatchObject({ code: 'resource_missing' });
    await expect(stripe.subscriptions.retrieve(mine.subscription)).rejects.toMatchObject({ code: 'resource_missing' });
    const left = await emulator.database.query((sql) =>
      sql<{ id: string }>(
        "SELECT id FROM object WHERE data::text LIKE '%' || $1 || '%' OR data::text LIKE '%' || $2 || '%' OR id = $3",
        [mine.email, mine.customer, users[0] ?? ''],
      ),
    );
    expect(left).toEqual([]);
    expect(await emulator.deliveries.list({ customer: mine.email })).toEqual([]);
    expect(await faultOf('delay_seconds', mine.email)).toBeNull();

    expect((await stripe.subscriptions.retrieve(other.subscription)).status).toBe('active');
    expect(await emulator.deliveries.list({ customer: other.email })).not.toEqual([]);
    expect(await (await get('/users')).text()).toContain(users[1]);
  });

  test('deletes its idempotency keys: a repeated request creates a new customer', async () => {
    const email = newEmail();
    const create = (address: string) =>
      stripe.customers.create({ email: address }, { idempotencyKey: `customer:${address}` });
    const [removed, other] = [await create(email), await create(newEmail())];
    await post('/control/reset', { customer: email });
    const { id } = await create(email);
    expect(id).not.toBe(removed.id);
    expect(await stripe.customers.retrieve(id)).toMatchObject({ email });
    expect((await create(other.email ?? '')).id).toBe(other.id);
  });

  test('removes the messages that mention the address as a whole, also in lists and encoded', async () => {
    const email = newEmail();
    const record = (path: string, body: string) => {
      const part = { headers: {}, body };
      const message = { from: 'app', to: 'stripe', method: 'GET', path, status: 200, duration_ms: 1 } as const;
      emulator.trace.record({ ...message, at: new Date().toISOString(), request: part, response: part });
    };
    const list = (address: string) => `{"object":"list","data":[{"email":"${address}"}]}`;
    const form = (address: string) => `cancel_url=${encodeURIComponent(`/?of=${address}`)}`;
    for (const text of [list, form]) {
      record('/v1/removed', text(email));
      record('/v1/stays', text(`x.${email}`));
    }
    const pathsOf = async () => (await emulator.trace.list({ limit: 4 })).map(({ path }) => path);
    expect(await pathsOf()).toEqual(['/v1/stays', '/v1/removed', '/v1/stays', '/v1/removed']);
    await post('/control/reset', { customer: email });
    expect((await pathsOf()).slice(0, 2)).toEqual(['/v1/stays', '/v1/stays']);
  });
});

describe('state', () => {
  test('after a reset no coupon and no code is used up, and no code is left of a customer who is gone', async () => {
    const { customer } = await subscribe();
    const coupon = await stripe.coupons.create({ percent_off: 100, duration: 'once', max_redemptions: 1 });
    const promotion = { type: 'coupon', coupon: coupon.id } as const;
    const [open, own] = [
      await stripe.promotionCodes.create({ promotion }),
      await stripe.promotionCodes.create({ promotion, customer }),
    ];
    const price = (await stripe.prices.list({ type: 'recurring', limit: 1 })).data[0]?.id ?? '';
    const discounts = [{ promotion_code: open.id }];
    await stripe.subscriptions.create({ customer, items: [{ price }], discounts });
    expect(await stripe.coupons.retrieve(coupon.id)).toMatchObject({ times_redeemed: 1, valid: false });

    expect((await post('/control/reset', {})).status).toBe(200);
    expect(await stripe.coupons.retrieve(coupon.id)).toMatchObject({ times_redeemed: 0, valid: true });
    expect(await stripe.promotionCodes.retrieve(open.id)).toMatchObject({ times_redeemed: 0, active: true });
    await expect(stripe.promotionCodes.retrieve(own.id)).rejects.toMatchObject({ code: 'resource_missing' });
  });

  test('is exported, reset and imported again; the keys stay, even where another instance exported it', async () => {
    const { customer, email } = await subscribe();
    const urls = async () => (await emulator.deliveries.list({ customer: email })).map(({ url }) => url);
    const here = await urls();
    const keys = JSON.stringify(emulator.secrets);
    const setKeys = (value: string) =>
      emulator.database.change((sql) => sql("UPDATE secret SET value = $1 WHERE name = 'instance'", [value]));
    const send = (body: BodyInit) => app.request('/control/import', { method: 'POST', body });
    await setKeys('of another instance');
    await emulator.database.change((sql) => sql("UPDATE delivery SET url = regexp_replace(url, ':[0-9]+/', ':9/')"));
    const exported = await get('/control/export');
    expect(exported.headers.get('content-type')).toBe('application/gzip');
    await setKeys(keys);

    expect((await post('/control/reset', {})).status).toBe(200);
    await expect(stripe.customers.retrieve(customer)).rejects.toMatchObject({ code: 'resource_missing' });
    expect(await emulator.deliveries.list()).toEqual([]);

    expect((await send(await exported.arrayBuffer())).status).toBe(200);
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ id: customer });
    const rows = await emulator.database.query((sql) => sql("SELECT value FROM secret WHERE name = 'instance'"));
    expect(rows).toEqual([{ value: keys }]);
    expect(await urls()).toEqual(here);

    const refused = await send('no archive');
    expect(refused.status).toBe(400);
    const error = 'Nothing was imported: The file is not an exported state, or only a part of one.';
    expect(await json(refused)).toEqual({ error, code: 'invalid_state' });
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ id: customer });
  }, 60_000);

  test('that fills the disk gets a 507', async () => {
    const exported = await (await get('/control/export')).arrayBuffer();
    vi.spyOn(PGlite, 'create').mockRejectedValueOnce({ errno: 51 }); // what PGlite's file system throws
    const refused = await app.request('/control/import', { method: 'POST', body: exported });
    expect(refused.status).toBe(507);
    expect(await json(refused)).toEqual({
      error: expect.stringMatching(/^\S+ has no space left\. Make room on its disk, or use a folder on another one/),
      code: 'directory_unusable',
    });
  });

  /** What an import does with the webhooks of the state. */
  const redirect = () => emulator.database.change((sql) => redirectWebhooks(emulator, sql));

  test("imported webhooks go to this instance's endpoints, signed with its secrets, or nowhere", async () => {
    const { email } = await subscribe();
    type Row = { id: string; url: string; secret: string; status: string };
    const rowsOf = () =>
      emulator.database.query((sql) =>
        sql<Row>('SELECT id, url, secret, status FROM delivery WHERE subject = $1 ORDER BY sequence', [email]),
      );
    const statuses = async () => new Set((await rowsOf()).map(({ status }) => status));
    await expect.poll(statuses, WAIT).toEqual(new Set(['delivered']));
    const own = await stripe.webhookEndpoints.create({ url: 'http://localhost:1/own', enabled_events: ['*'] });
    await post('/control/deliveries', { mode: 'off', customer: email });
    await post('/control/clock', { to_next_renewal: true, customer: email });
    // What was sent already can be sent again.
    await emulator.database.change(async (sql) => {
      await sql("UPDATE delivery SET status = 'failed' WHERE url LIKE '%/own' AND event_type = 'invoice.paid'");
    });
    const here = await rowsOf();
    expect(new Set(here.map(({ url, status }) => `${new URL(url).pathname} ${status}`))).toEqual(
      new Set(['/webhooks delivered', '/webhooks pending', '/own pending', '/own failed']),
    );
    // The same state, in an instance with another app.
    await emulator.database.change(async (sql) => {
      await sql("UPDATE delivery SET url = regexp_replace(url, ':[0-9]+/', ':9/'), secret = 'whsec_other'");
    });
    await redirect();
    expect(await rowsOf()).toEqual(here);
    await stripe.webhookEndpoints.del(own.id);
    await redirect();
    expect(await rowsOf()).toEqual(here.filter(({ url }) => url.endsWith('/webhooks')));
  });

  test('an instance that imports its own export keeps two endpoints of one address apart', async () => {
    const { email } = await subscribe();
    await post('/control/deliveries', { mode: 'off', customer: email });
    const newEndpoint = () =>
      stripe.webhookEndpoints.create({ url: 'http://localhost:1/twice', enabled_events: ['*'] });
    const twins = [await newEndpoint(), await newEndpoint()];
    await post('/control/clock', { to_next_renewal: true, customer: email });
    const rowsOf = () =>
      emulator.database.query((sql) =>
        sql<{ secret: string }>('SELECT id, url, secret FROM delivery WHERE subject = $1 ORDER BY sequence', [email]),
      );
    const before = await rowsOf();
    expect(new Set(before.map(({ secret }) => secret)).size).toBe(3);
    await redirect();
    expect(await rowsOf()).toEqual(before);
    for (const { id } of twins) await stripe.webhookEndpoints.del(id);
  });
});

describe('GET /control/messages and /control/stream', () => {
  /** Opens a stream, does `work`, and returns what was received once it contains each of these texts. */
  async function streamUntil(query: string, texts: string[], work: () => Promise<unknown>): Promise<string> {
    const abort = new AbortController();
    const response = await app.request(`/control/stream${query}`, { signal: abort.signal });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const read = async () => {
      const part = await reader?.read();
      if (!part || part.done) throw new Error(`The stream has ended after: ${text}`);
      text += part.value;
    };
    while (!text.includes('event: ready')) await read();
    await work();
    while (!texts.every((one) => text.includes(one))) await read();
    await reader?.cancel();
    abort.abort();
    return text;
  }

  test('tell what passed and what is delivered', async () => {
    const authorization = `Bearer ${emulator.secrets.stripeSecretKey}`;
    await streamUntil('', ['event: delivery', 'event: message', '/v1/customers?limit=3'], async () => {
      await subscribe();
      await get('/v1/customers?limit=3', { authorization });
    });
    const { data } = await json(await get('/control/messages?limit=1'));
    expect(data).toMatchObject([{ to: 'stripe', method: 'GET', path: '/v1/customers?limit=3', status: 200 }]);
    expect(JSON.stringify(data)).not.toContain(emulator.secrets.stripeSecretKey);
  });

  test('a stream of one customer tells nothing of others', async () => {
    const isDelivered = async ({ email }: { email: string }) => {
      const statuses = async () => (await emulator.deliveries.list({ customer: email })).map(({ status }) => status);
      await expect.poll(async () => new Set(await statuses()), WAIT).toEqual(new Set(['delivered']));
    };
    const mine = await subscribe();
    await isDelivered(mine);
    const text = await streamUntil(`?events=delivery,control&customer=${mine.email}`, ['event: delivery'], async () => {
      await isDelivered(await subscribe());
      await post('/control/faults', { delay_seconds: 0, customer: newEmail() });
      await post('/control/clock', { to_next_renewal: true, customer: mine.email });
    });
    expect(/event: (?!ready)\w+/.exec(text)?.[0]).toBe('event: control'); // not a delivery to the other customer
  });

  test('what happened between a page and its stream makes the stream begin with “stale”', async () => {
    const versionIn = async (path: string) => /since=([\d.]+)/.exec(await (await get(path)).text())?.[1];
    const before = await versionIn('/deliveries');
    await subscribe();
    await streamUntil(`?since=${before}`, ['event: stale'], async () => {});
    const settled = await versionIn('/deliveries');
    const change = () => post('/control/faults', { delay_seconds: 0, customer: newEmail() });
    const text = await streamUntil(`?events=control&since=${settled}`, ['event: control'], change);
    expect(text).not.toContain('stale');
  });

  test.each([
    ['a fault is set', () => post('/control/faults', { delay_seconds: 0, customer: newEmail() })],
    ['faults are turned off', () => submit('/actions/faults/reset', {})],
    ['the tracker is blocked', () => submit('/actions/tracker', { turn: 'on' })],
    ['a clock is moved', () => post('/control/clock', { advance_seconds: 1 })],
    ['a customer is removed', () => post('/control/reset', { customer: newEmail() })],
  ] as const)('tell every page when %s, for its banner and its clock', async (_, change) => {
    const page = await (await get('/deliveries')).text();
    const query = /data-stream="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const text = await streamUntil(query, ['event: control'], change);
    expect(text).not.toContain('event: message');
  });

  test('a stream of one browser tells its messages only', async () => {
    const seenBy = (visitor: string) => get(`/v1/client?_=${visitor}`, { cookie: `emulators_visitor=${visitor}` });
    const text = await streamUntil('?events=message&visitor=mine', ['"visitor":"mine"'], async () => {
      await seenBy('other');
      await seenBy('mine');
    });
    expect(text).not.toContain('other');
  });
});

describe('pages of other sites', () => {
  test.each([
    '/control/clock',
    '/control/faults',
    '/control/reset',
    '/control/import',
    '/actions/reset',
    '/stripe/checkout/cs_1/pay',
  ])('cannot post to %s', async (path) => {
    const response = await post(path, '{}', { origin: 'https://elsewhere.example' });
    expect(response.status).toBe(403);
    expect(await json(response)).toMatchObject({ code: 'forbidden_origin' });
  });

  test.each(['/control/faults', '/control/messages', '/', '/deliveries'])(
    'cannot read %s under a name of their own',
    async (path) => {
      expect((await get(path, { host: 'elsewhere.example' })).status).toBe(403);
      expect((await get(path, { host: 'localhost:3001' })).status).toBe(200);
    },
  );
});

test('a control route that does not exist is 404 with a code', async () => {
  const response = await get('/control/none');
  expect(response.status).toBe(404);
  expect(await json(response)).toMatchObject({ code: 'unknown_route' });
});
