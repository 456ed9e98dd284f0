import { once } from 'node:events';
import { Agent, type ClientRequest, createServer, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Config } from '../core/config';
import { dataIdOf, type Emulator, openEmulator } from '../core/emulator';
import { listFaults, writeFault } from '../core/faults';
import { profileSchema } from '../core/profile';
import { signDelivery } from '../core/signature';
import { giveBackDatabase, takeDatabase } from '../core/testing/spare-database';
import { freePort } from '../testing/free-port.mjs';
import { findNotice } from './notices';
import { startRecorder } from './recorder';

let emulator: Emulator;
let app: Server;
let port: number;
let stop: () => Promise<void>;
const received: Array<{ url: string; headers: IncomingMessage['headers']; body: string }> = [];

beforeAll(async () => {
  const config: Config = {
    appUrl: 'http://localhost:3000',
    url: 'http://localhost:1',
    directory: 'memory://',
    clerkWebhook: null,
    stripeWebhooks: [],
    appName: 'Test',
    profile: profileSchema.parse({
      lanes: { service: { paths: ['/dashboard'] } },
      ids: [{ label: 'Click ID', fields: ['svc_click_id', 'click_id'] }],
      subjects: [
        { label: 'Lead', from: 'app', to: 'service', path: '/api/v1/lead', status: 200, notice: 'Lead recorded' },
        { label: 'Lead', from: 'app', to: 'service', path: '/api/v1/lead', notice: 'Lead not recorded' },
        { label: 'Click', from: 'browser', to: 'service', path: '/api/v1/click' },
        { label: 'Sale', from: 'stripe', to: 'service', request: '"type":"invoice.paid"', notice: 'Sale recorded' },
      ],
    }),
  };
  emulator = await openEmulator(config, { database: await takeDatabase() });
  app = createServer(async (asked, response) => {
    if (asked.url === '/api/v1/refused') {
      await once(asked, 'data');
      response.writeHead(413).end('Too large');
      asked.resume();
      return;
    }
    if (asked.url?.startsWith('/api/silent')) return;
    if (asked.url?.startsWith('/api/breaks')) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
      response.write('{"id":"cus_1"', () => asked.socket.destroy());
      return;
    }
    if (asked.url?.startsWith('/page-long')) {
      response.writeHead(200, { 'content-type': 'text/html' }).end('x'.repeat(64 * 1024 * 1024));
      return;
    }
    let body = '';
    for await (const chunk of asked) body += chunk;
    received.push({ url: asked.url ?? '', headers: asked.headers, body });
    if (asked.url === '/page-known') {
      response.writeHead(304, { etag: '"1"', 'set-cookie': 'svc_click_id=new' }).end();
      return;
    }
    if (asked.url?.startsWith('/page')) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'set-cookie': 'own=1' });
      response.end('<html><body>Page</body></html>');
      return;
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ token: 'x', body }));
  });
  app.on('upgrade', (_, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
    socket.pipe(socket);
  });
  await once(app.listen(0, 'localhost'), 'listening');
  port = await freePort();
  stop = await startRecorder(emulator, {
    port,
    appPort: (app.address() as AddressInfo).port,
    servicePath: '/api/v1/',
    blockedPath: '/api/v1/track/',
  });
});

afterAll(async () => {
  await stop();
  app.closeAllConnections();
  app.close();
  await emulator.close();
  giveBackDatabase(emulator.database);
});

const ask = (path: string, init?: RequestInit) => fetch(`http://localhost:${port}${path}`, init);

test('a request reaches the app with its Host and body, and with the address of its socket', async () => {
  const response = await ask('/api/echo', {
    method: 'POST',
    body: 'hello',
    headers: { 'x-forwarded-for': '203.0.113.9' },
  });
  expect(await response.json()).toMatchObject({ body: 'hello' });
  const last = received.at(-1);
  expect(last?.headers.host).toBe(`localhost:${port}`);
  expect(last?.headers['x-forwarded-for']).toMatch(/127\.0\.0\.1|::1/);
});

test('a path that begins with two slashes reaches the app as it is', async () => {
  expect((await ask('//api/echo?x=1')).status).toBe(200);
  expect(received.at(-1)?.url).toBe('//api/echo?x=1');
});

test('the app is asked for texts that are not compressed, so that the trace can show them', async () => {
  await ask('/api/echo', { headers: { 'accept-encoding': 'gzip, br' } });
  expect(received.at(-1)?.headers['accept-encoding']).toBe('identity');
});

