import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type CallOptions, createServerClient, type LeadFields, type SaleFields, TrackingError } from './server.ts';

type Received = { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders; body: unknown };

const stops: Array<() => void> = [];
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  for (const stop of stops.splice(0)) stop();
});

/** A real HTTP server that gives one response after the other; the last one repeats. */
async function startService(...responses: Array<(response: ServerResponse) => void>) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const respond = responses[Math.min(received.length, responses.length - 1)];
    received.push({ method: request.method, url: request.url, headers: request.headers, body: JSON.parse(body) });
    respond?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  stops.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
  return { received, baseUrl, client: createServerClient({ apiKey: 'svc_sk_1', baseUrl, timeoutMs: 30_000 }) };
}

const json =
  (status: number, body: unknown, headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
const hangUp = (response: ServerResponse) => response.destroy();
const stall = () => {};

const LEAD: LeadFields = { customerExternalId: 'user_1', clickId: 'clk_1' };
const SALE: SaleFields = { customerExternalId: 'user_1', amount: 1900, invoiceId: 'in_1' };
const SETTLED = json(200, { success: true, lead_id: 'led_1', message: 'Settled.' });

const thrownBy = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof TrackingError)) throw new Error('Expected a TrackingError.');
  return error;
};

describe('§4 trackLead', () => {
  it('sends the lead with the API key, under the names of the wire', async () => {
    const { client, received } = await startService(SETTLED);
    const additionalData = { test_mode: true, program_id: 'prg_1' };
    const lead = await client.trackLead({ ...LEAD, email: 'a@b.test', additionalData });
    expect(lead).toEqual({ ok: true, status: 200, data: { leadId: 'led_1', provisional: false } });
    expect(received).toMatchObject([
      {
        method: 'POST',
        url: '/api/v1/track/lead',
        headers: { authorization: 'Bearer svc_sk_1', 'content-type': 'application/json' },
        body: { customer_key: 'user_1', click_id: 'clk_1', email: 'a@b.test', additional_data: additionalData },
      },
    ]);
  });

  it('leaves out what is not given', async () => {
    const { client, received } = await startService(SETTLED);
    await client.trackLead({ customerExternalId: 'user_1' });
    expect(received[0]?.body).toEqual({ customer_key: 'user_1' });
  });

  it('resolves with ok: false when the service responds with 400; it does not throw', async () => {
    const { client, received } = await startService(json(400, { error: 'Send a click_id.', code: 'unknown_click' }));
    expect(await client.trackLead({ customerExternalId: 'user_1', clickId: null })).toEqual({
      ok: false,
      status: 400,
      error: { code: 'unknown_click', message: 'Send a click_id.' },
    });
    expect(received, 'a 400 is not repeated').toHaveLength(1);
  });

  it('says that a 200 with provisional: true is no settled lead', async () => {
    const { client } = await startService(json(200, { success: true, provisional: true, message: '' }));
    expect(await client.trackLead(LEAD)).toMatchObject({ ok: true, data: { leadId: null, provisional: true } });
  });

  it('takes a 400 without a readable body for what it is', async () => {
    const { client } = await startService((response) => response.writeHead(400).end('Bad Request'));
    expect(await client.trackLead(LEAD)).toMatchObject({ ok: false, status: 400, error: { code: 'unknown' } });
  });
});

