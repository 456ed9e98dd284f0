import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { isSameOrigin, readBody, readRequestId, refuse, timeForCron } from './http';

const LIMIT = 64 * 1024;

/** A body without an end, until it is canceled; `sent` counts what was taken from it. */
function endlessRequest(headers: Record<string, string> = {}) {
  const taken = { bytes: 0, isCanceled: false };
  const chunk = new Uint8Array(16 * 1024);
  const body = new ReadableStream({
    pull(controller) {
      taken.bytes += chunk.byteLength;
      controller.enqueue(chunk);
    },
    cancel() {
      taken.isCanceled = true;
    },
  });
  const request = new Request('http://localhost/', { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
  return { request, taken };
}

describe('a body is read up to its limit', () => {
  test('exactly as it was sent', async () => {
    const body = '{"a" : 1,\n"b":"ü"}';
    expect(await readBody(new Request('http://localhost/', { method: 'POST', body }), LIMIT)).toBe(body);
  });

  test('a body of the limit is read, one byte more is not', async () => {
    const request = (size: number) => new Request('http://localhost/', { method: 'POST', body: 'a'.repeat(size) });
    expect(await readBody(request(LIMIT), LIMIT)).toHaveLength(LIMIT);
    expect(await readBody(request(LIMIT + 1), LIMIT)).toBeNull();
  });

  test('an endless body is left after the limit and canceled', async () => {
    const { request, taken } = endlessRequest();
    expect(await readBody(request, LIMIT)).toBeNull();
    expect(taken.bytes).toBeLessThanOrEqual(2 * LIMIT + 3 * 16 * 1024);
    expect(taken.isCanceled).toBe(true);
  });

  test('a Content-Length that lies does not help', async () => {
    const { request } = endlessRequest({ 'content-length': '10' });
    expect(await readBody(request, LIMIT)).toBeNull();
  });

  test('a body that ends before it is complete is no text', async () => {
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"a":'));
        controller.error(new Error('aborted'));
      },
    });
    const request = new Request('http://localhost/', { method: 'POST', body, duplex: 'half' } as RequestInit);
    expect(await readBody(request, LIMIT)).toBeNull();
  });

  test('no body is empty text', async () => {
    expect(await readBody(new Request('http://localhost/', { method: 'POST' }), LIMIT)).toBe('');
  });
});

const appUrl = 'https://shop.example/';
const decide = (site: string | null, origin: string | null) =>
  isSameOrigin(new Headers({ ...(site && { 'sec-fetch-site': site }), ...(origin && { origin }) }), appUrl);

describe('a form is accepted from the site’s own pages only', () => {
  test('a form that the browser marks as same-origin is accepted', () => {
    expect(decide('same-origin', null)).toBe(true);
  });

  test.each(['cross-site', 'same-site', 'none'])('a form from %s is refused, whatever its origin says', (site) => {
    expect(decide(site, 'https://shop.example')).toBe(false);
  });

  test('from a browser that sends no Sec-Fetch-Site, the origin decides', () => {
    expect(decide(null, 'https://shop.example')).toBe(true);
    expect(decide(null, 'https://shop.example.evil.test')).toBe(false);
    expect(decide(null, 'http://shop.example')).toBe(false);
    expect(decide(null, 'null')).toBe(false);
  });

  test('a request that names neither is refused', () => {
    expect(decide(null, null)).toBe(false);
  });
});