describe('a body of more than 1 MiB', () => {
  const body = 'x'.repeat(3 * 1024 * 1024);

  test('reaches the service in full, and its response reaches the client', async () => {
    const response = await ask('/api/v1/large', { method: 'POST', body });
    expect([response.status, ((await response.json()) as { body: string }).body.length]).toEqual([200, body.length]);
    expect(received.at(-1)?.body.length).toBe(body.length);
  });

  test('that the service refuses before it has read all of it gets that refusal, and its connection is free again', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const post = async (path: string, sent: string) => {
      const asked = request({ port, host: 'localhost', path, method: 'POST', agent });
      asked.end(sent);
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      await once(answer, 'end');
      return answer.statusCode;
    };
    expect([await post('/api/v1/refused', body.repeat(10)), await post('/api/v1/small', 'x')]).toEqual([413, 200]);
  });

  test('gets a response during an outage, too', async () => {
    await emulator.database.change((sql) => writeFault(sql, 'outage', 'true'));
    onTestFinished(() => emulator.database.change((sql) => writeFault(sql, 'outage', null)));
    const response = await ask('/api/v1/large', { method: 'POST', body });
    expect([response.status, await response.json()]).toMatchObject([503, { code: 'unavailable' }]);
  });
});

test('an idle connection is kept for longer than a client keeps it, so that none sends into one that is being closed', async () => {
  const response = await ask('/__emulators/faults');
  expect(response.headers.get('keep-alive')).toBe('timeout=50');
});

test('pages get the bar and a visitor ID; the app’s own cookies stay', async () => {
  const response = await ask('/page', { headers: { accept: 'text/html' } });
  expect(await response.text()).toContain('<script src="/__emulators/bar.js" defer></script></body>');
  expect(response.headers.getSetCookie()).toEqual([
    ...['own=1', expect.stringMatching(/^emulators_visitor=\w+;/), expect.stringMatching(/^emulators_data=\w+;/)],
  ]);
});

test('what passes is recorded without secrets', async () => {
  const path = `/api/secret?id=${Date.now()}`;
  await ask(path, { headers: { authorization: 'Bearer svc_sk_secret12345', cookie: 'a=b; emulators_visitor=v1' } });
  const [message] = await emulator.trace.list({ visitor: 'v1' });
  expect(message).toMatchObject({ from: 'app', to: 'app', method: 'GET', path, status: 200, visitor: 'v1' });
  expect(message?.request.headers).toMatchObject({ authorization: '[redacted]', cookie: '[redacted]' });
  expect(message?.response.body).toBe('{"token":"[redacted]","body":""}');
});

test('a path is drawn in the lane that the profile names for it, and every other path in the app’s', async () => {
  for (const [path, lane] of [
    ['/dashboard', 'service'],
    ['/dashboard/events?kind=lead', 'service'],
    ['/dashboards', 'app'],
    ['/account', 'app'],
  ] as const) {
    await ask(path);
    const [message] = await emulator.trace.list({ limit: 1 });
    expect(message, path).toMatchObject({ to: lane, path });
  }
});

test('during an outage the service responds with 503 to everyone or to one customer, and nothing else is affected', async () => {
  const track = (email: string) => ask('/api/v1/track/lead', { method: 'POST', body: JSON.stringify({ email }) });
  await emulator.database.query((sql) => writeFault(sql, 'outage', 'true', 'Ada@Example.com'));
  expect((await track('ada@example.com')).status).toBe(503);
  for (const other of ['grace@example.com', 'yada@example.com']) expect((await track(other)).status).toBe(200);
  await emulator.database.query(async (sql) => {
    const object = 'INSERT INTO object (id, type, data) VALUES ($1, $2, $3)';
    await sql(object, ['user_ada', 'clerk.user', '{}']);
    await sql(object, ['cus_ada', 'stripe.customer', '{"email":"Ada@example.com"}']);
    await sql("INSERT INTO unique_value VALUES ('clerk.user', 'ada@example.com', 'user_ada')");
  });
  const pay = (fields: object) => ask('/api/v1/webhooks/stripe', { method: 'POST', body: JSON.stringify(fields) });
  expect((await pay({ customer: 'cus_ada' })).status, 'of the same customer').toBe(503);
  expect((await pay({ metadata: { svc_customer_key: 'user_ada' } })).status, 'of the same user').toBe(503);
  expect((await pay({ customer: 'cus_adam' })).status).toBe(200);
  await emulator.database.query((sql) => writeFault(sql, 'outage', 'true'));
  expect((await track('grace@example.com')).status).toBe(503);
  expect((await ask('/api/echo')).status).toBe(200);
  await emulator.database.query((sql) => writeFault(sql, 'outage', 'false', 'ada@example.com'));
  expect((await track('ada@example.com')).status, 'the setting of a customer comes first').toBe(200);
  expect((await track('grace@example.com')).status).toBe(503);
  await emulator.database.query((sql) => sql('DELETE FROM fault'));
  expect((await track('ada@example.com')).status).toBe(200);
});