describe('§4 trackSale', () => {
  it('sends amount and invoiceId as amount_cents and transaction_id', async () => {
    const { client, received } = await startService(json(200, { success: true, sale_id: 'sal_1', attributed: true }));
    const sale = await client.trackSale(SALE);
    expect(sale).toEqual({ ok: true, status: 200, data: { saleId: 'sal_1', attributed: true, reason: null } });
    expect(received).toMatchObject([{ url: '/api/v1/track/sale' }]);
    expect(received[0]?.body).toEqual({ customer_key: 'user_1', amount_cents: 1900, transaction_id: 'in_1' });
  });

  it('sends a currency where one is given', async () => {
    const { client, received } = await startService(json(200, { success: true, sale_id: 'sal_1', attributed: true }));
    await client.trackSale({ ...SALE, amount: 2800, currency: 'jpy' });
    expect(received[0]?.body).toMatchObject({ amount_cents: 2800, currency: 'jpy' });
  });

  it('sends the subscription of a renewal', async () => {
    const { client, received } = await startService(json(200, { success: true, sale_id: 'sal_1', attributed: true }));
    await client.trackSale({ ...SALE, subscriptionId: 'sub_1', isRecurring: true });
    expect(received[0]?.body).toMatchObject({ subscription_id: 'sub_1', is_recurring: true });
  });

  it('says why a recorded sale is not attributed', async () => {
    const { client } = await startService(
      json(200, { success: true, sale_id: 'sal_1', attributed: false, reason: 'window' }),
    );
    expect(await client.trackSale(SALE)).toMatchObject({ ok: true, data: { attributed: false, reason: 'window' } });
  });

  it('resolves with ok: false and 409 when the invoice ID was already used', async () => {
    const { client, received } = await startService(json(409, { error: 'Used.', code: 'duplicate' }));
    expect(await client.trackSale(SALE)).toMatchObject({ ok: false, status: 409, error: { code: 'duplicate' } });
    expect(received).toHaveLength(1);
  });

  it('cannot send additional_data: only a direct HTTP call can', async () => {
    const { client, received } = await startService(json(200, { success: true, sale_id: 'sal_1', attributed: true }));
    const smuggled = { ...SALE, additionalData: { test_mode: true }, additional_data: { test_mode: true } };
    await client.trackSale(smuggled);
    expect(received[0]?.body).not.toHaveProperty('additional_data');
  });
});

describe('what the contract does not name is thrown (docs/decisions/0005)', () => {
  it.each([
    [401, 'unauthorized', false],
    [403, 'unauthorized', false],
    [413, 'too_large', false],
    [404, 'unexpected', false],
    [415, 'unexpected', false],
    [307, 'unexpected', false],
  ] as const)('%i is "%s", and is not repeated', async (status, kind, isRetryable) => {
    const { client, received } = await startService(
      json(status, { error: 'No.', code: 'no' }, { location: '/elsewhere' }),
    );
    expect(await thrownBy(client.trackLead(LEAD))).toMatchObject({ kind, status, code: 'no', isRetryable });
    expect(received).toHaveLength(1);
  });

  it.each([
    ['30', 30],
    [60_000, expect.closeTo(60, -1)],
    [-60_000, 0],
    ['soon', undefined],
  ])('429 with Retry-After: %s says how many seconds to wait', async (sent, retryAfter) => {
    const header = typeof sent === 'number' ? new Date(Date.now() + sent).toUTCString() : sent;
    const { client, received } = await startService(
      json(429, { error: 'Slow.', code: 'slow' }, { 'retry-after': header }),
    );
    const error = await thrownBy(client.trackLead(LEAD));
    expect(error).toMatchObject({ kind: 'rate_limited', status: 429, isRetryable: true });
    expect(error.retryAfter).toEqual(retryAfter);
    expect(received).toHaveLength(1);
  });

  it.each([201, 204])('a %d without a body records the lead and the sale (§4 names no body)', async (status) => {
    const { client } = await startService((response) => response.writeHead(status).end());
    expect(await client.trackLead(LEAD)).toEqual({ ok: true, status, data: { leadId: null, provisional: false } });
    expect(await client.trackSale(SALE)).toMatchObject({ ok: true, status });
  });

  it.each(['OK', 'true', 'null', '[]'])('a 201 whose body is %s records both: §4 describes no body', async (body) => {
    const { client } = await startService((response) => response.writeHead(201).end(body));
    expect(await client.trackLead(LEAD)).toMatchObject({ ok: true, data: { provisional: false } });
    expect(await client.trackSale(SALE)).toMatchObject({ ok: true, status: 201 });
  });

  it.each([200, 400, 409])("a %d that is a page is 'unexpected': it is another server's", async (status) => {
    const { client } = await startService((response) => response.writeHead(status).end('<html>Welcome</html>'));
    expect(await thrownBy(client.trackLead(LEAD))).toMatchObject({ kind: 'unexpected', status });
    expect(await thrownBy(client.trackSale(SALE))).toMatchObject({ kind: 'unexpected', status });
  });

  it('keeps the API key out of its messages', async () => {
    const { client } = await startService(json(401, { error: 'No.', code: 'no' }));
    const error = await thrownBy(client.trackLead(LEAD));
    expect(JSON.stringify({ ...error, message: error.message, stack: error.stack })).not.toContain('svc_sk_1');
  });
});

