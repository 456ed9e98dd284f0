import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createFirstPartyHandler, type FirstPartyOptions } from './server.ts';
import { createCookieJar } from './testing/cookie-jar.ts';
import { visit } from './testing/open-page.ts';
import { clickBody, leadBody, saleBody } from './wire.ts';

const CLICK = 'https://www.shop.test/svc/click';
const LEAD = CLICK.replace('click', 'lead');
const BODY = clickBody('prg_1', 'https://www.shop.test/?aff=ada', '', null);
const SALE = { customerExternalId: 'user_1', amount: 1, invoiceId: 'in_1' };
const MADE = { success: true, click_id: 'clk_1', partner_code: 'ada', cookie_window_days: 7 };

type Respond = (response: ServerResponse) => void;
type Received = { url: string | undefined; headers: IncomingHttpHeaders; body: unknown };

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const json =
  (status: number, body: unknown, headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** A handler in front of a real HTTP service that responds as given. */
async function startHandler(respond: Respond = json(200, MADE), options: Partial<FirstPartyOptions> = {}) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ url: request.url, headers: request.headers, body: JSON.parse(body) });
    respond(response);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  servers.push(server);
  const baseUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
  const handle = createFirstPartyHandler({ baseUrl, ...options });
  const post = (body: unknown = BODY, headers: Record<string, string> = {}, url = CLICK) =>
    handle(new Request(url, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers }));
  return { received, handle, post };
}

describe('a click through the first-party path', () => {
  it('is forwarded unchanged, and the response of the service comes back', async () => {
    const { post, received } = await startHandler();
    const response = await post();
    expect([response.status, await response.json()]).toEqual([200, MADE]);
    expect(received).toMatchObject([{ url: '/api/v1/track/click', body: BODY }]);
  });

  it('sets both cookies with the response, host-only where the tracker found no wider domain', async () => {
    const { post } = await startHandler();
    const attributes = '; Path=/; SameSite=Lax; Secure; Max-Age=604800';
    expect((await post()).headers.getSetCookie()).toEqual([
      `svc_click_id=clk_1${attributes}`,
      `svc_partner=prg_1ada${attributes}`,
    ]);
  });

  it('sets them on the domain that the tracker has probed, and expires host-only duplicates', async () => {
    const { post } = await startHandler();
    const cookies = (await post(BODY, { cookie: 'a=1; svc_domain=shop.test; b=2' })).headers.getSetCookie();
    expect(cookies).toEqual([
      'svc_click_id=; Path=/; SameSite=Lax; Secure; Max-Age=0',
      'svc_click_id=clk_1; Path=/; SameSite=Lax; Secure; Max-Age=604800; Domain=shop.test',
      'svc_partner=; Path=/; SameSite=Lax; Secure; Max-Age=0',
      'svc_partner=prg_1ada; Path=/; SameSite=Lax; Secure; Max-Age=604800; Domain=shop.test',
    ]);
  });

  it.each(['shop.test%3B%20Path%3D%2Fadmin', 'shop.test%0D%0AX%3A%201'])(
    'takes the probe %s for none: no attribute or header can be added',
    async (probe) => {
      const { post } = await startHandler();
      const cookies = (await post(BODY, { cookie: `svc_domain=${probe}` })).headers.getSetCookie();
      expect(cookies.join()).not.toContain('Domain');
    },
  );

  it('is not Secure for a page on http, or a local run would lose it', async () => {
    const { post } = await startHandler();
    const response = await post({ ...BODY, affiliate_url: 'http://localhost:3000/?aff=ada' });
    expect(response.headers.getSetCookie().join()).not.toContain('Secure');
  });

  it('encodes opaque IDs', async () => {
    const { post } = await startHandler(json(200, { success: true, click_id: 'cust 42; Domain=evil.test' }));
    const response = await post();
    expect(response.headers.getSetCookie()[0]).toMatch(/^svc_click_id=cust%2042%3B%20Domain%3Devil.test; Path/);
  });

  it.each([
    ['an inactive link', json(200, { success: false })],
    ['a refused click', json(400, { error: 'Unknown partner.', code: 'unknown_partner', click_id: 'clk_1' })],
    ['a click ID over 255 characters', json(200, { success: true, click_id: 'x'.repeat(256) })],
    ['a click ID that is no string', json(200, { success: true, click_id: 42 })],
  ])('sets no cookie for %s, and gives the script no ID to store', async (_name, respond) => {
    const { post } = await startHandler(respond);
    const response = await post();
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await response.json()).not.toHaveProperty('click_id');
  });

  it('gives the tracker cookies that its script need not write, and by which it knows the partner again', async () => {
    const { handle } = await startHandler();
    const jar = createCookieJar();
    const options: Parameters<typeof visit>[0] = {
      url: 'https://www.shop.test/?aff=ada',
      jar,
      dataset: { clickUrl: '/svc/click' },
      service: async ({ url, init }) => {
        const headers = { cookie: jar.read('www.shop.test') };
        const response = await handle(new Request(new URL(url, CLICK), { ...init, headers } as RequestInit));
        for (const cookie of response.headers.getSetCookie()) jar.write('www.shop.test', `${cookie}; BySetCookie`);
        return response;
      },
    };
    const page = await visit(options);
    expect(page.capture().getClickId()).toBe('clk_1');
    expect((await visit(options)).sent).toEqual([]); // the same partner again
    expect(jar.get('svc_click_id')).toMatchObject({ domain: 'shop.test', isHostOnly: false });
    expect(jar.get('svc_click_id')?.attributes).toHaveProperty('BySetCookie');
  });
});