test('a browser with a blocker gets no response from the tracker, and any other from the rest', async () => {
  const headers = { cookie: 'emulators_blocker=on' };
  await expect(ask('/api/v1/track/click', { method: 'POST', headers })).rejects.toThrow();
  const [blocked] = await emulator.trace.list({ search: '/api/v1/track/click', limit: 1 });
  expect(blocked).toMatchObject({ to: 'service', status: null });
  expect((await ask('/api/v1/events', { headers })).status).toBe(200);
  expect((await ask('/api/v1/track/click', { method: 'POST' })).status).toBe(200);
});

test('“New visitor” expires every cookie, from a page of the app only', async () => {
  const from = (site: string) =>
    ask('/__emulators/new-visitor', {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: 'svc=1; __session=2', 'sec-fetch-site': site },
    });
  const response = await from('same-origin');
  expect(response.status).toBe(303);
  expect(response.headers.getSetCookie()).toEqual(['svc=; Path=/; Max-Age=0', '__session=; Path=/; Max-Age=0']);
  expect((await from('cross-site')).status).toBe(403);
});

describe('a browser', () => {
  const open = async (path: string, cookie: string, accept = 'text/html') => {
    const response = await ask(path, { headers: { accept, cookie: `emulators_visitor=v1; ${cookie}` } });
    await response.text();
    return response.headers.getSetCookie();
  };
  const current = () => `emulators_data=${dataIdOf(emulator)}`;
  const isSet = expect.stringMatching(/^emulators_data=\w+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/);
  const foreign = 'emulators_data=another; svc_click_id=clk_1; svc_theme=dark; __session=1';
  const expired = 'svc_click_id=; Path=/; Max-Age=0';

  test('that was last used with other data loses the IDs of that data, and nothing else', async () => {
    expect(await open('/page', foreign)).toEqual([expired, 'own=1', isSet]);
    expect(await open('/page', `emulators_data=another; a=b`)).toEqual(['own=1', isSet]);
  });

  test('loses them also with a page that it has already, and keeps what the app sets there', async () => {
    expect(await open('/page-known', foreign)).toEqual([expired, 'svc_click_id=new', isSet]);
  });

  test('keeps its cookies with the same data, and where it was used with none', async () => {
    expect(await open('/page', `${current()}; svc_click_id=clk_1`)).toEqual(['own=1']);
    expect(await open('/page', 'svc_click_id=clk_1')).toEqual(['own=1', isSet]);
  });

  test('loses none by a request that is no document', async () => {
    expect(await open('/api/echo', foreign, '*/*')).toEqual([]);
  });
});

test('the ID of the data stays when the state is emptied, and is another one in another folder', async () => {
  const before = dataIdOf(emulator);
  await emulator.database.reset();
  const again = await openEmulator(emulator.config, { database: emulator.database });
  onTestFinished(() => again.close());
  expect(dataIdOf(again)).toBe(before);
  expect(dataIdOf({ ...emulator, secrets: { ...emulator.secrets, stripeWebhookSeed: 'another' } })).not.toBe(before);
});

test('the bar names the faults that concern its browser, and “Turn off” ends these alone, from a page of the app only', async () => {
  const cookie = 'emulators_visitor=bar; emulators_blocker=on';
  await ask('/api/echo', { method: 'POST', headers: { cookie }, body: '{"email":"bar@example.com"}' });
  await emulator.database.query(async (sql) => {
    await writeFault(sql, 'outage', 'true');
    await writeFault(sql, 'mode', 'duplicated', 'Bar@example.com');
    await writeFault(sql, 'drop_subscription_metadata', 'true', 'grace@example.com'); // such as by a running scenario
  });
  const shownTo = async (cookies: string) => {
    const response = await ask('/__emulators/faults', { headers: { cookie: cookies } });
    return ((await response.json()) as { data: Array<{ title: string }> }).data.map(({ title }) => title);
  };
  const all = ['Duplicate webhooks', 'Service outage', 'Tracker blocked'];
  expect(await shownTo(cookie)).toEqual(all);
  expect(await shownTo('emulators_visitor=another')).toEqual(['Service outage']);

  const turnOff = (site: string) =>
    ask('/__emulators/faults/reset', {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, 'sec-fetch-site': site },
    });
  expect((await turnOff('cross-site')).status).toBe(403);
  expect(await shownTo(cookie)).toEqual(all);
  const response = await turnOff('same-origin');
  expect(response.headers.getSetCookie()).toEqual(['emulators_blocker=; Path=/; Max-Age=0']);
  expect(await shownTo('emulators_visitor=bar')).toEqual([]);
  expect(await emulator.database.query(listFaults)).toMatchObject([{ subject: 'grace@example.com' }]);
});