describe('one retry', () => {
  it.each([
    ['a 5xx', json(503, { error: 'Down.', code: 'unavailable' })],
    ['a broken connection', hangUp],
  ])('after %s, with the same body', async (_name, fail) => {
    const { client, received } = await startService(fail, SETTLED);
    expect(await client.trackLead(LEAD)).toMatchObject({ ok: true });
    expect(received).toHaveLength(2);
    expect(received[1]?.body).toEqual(received[0]?.body);
  });

  it.each([
    ['unavailable', json(500, 'oops'), { status: 500 }],
    ['network', hangUp, { status: undefined }],
  ] as const)('and no more: then it throws "%s"', async (kind, fail, details) => {
    const { client, received } = await startService(fail);
    expect(await thrownBy(client.trackLead(LEAD))).toMatchObject({ kind, isRetryable: true, ...details });
    expect(received).toHaveLength(2);
  });

  it('throws "network" where no server listens', async () => {
    const { baseUrl } = await startService(SETTLED);
    for (const stop of stops.splice(0)) stop();
    const client = createServerClient({ apiKey: 'svc_sk_1', baseUrl });
    expect(await thrownBy(client.trackLead(LEAD))).toMatchObject({ kind: 'network', isRetryable: true });
  });
});

describe('what cannot be sent at all', () => {
  it.each<[string, Partial<LeadFields>, CallOptions]>([
    ['a body that is no JSON', { additionalData: { big: 1n } }, {}],
    ['a request ID with a line break', {}, { requestId: 'req_1\nreq_2' }],
  ])('%s is a TypeError: a repeat would change nothing', async (_name, fields, options) => {
    const { client, received } = await startService(SETTLED);
    await expect(client.trackLead({ ...LEAD, ...fields }, options)).rejects.toThrow(TypeError);
    expect(received).toEqual([]);
  });
});

describe('the time-out', () => {
  /** Time-outs that are over when the test says so, however slow the machine is. */
  function timeOuts() {
    const controller = new AbortController();
    const asked = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(controller.signal);
    return { asked, pass: () => controller.abort(new DOMException('', 'TimeoutError')) };
  }

  it('ends a call to a service that hangs, and is not repeated', async () => {
    const { asked, pass } = timeOuts();
    const { client, received } = await startService(pass);
    const error = await thrownBy(client.trackLead(LEAD, { timeoutMs: 100 }));
    expect(error).toMatchObject({ kind: 'timeout', isRetryable: true });
    expect(received).toHaveLength(1);
    expect(asked.mock.calls).toEqual([[100]]);
  });

  it('is for the whole call: a response that stalls half way, and the retry, are within it', async () => {
    const { asked, pass } = timeOuts();
    const { client, received } = await startService(
      hangUp,
      (response) => void response.writeHead(200).write('{"success":'),
    );
    const { text } = Response.prototype;
    vi.spyOn(Response.prototype, 'text').mockImplementation(function (this: Response) {
      queueMicrotask(pass); // while the second half is waited for
      return text.call(this);
    });
    expect(await thrownBy(client.trackLead(LEAD, { timeoutMs: 400 }))).toMatchObject({ kind: 'timeout' });
    expect(received).toHaveLength(2);
    expect(asked.mock.calls).toEqual([[400]]);
  });

  it('is 5 s where nothing else is said', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    const { baseUrl } = await startService(SETTLED);
    await createServerClient({ apiKey: 'svc_sk_1', baseUrl }).trackLead(LEAD);
    expect(timeout).toHaveBeenCalledWith(5000);
  });

  it.each([
    [0.5, 1],
    [1500.5, 1501],
  ])('of %d ms is %d ms: a time-out has whole milliseconds', async (timeoutMs, expected) => {
    const { asked } = timeOuts();
    const { client, baseUrl } = await startService(SETTLED);
    await client.trackLead(LEAD, { timeoutMs });
    await createServerClient({ apiKey: 'svc_sk_1', baseUrl, timeoutMs }).trackLead(LEAD);
    expect(asked.mock.calls).toEqual([[expected], [expected]]);
  });

  it("gives way to the caller's own signal", async () => {
    const { client } = await startService(stall);
    const controller = new AbortController();
    const call = client.trackLead(LEAD, { signal: controller.signal });
    controller.abort();
    expect(await thrownBy(call)).toMatchObject({ kind: 'aborted' });
  });
});

