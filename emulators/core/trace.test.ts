import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Database } from './database';
import { profileSchema } from './profile';
import { giveBackDatabase, takeDatabase } from './testing/spare-database';
import { type NewMessage, redact, Trace } from './trace';

const message = (path: string, body: string, headers: Record<string, string> = {}): NewMessage => ({
  at: '2026-11-21T12:00:00.000Z',
  from: 'browser',
  to: 'clerk',
  method: 'POST',
  path,
  status: 200,
  duration_ms: 1,
  request: { headers, body },
  response: { headers: {}, body: '' },
});

describe('what is recorded holds no', () => {
  test.each([
    ['password in a form', 'email=ada%40example.com&password=hunter22&x=1', 'hunter22'],
    ['new password', 'new_password=hunter22', 'hunter22'],
    ['password that is typed again', 'x=1&password_confirmation=hunter22', 'hunter22'],
    ['password that is typed again, in an object', 'user[passwordConfirm]=hunter22', 'hunter22'],
    ['password in JSON that is typed again', '{"passwordConfirm":"hunter22","password_digest":"hunter22"}', 'hunter22'],
    ['password in JSON that is cut within it', '{"email":"ada@example.com","password":"hunter22', 'hunter22'],
    ['card number or CVC', 'number=4242+4242+4242+4242&cvc=123&name=Ada', '4242'],
    ['account number', 'routing_number=110000000&account_number=000123456789', '000123456789'],
    ['field of an object in a form', 'user%5Bpassword%5D=hunter22&user[name]=ada', 'hunter22'],
    ['field with a path in a form', 'user.password=hunter22', 'hunter22'],
    ['card that an SDK sends', 'type=card&payment_method_data[card][number]=4242424242424242&card[cvc]=123', '4242'],
    ['CVC that an SDK sends', 'type=card&card%5Bcvc%5D=123', '123'],
    [
      'password in a multipart form, as a server action gets it',
      '------x\r\nContent-Disposition: form-data; name="1_password"\r\n\r\nhunter22\nline\r\n------x--\r\n',
      'hunter22',
    ],
    ['card number in JSON', '{"card":{"number":"4242 4242 4242 4242"}}', '4242'],
    ['API key in JSON', '{"apiKey":"abcdefgh"}', 'abcdefgh'],
    ['secret in JSON', '{"id":"we_1","secret":"whsec_abcdefghijkl"}', 'abcdefghijkl'],
    ['token in JSON', '{"jwt":"eyJhbGciOiJSUzI1NiJ9.e30.sig\\"x","id":1}', 'eyJ'],
    ['API key anywhere', 'the key sk_test_0123456789 and svc_sk_0123456789', '0123456789'],
  ])('%s', (_, body, secret) => {
    const { request } = redact(message('/', body));
    expect(request.body).not.toContain(secret);
    expect(request.body).toContain('[redacted]');
  });

  test.each(['hunter22', 'a"b', 'a\\', '\\"', '", "password": "b'])(
    'password %j in JSON, also in a text of other JSON',
    (password) => {
      const wrap = (fields: object) => {
        const texts = [JSON.stringify(fields)];
        while (texts.length < 4) texts.push(JSON.stringify({ body: texts.at(-1), id: 'evt_1' }));
        return texts;
      };
      const kept = { id: 'usr_1', note: 'a"\\' };
      const redacted = { password: '[redacted]', number: '[redacted]', ...kept };
      const bodies = wrap({ password, number: '4242 4242 4242 4242', ...kept });
      expect(bodies.map((body) => redact(message('/', body)).request.body)).toEqual(wrap(redacted));
    },
  );

  test('ticket or handshake in an address', () => {
    const { path } = redact(message('/sign-in?__clerk_ticket=abc123&redirect_url=%2F&__clerk_handshake=def456', ''));
    expect(path).toBe('/sign-in?__clerk_ticket=[redacted]&redirect_url=%2F&__clerk_handshake=[redacted]');
  });

  test('credential in a header', () => {
    const { request } = redact(
      message('/', '', {
        Authorization: 'Bearer x',
        cookie: 'a=b',
        'X-Api-Key': 'x',
        'x-auth-token': 'x',
        accept: 'text/html',
      }),
    );
    expect(request.headers).toEqual({
      Authorization: '[redacted]',
      cookie: '[redacted]',
      'X-Api-Key': '[redacted]',
      'x-auth-token': '[redacted]',
      accept: 'text/html',
    });
  });
});