describe('what is forwarded', () => {
  it('the client’s address as the proxy has seen it, and the browser, but no cookie and no key', async () => {
    const { post, received } = await startHandler();
    const headers = { cookie: 'session=1', authorization: 'Bearer svc_sk_1', 'user-agent': 'Safari' };
    await post(BODY, { ...headers, 'x-forwarded-for': '6.6.6.6, 203.0.113.7' });
    expect(received[0]?.headers).toMatchObject({ 'x-forwarded-for': '203.0.113.7', 'user-agent': 'Safari' });
    expect(received[0]?.headers).not.toHaveProperty('cookie');
    expect(received[0]?.headers).not.toHaveProperty('authorization');
  });

  it('the address that the app reads itself, where it says how', async () => {
    const clientAddress = (request: Request) => request.headers.get('cf-connecting-ip');
    const { post, received } = await startHandler(json(200, MADE), { clientAddress });
    await post(BODY, { 'cf-connecting-ip': '203.0.113.9', 'x-forwarded-for': '6.6.6.6' });
    expect(received[0]?.headers['x-forwarded-for']).toBe('203.0.113.9');
  });

  it('an address that cannot be read is the app’s error, not the service’s', async () => {
    const clientAddress = () => {
      throw new Error('no such header');
    };
    const handle = createFirstPartyHandler({ baseUrl: 'https://tracking.example', clientAddress });
    const request = new Request('https://shop.example/svc/click', { method: 'POST', body: '{}' });
    await expect(handle(request)).rejects.toThrow('no such header');
  });

  it('a time limit that is none is refused at once', () => {
    const options = { baseUrl: 'https://tracking.example', timeoutMs: Number.NaN };
    expect(() => createFirstPartyHandler(options)).toThrow('timeoutMs');
  });

  it('no address where there is none', async () => {
    const { post, received } = await startHandler();
    await post();
    expect(received[0]?.headers).not.toHaveProperty('x-forwarded-for');
  });

  it('a browser lead, which sets no cookie', async () => {
    const { post, received } = await startHandler(json(200, { success: true, provisional: true }));
    const response = await post({ program_id: 'prg_1', customer_key: 'user_1', click_id: 'clk_1' }, {}, LEAD);
    expect(received[0]?.url).toBe('/api/v1/track/lead');
    expect(response.headers.getSetCookie()).toEqual([]);
  });
});