describe('construction', () => {
  it('is refused in a browser: the API key is held only on the server (§5)', () => {
    vi.stubGlobal('window', {});
    vi.stubGlobal('document', {});
    expect(() => createServerClient({ apiKey: 'svc_sk_1', baseUrl: 'https://t.test' })).toThrow(/never in a browser/);
  });

  it('does not even come into a bundle for browsers', async () => {
    const contents = "import '@svc/tracker/server'";
    const bundled = build({
      stdin: { contents, resolveDir: import.meta.dirname },
      bundle: true,
      write: false,
      logLevel: 'silent',
    });
    await expect(bundled).rejects.toThrow(/Could not resolve "@svc\/tracker\/server"/);
  });

  it.each(['', ' \n', 'svc_sk_1\nsvc_sk_2', 'svc_sk_…1'])(
    'is refused with the key "%s", which no header can hold, without showing it',
    (apiKey) => {
      const construct = () => createServerClient({ apiKey, baseUrl: 'https://t.test' });
      expect(construct).toThrow(/^createServerClient needs apiKey: (?!.*svc_sk)/);
    },
  );

  it.each([
    '',
    'https://t .test',
    't.test',
    'localhost:3000',
    'ftp://t.test',
    'https://',
    'https://user:secret@t.test',
  ])('is refused with the address "%s"', (baseUrl) => {
    expect(() => createServerClient({ apiKey: 'svc_sk_1', baseUrl })).toThrow(/baseUrl/);
  });

  it.each(['svc_sk_1\n', '\nsvc_sk_1', ' svc_sk_1\r\n'])(
    'takes a key with the line breaks of a file: %j',
    async (apiKey) => {
      const { baseUrl, received } = await startService(SETTLED);
      await createServerClient({ apiKey, baseUrl }).trackLead(LEAD);
      expect(received[0]?.headers.authorization).toBe('Bearer svc_sk_1');
    },
  );

  it('takes an address with the spaces around it that a dashboard keeps', async () => {
    const { baseUrl, received } = await startService(SETTLED);
    await createServerClient({ apiKey: 'svc_sk_1', baseUrl: ` ${baseUrl}/ \n` }).trackLead(LEAD);
    expect(received[0]?.url).toBe('/api/v1/track/lead');
  });

  it('takes an address with a trailing slash', async () => {
    const { baseUrl, received } = await startService(SETTLED);
    await createServerClient({ apiKey: 'svc_sk_1', baseUrl: `${baseUrl}/` }).trackLead(LEAD);
    expect(received[0]?.url).toBe('/api/v1/track/lead');
  });
});

it('sends the request ID of a call, and none where none is given', async () => {
  const { client, received } = await startService(SETTLED);
  await client.trackLead(LEAD, { requestId: 'req_0123456789' });
  await client.trackLead(LEAD);
  expect(received.map(({ headers }) => headers['x-request-id'])).toEqual(['req_0123456789', undefined]);
});