describe('with the app’s variables', () => {
  beforeEach(() => {
    vi.resetModules();
    vi.stubEnv('APP_URL', 'https://shop.example');
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  const formRequest = (body: string, headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' }) =>
    new Request('https://shop.example/api/checkout', { method: 'POST', headers, body });

  test('a form of the site’s own pages is read', async () => {
    const { readForm } = await import('./http');
    const form = await readForm(formRequest('plan=studio_yearly&note=%C3%BC'));
    expect(form instanceof URLSearchParams && [...form]).toEqual([
      ['plan', 'studio_yearly'],
      ['note', 'ü'],
    ]);
  });

  test('one from elsewhere is refused before its body is read, and so is one over 4 KiB', async () => {
    const { readForm } = await import('./http');
    expect(await readForm(formRequest('a'.repeat(5000), { 'sec-fetch-site': 'cross-site' }))).toBe('cross_site');
    expect(await readForm(formRequest('a'.repeat(4097)))).toBe('too_large');
    expect(await readForm(formRequest('a'.repeat(4096)))).toBeInstanceOf(URLSearchParams);
  });

  test('a redirect leads to a path of this app, or to the URL of a payment page', async () => {
    const { seeOther } = await import('./http');
    const urls = ['/account?problem=billing', 'https://shop.example/account', 'https://checkout.stripe.com/c/pay/1'];
    expect(urls.map(seeOther).map(({ status, headers }) => [status, headers.get('location')])).toEqual([
      [303, '/account?problem=billing'],
      [303, '/account'],
      [303, 'https://checkout.stripe.com/c/pay/1'],
    ]);
  });

  const cron = (authorization?: string) =>
    new Request('https://shop.example/', { headers: { ...(authorization && { authorization }) } });

  test('the scheduler is known by its secret', async () => {
    vi.stubEnv('CRON_SECRET', 'a secret of sixteen letters');
    const { isScheduler } = await import('./http');
    expect(isScheduler(cron('Bearer a secret of sixteen letters'))).toBe(true);
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    for (const wrong of ['Bearer ', 'Bearer a secret of sixteen letter', 'a secret of sixteen letters', undefined]) {
      expect(isScheduler(cron(wrong))).toBe(false);
    }
    expect(warn.mock.calls).toEqual(Array(3).fill([expect.stringMatching(/is not Bearer CRON_SECRET path="\/"$/)]));
    warn.mockRestore();
  });

  test('without a secret no request is the scheduler’s', async () => {
    vi.stubEnv('CRON_SECRET', '');
    const { isScheduler } = await import('./http');
    expect(isScheduler(cron('Bearer '))).toBe(false);
    expect(isScheduler(cron('Bearer undefined'))).toBe(false);
  });
});

describe('a refusal says what happened and what to do, with a stable code', () => {
  test.each([
    ['bad_signature', 400],
    ['unauthorized', 401],
    ['cross_site', 403],
    ['too_large', 413],
    ['failed', 500],
    ['unavailable', 503],
  ] as const)('%s is %i', async (code, status) => {
    const response = refuse(code);
    expect(response.status).toBe(status);
    expect(response.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
    expect(await response.json()).toEqual({ code, error: expect.stringMatching(/^[A-Z].+\.$/) });
  });
});

describe('the request ID', () => {
  const read = (id?: string) => readRequestId(new Headers(id === undefined ? {} : { 'x-request-id': id }));

  test.each(['0f8fad5b-d9cb-469f-a165-70867728950e', 'Root:1-67891233-abcdef012345678912345678', 'a'.repeat(128)])(
    'of the sender is taken where it is well-formed: %s',
    (id) => {
      expect(read(id)).toBe(id);
    },
  );

  test.each([undefined, '', 'short', 'a'.repeat(129), 'ada@example.com', 'id with spaces', '{"level":"error"}'])(
    'is made where there is none that can be taken: %s',
    (id) => {
      expect(read(id)).toMatch(/^[0-9a-f-]{36}$/);
      expect(read(id)).not.toBe(read(id));
    },
  );
});

test('a cron route has 35 s for its batches, or what it is given', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const [usual, short] = [timeForCron(), timeForCron(20_000)];
  vi.advanceTimersByTime(19_999);
  expect([usual(), short()]).toEqual([true, true]);
  vi.advanceTimersByTime(1);
  expect([usual(), short()]).toEqual([true, false]);
  vi.advanceTimersByTime(15_000);
  expect(usual()).toBe(false);
});