describe('what is refused before the service is called', () => {
  it.each([
    ['a sale: sales are tracked from the server only', CLICK.replace('click', 'sale')],
    ['another path', 'https://www.shop.test/svc/events'],
  ])('%s', async (_name, url) => {
    const { post, received } = await startHandler();
    expect((await post(BODY, {}, url)).status).toBe(404);
    expect(received).toEqual([]);
  });

  it.each([
    [400, 'invalid_json', 'not JSON', {}],
    [400, 'invalid_json', '[]', {}],
    [413, 'body_too_large', JSON.stringify({ ...BODY, page_url: 'x'.repeat(64 * 1024) }), {}],
    [403, 'cross_site', JSON.stringify(BODY), { 'sec-fetch-site': 'cross-site' }],
    [403, 'cross_site', JSON.stringify(BODY), { 'sec-fetch-site': 'same-site' }],
  ])('%i %s', async (status, code, body, headers) => {
    const { post, received } = await startHandler();
    const response = await post(body, headers);
    expect([response.status, await response.json()]).toEqual([status, { error: expect.any(String), code }]);
    expect(received).toEqual([]);
  });

  it('a GET', async () => {
    const { handle } = await startHandler();
    const response = await handle(new Request(CLICK));
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('a body without end is not read past the limit', async () => {
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        controller.enqueue(new Uint8Array(16 * 1024));
      },
    });
    const { handle } = await startHandler();
    const request = new Request(CLICK, { method: 'POST', body, duplex: 'half' } as RequestInit);
    const { status, headers } = await handle(request);
    expect([status, headers.get('connection')]).toEqual([413, 'close']);
    expect(sent).toBeLessThan(12);
  });

  it('a body that is declared as far too large is not read at all', async () => {
    let isRead = false;
    const body = new ReadableStream({ pull: () => void (isRead = true) }, { highWaterMark: 0 });
    const { handle } = await startHandler();
    const headers = { 'content-length': String(1024 ** 2) };
    const request = new Request(CLICK, { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
    expect((await handle(request)).status).toBe(413);
    expect(isRead).toBe(false);
  });

  it('a body that breaks off', async () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new Error('aborted'));
      },
    });
    const { handle, received } = await startHandler();
    const response = await handle(new Request(CLICK, { method: 'POST', body, duplex: 'half' } as RequestInit));
    expect([response.status, await response.json()]).toMatchObject([400, { code: 'invalid_json' }]);
    expect(received).toEqual([]);
  });

  it('a page of the same origin is let through', async () => {
    const { post } = await startHandler();
    expect((await post(BODY, { 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });
});

describe('a service that fails', () => {
  it('its rate limit comes back with Retry-After, so the tracker tries again later', async () => {
    const { post } = await startHandler(
      json(429, { error: 'Slow down.', code: 'rate_limited' }, { 'retry-after': '7' }),
    );
    const response = await post();
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7']);
  });

  it.each([
    [0.5, 1],
    [1500.5, 1501],
  ])('a time limit of %d ms is one of %d ms', async (timeoutMs, expected) => {
    const asked = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal);
    const { post } = await startHandler(json(200, MADE), { timeoutMs });
    expect((await post()).status).toBe(200);
    expect(asked.mock.calls).toEqual([[expected]]);
  });

  it('503 where it hangs', async () => {
    const { post } = await startHandler(() => {}, { timeoutMs: 200 });
    expect((await post()).status).toBe(503);
  });

  it.each<[number, string, Respond]>([
    [503, 'hangs up', (response) => response.destroy()],
    [502, 'is a web page', (response) => response.end('<html>')],
    [502, 'is a web page with a status of the contract', (response) => response.writeHead(409).end('<html>')],
    [502, 'redirects', (response) => response.writeHead(307, { location: '/elsewhere' }).end()],
  ])('%i where it %s', async (status, _name, respond) => {
    const { post } = await startHandler(respond);
    expect((await post()).status).toBe(status);
  });

  it.each([
    [200, 'OK'],
    [400, 'No such customer.'],
    [429, ''],
  ])('%i whose body is %j comes back for a lead (§4 describes no body), with its Retry-After', async (status, text) => {
    const { post } = await startHandler((response) => response.writeHead(status, { 'retry-after': '7' }).end(text));
    const lead = await post(BODY, {}, LEAD);
    expect([lead.status, lead.headers.get('retry-after'), await lead.json()]).toEqual([status, '7', {}]);
    const click = await post();
    expect(click.status, 'a click without an ID is none').toBe(status === 200 ? 502 : status);
  });

  it.each(['tracking.example', 'localhost:3000'])('the wrong baseUrl %s is named at once', (baseUrl) => {
    expect(() => createFirstPartyHandler({ baseUrl })).toThrow(/baseUrl/);
  });
});

it('only wire.ts names the fields of the service', () => {
  const bodies = { ...BODY, ...leadBody({ customerExternalId: '' }), ...saleBody(SALE) };
  const fields = Object.keys(bodies).filter((field) => field.includes('_'));
  const files = readdirSync(import.meta.dirname).filter(
    (file) => !/^(wire|inline-script)\.ts$|\.test\./.test(file) && /\.tsx?$/.test(file),
  );
  for (const file of files) {
    const code = readFileSync(`${import.meta.dirname}/${file}`, 'utf8');
    for (const field of fields) expect(code, file).not.toMatch(new RegExp(`[.{,]\\s*${field}\\b`));
  }
});