test.each([
  ['an invoice number', '{"number":"INV-0001","email":"ada@example.com","metadata":{"svc_click_id":"clk_1"}}'],
  ['whether there is a password', '{"password_enabled":"true","password_hasher":"bcrypt"}'],
  ['a phone number', 'phone_number=123456789012&customer[phone_number]=123'],
  [
    'the other fields of a multipart form',
    '------x\r\nContent-Disposition: form-data; name="1_plan"\r\n\r\nyearly\r\n------x--',
  ],
])('what is no secret stays, such as %s', (_, body) => {
  expect(redact(message('/v1/invoices?limit=3', body)).request.body).toBe(body);
});

test('a body that is cut within a character keeps no half of it, which the database would refuse', () => {
  const { request } = redact(message('/', `${'a'.repeat(65_535)}\u{1F600}`));
  expect(request.body).toBe('a'.repeat(65_535));
});

test('a body of the longest kind is redacted in linear time', () => {
  const took = (text: string) => {
    const started = performance.now();
    redact(message('/', text.repeat(Math.ceil(65_536 / text.length))));
    return performance.now() - started;
  };
  const texts = ['a', 'a[', 'a%5B', '&', '"', '; name="', '\r\na', 'number', '_sk_', 'password', '"password', '\\'];
  for (const text of [...texts, '\\"password\\":\\"', '"password":"\\']) expect(took(text), text).toBeLessThan(1_000);
});

describe('the visitor of a message', () => {
  let database: Database;
  let trace: Trace;
  beforeAll(async () => {
    database = await takeDatabase();
    trace = new Trace(database, profileSchema.parse({ ids: [{ label: 'Click ID', fields: ['click_id'] }] }));
  });
  afterAll(async () => {
    await trace.stop();
    giveBackDatabase(database);
  });

  const add = (body: string, visitor?: string) => trace.record({ ...message('/x', body), ...(visitor && { visitor }) });
  const visitorsOf = async (search: string) => (await trace.list({ search })).map(({ visitor }) => visitor ?? null);

  test('is the one whose messages share an ID with it, before or after', async () => {
    add('{"click_id":"clk_a","email":"ada@example.com"}');
    add('{"click_id":"clk_a"}', 'browser-a');
    add('{"customer":"cus_uqjtghD2CVzcRP","email":"ada@example.com"}');
    add('{"customer":"cus_uqjtghD2CVzcRP"}');
    expect(await visitorsOf('cus_uqjtghD2CVzcRP')).toEqual(['browser-a', 'browser-a']);
    expect(await visitorsOf('clk_a')).toEqual(['browser-a', 'browser-a']);
    expect(await trace.listVisitors()).toMatchObject([{ id: 'browser-a', email: 'ada@example.com' }]);
  });

  test('is found over a chain of messages, none of which has a cookie', async () => {
    add('{"click_id":"clk_d","customer":"cus_dqjtghD2CVzcRP"}');
    add('{"customer":"cus_dqjtghD2CVzcRP","email":"dora@example.com"}');
    add('{"email":"dora@example.com"}');
    add('{"click_id":"clk_d"}', 'browser-d');
    expect(await visitorsOf('dora@example.com')).toEqual(['browser-d', 'browser-d']);
    expect(await trace.findVisitor('dora@example.com')).toBe('browser-d');
    expect(await trace.findVisitor('stranger@example.com')).toBeNull();
    expect(await trace.listVisitors({ id: 'browser-d' })).toMatchObject([{ email: 'dora@example.com' }]);
  });

  test('has the address of the newest message that has one', async () => {
    add('{"click_id":"clk_e","email":"first@example.com"}', 'browser-e');
    add('{"click_id":"clk_e","email":"second@example.com"}', 'browser-e');
    add('{"click_id":"clk_e","email":"ada@example.com"}', 'browser-e'); // which is another browser's
    expect(await trace.listVisitors({ id: 'browser-e' })).toMatchObject([{ email: 'second@example.com' }]);
  });

  test('is unknown where nothing is shared, and its own cookie decides', async () => {
    add('{"click_id":"clk_b"}');
    add('{"click_id":"clk_a"}', 'browser-b');
    expect(await visitorsOf('clk_b')).toEqual([null]);
    expect((await visitorsOf('clk_a'))[0]).toBe('browser-b');
  });

  test('an ID in a cookie is kept where the app names it, though the cookie is redacted', async () => {
    trace.record(message('/y', '', { cookie: 'click_id=clk_c; __session=secret' }));
    const [kept] = await trace.list({ search: '/y' });
    expect(kept?.request.headers.cookie).toBe('[redacted]');
    expect(kept?.cookies).toEqual([{ label: 'Click ID', field: 'click_id', value: 'clk_c' }]);
    expect(JSON.stringify(kept)).not.toContain('secret');
  });

  test('a message is kept although an ID in it has an encoded NUL, which the database would refuse', async () => {
    trace.record(message('/nul?click_id=q%00', 'click_id=b%00', { cookie: 'click_id=a%00b' }));
    const [kept] = await trace.list({ search: '/nul' });
    expect(kept?.cookies).toEqual([{ label: 'Click ID', field: 'click_id', value: 'ab' }]);
    expect(kept?.subjects).toEqual(['ab', 'q', 'b']);
  });
});