describe('the bar shows for this browser’s visitor', () => {
  const noticeFor = async (cookie: string) => {
    const response = await ask('/__emulators/notice', { headers: { cookie } });
    return ((await response.json()) as { data: { id: number; text: string } | null }).data;
  };
  /** A browser with a click of its own, and what a server sends about that click. */
  const arrive = async (name: string) => {
    const cookie = `emulators_visitor=${name}`;
    const body = JSON.stringify({ click_id: `clk_${name}` });
    await ask('/api/v1/click', { method: 'POST', body, headers: { cookie, 'sec-fetch-site': 'same-origin' } });
    const report = (path: string, more = {}, headers = {}) =>
      ask(path, { method: 'POST', body: JSON.stringify({ click_id: `clk_${name}`, ...more }), headers });
    return { cookie, report };
  };

  test('the newest message with a notice and its result, also if a server sent it', async () => {
    const { cookie, report } = await arrive('told');
    expect(await noticeFor(cookie), 'a click has no notice').toBeNull();
    await emulator.database.query((sql) => writeFault(sql, 'outage', 'true'));
    await report('/api/v1/lead');
    await emulator.database.query((sql) => writeFault(sql, 'outage', null));
    expect(await noticeFor(cookie)).toMatchObject({ text: 'Lead not recorded' });
    await report('/api/v1/lead');
    await report('/api/v1/click');
    const [lead] = await emulator.trace.list({ search: '/api/v1/lead', limit: 1 });
    expect(await noticeFor(cookie)).toEqual({ id: lead?.id, text: 'Lead recorded' });
    expect(await noticeFor('emulators_visitor=stranger')).toBeNull();
    expect(await noticeFor('')).toBeNull();
    const sentAt = Date.parse(lead?.at ?? '');
    expect(await findNotice(emulator, cookie, sentAt + 120_000)).toMatchObject({ text: 'Lead recorded' });
    expect(await findNotice(emulator, cookie, sentAt + 120_001), 'it is no news any more').toBeNull();
  });

  test.each([
    ['its invoice', { object: 'invoice', amount_paid: 1900, currency: 'usd' }, 'Sale recorded: $19.00 paid'],
    ['its session', { object: 'checkout.session', amount_total: 2800, currency: 'jpy' }, 'Sale recorded: ¥2,800 paid'],
    ['nothing', { object: 'charge', currency: 'usd' }, 'Sale recorded'],
  ])('what was paid, if Stripe’s event says it: by %s', async (_, object, text) => {
    const { cookie, report } = await arrive(object.object.replace('.', ''));
    await report('/api/v1/stripe', { type: 'invoice.paid', data: { object } }, { 'stripe-signature': 't=1' });
    expect(await noticeFor(cookie)).toMatchObject({ text });
  });
});

test('the first page of a visitor is recorded as theirs, and a webhook with its signature', async () => {
  const path = `/page?first=${Date.now()}`;
  const response = await ask(path, { headers: { accept: 'text/html' } });
  await response.text();
  const visitor = /emulators_visitor=(\w+)/.exec(response.headers.getSetCookie().join())?.[1];
  expect((await emulator.trace.list({ search: path }))[0]?.visitor).toBe(visitor);
  const body = '{"type":"user.created"}';
  const secret = emulator.secrets.clerkWebhookSecret;
  const headers = signDelivery({ provider: 'clerk', eventId: 'msg_1', body, secret }, new Date());
  await ask('/api/webhooks/first', { method: 'POST', body, headers });
  const [webhook] = await emulator.trace.list({ search: '/api/webhooks/first' });
  expect(webhook).toMatchObject({
    from: 'clerk',
    signature: { scheme: 'svix', secret: 'CLERK_WEBHOOK_SIGNING_SECRET' },
  });
});