test('what Next fetches ahead and what a page polls is listed only where everything is', async () => {
  const database = await takeDatabase();
  const trace = new Trace(database);
  onTestFinished(async () => {
    await trace.stop();
    giveBackDatabase(database);
  });
  const script = { 'sec-fetch-dest': 'empty' };
  const poll = { ...script, 'cache-control': 'no-cache' };
  const asked = { method: 'GET', from: 'browser', to: 'service' } as const;
  trace.record({ ...message('/prefetch?_rsc=1', '', script), ...asked });
  trace.record({ ...message('/poll', '', poll), ...asked });
  const listed = [
    { ...message('/script', '', script), ...asked },
    { ...message('/reload', '', { ...poll, 'sec-fetch-dest': 'document' }), ...asked },
    { ...message('/sent', '', poll), ...asked, method: 'POST' },
    { ...message('/of-clerk', '', poll), ...asked, to: 'clerk' as const },
    { ...message('/of-a-server', ''), ...asked, from: 'app' as const },
  ];
  for (const one of listed) trace.record(one);
  const pathsOf = async (isWhole: boolean) => (await trace.list({ isWhole })).map(({ path }) => path).reverse();
  expect(await pathsOf(false)).toEqual(listed.map(({ path }) => path));
  expect((await pathsOf(true)).slice(0, 2)).toEqual(['/prefetch?_rsc=1', '/poll']);
});

test('a trace that opens keeps the newest messages, and their space does not grow', async () => {
  const database = await takeDatabase();
  onTestFinished(() => giveBackDatabase(database));
  /** Adds unpruned messages, and opens the trace as the next process does. */
  const run = async () => {
    const data =
      "jsonb_build_object('path', '/x', 'body', (SELECT string_agg(md5(random()::text || i || k), '') FROM generate_series(1, 40) k))";
    await database.query((sql) =>
      sql(`INSERT INTO message (at, data) SELECT now(), ${data} FROM generate_series(1, 2000) i`),
    );
    const trace = new Trace(database);
    await trace.stop();
    const [row] = await database.query((sql) =>
      sql<{ size: number; count: number }>(
        "SELECT pg_total_relation_size('message')::int AS size, (SELECT count(*)::int FROM message) AS count",
      ),
    );
    return row ?? { size: 0, count: 0 };
  };
  await run();
  const second = await run();
  await run();
  const fourth = await run();
  expect([second.count, fourth.count]).toEqual([2000, 2000]);
  expect(fourth.size).toBeLessThan(second.size * 1.2);
});

test('200 prefetches and polls are kept, and they push out no other message', async () => {
  const database = await takeDatabase();
  onTestFinished(() => giveBackDatabase(database));
  const add = (count: number, prefix: string) =>
    database.query((sql) =>
      sql(
        `INSERT INTO message (at, data) SELECT now(), jsonb_build_object('path', $2::text || i) FROM generate_series(1, $1::int) i`,
        [count, prefix],
      ),
    );
  await add(10, '/');
  await add(2_100, '/?_rsc=');
  const first = new Trace(database);
  await first.stop();
  await add(2_050, '/');
  const second = new Trace(database);
  onTestFinished(() => second.stop());
  const kept = await second.list({ limit: 5_000 });
  const others = await second.list({ limit: 5_000, isWhole: false });
  expect([kept.length, others.length, others.at(-1)?.path]).toEqual([2_200, 2_000, '/51']);
  expect((await second.list({ limit: 5_000, before: others.at(-1)?.id })).at(-1)?.path).toBe('/?_rsc=1901');
});