async function upgrade(to: number, headers = '', encoding: BufferEncoding = 'utf8') {
  const socket = connect(to, 'localhost');
  onTestFinished(() => void socket.destroy());
  const lines = `GET /ws HTTP/1.1\r\nHost: localhost:${to}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${headers}\r\n`;
  socket.write(lines, encoding);
  const [head] = (await once(socket, 'data')) as [Buffer];
  expect(head.toString()).toContain('101');
  return socket;
}

test('a WebSocket passes', async () => {
  const socket = await upgrade(port);
  socket.write('ping');
  expect(String((await once(socket, 'data'))[0])).toBe('ping');
});

test.each(['latin1', 'utf8'] as const)(
  'the headers of a WebSocket reach the app byte for byte in %s, with the address of the socket',
  async (encoding) => {
    const upgraded = once(app, 'upgrade');
    await upgrade(port, 'Cookie: name=Zoë\r\nX-Forwarded-For: 203.0.113.9\r\n', encoding);
    const [{ headers }] = (await upgraded) as [IncomingMessage];
    expect(Buffer.from(headers.cookie ?? '', 'latin1')).toEqual(Buffer.from('name=Zoë', encoding));
    expect(headers['x-forwarded-for']).toMatch(/^(::ffff:)?127\.0\.0\.1$|^::1$/);
  },
);

test('the recorder stops while a WebSocket is open, and ends it on both sides', async () => {
  const other = await freePort();
  const appPort = (app.address() as AddressInfo).port;
  const end = await startRecorder(emulator, { port: other, appPort, servicePath: null, blockedPath: null });
  const upgraded = once(app, 'upgrade');
  const socket = await upgrade(other);
  const [, appSocket] = (await upgraded) as [IncomingMessage, Socket];
  const closed = Promise.all([once(socket, 'close'), once(appSocket, 'close')]);
  await end();
  await closed;
});

test('an app that does not respond is a 502 that says so, and a page is asked for again', async () => {
  const free = await freePort();
  const alone = await startRecorder(emulator, { port: free, appPort: 9, servicePath: null, blockedPath: null });
  const response = await fetch(`http://localhost:${free}/`);
  expect(response.status).toBe(502);
  expect(await response.text()).toMatch(/^The app does not respond: .*ECONNREFUSED/);
  expect(response.headers.get('refresh')).toBe('2');
  const posted = await fetch(`http://localhost:${free}/`, { method: 'POST' });
  expect(posted.headers.get('refresh')).toBeNull();
  const [message] = await emulator.trace.list({ limit: 1 });
  expect(message).toMatchObject({ to: 'app', method: 'POST', path: '/', status: 502 });
  expect(message?.response.body).toContain('The app does not respond');
  await alone();
});

describe('an exchange that fails is recorded with what was received:', () => {
  const recorded = async (search: string) => (await emulator.trace.list({ search, limit: 1 }))[0];
  /** Sends a request, and cancels it once `until` has happened. */
  const cancel = async (path: string, until: (asked: ClientRequest) => Promise<unknown>) => {
    const asked = request({ port, host: 'localhost', path, method: 'POST', headers: { accept: 'text/html' } });
    asked.on('error', () => {});
    await until(asked);
    asked.destroy();
    await expect.poll(() => recorded(path), { timeout: 10_000 }).toBeDefined();
    return recorded(path);
  };

  test('the caller leaves before the response', async () => {
    const message = await cancel('/api/silent', (asked) => {
      asked.end();
      return once(app, 'request');
    });
    expect(message).toMatchObject({ to: 'app', status: null, response: { headers: {}, body: '' } });
  });

  test('the caller leaves before the service has its whole request', async () => {
    const message = await cancel(
      '/api/v1/half',
      (asked) => new Promise<unknown>((resolve) => asked.write('{"id":"cus_1"', resolve)),
    );
    expect(message).toMatchObject({ to: 'service', status: null });
  });

  test('the caller leaves while a page waits for it to read on', async () => {
    const message = await cancel('/page-long', async (asked) => {
      asked.end();
      await once(asked, 'response'); // and does not read it
    });
    expect(message).toMatchObject({ status: null, response: { headers: { 'content-type': 'text/html' } } });
  });

  test('the app breaks off within the body', async () => {
    await expect(ask('/api/breaks').then((response) => response.text())).rejects.toThrow();
    await expect
      .poll(() => recorded('/api/breaks'), { timeout: 10_000 })
      .toMatchObject({
        status: null,
        response: { headers: { 'content-type': 'application/json' }, body: '{"id":"cus_1"' },
      });
  });
});
