import { describe, expect, test } from 'vitest';
import { isSameOrigin, readBody } from './http';

const LIMIT = 64 * 1024;

/** A body that goes on until it is cancelled; `sent` counts what was taken from it. */
function endlessRequest(headers: Record<string, string> = {}) {
  const taken = { bytes: 0, isCancelled: false };
  const chunk = new Uint8Array(16 * 1024);
  const body = new ReadableStream({
    pull(controller) {
      taken.bytes += chunk.byteLength;
      controller.enqueue(chunk);
    },
    cancel() {
      taken.isCancelled = true;
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

  test('an endless body is left after the limit and cancelled', async () => {
    const { request, taken } = endlessRequest();
    expect(await readBody(request, LIMIT)).toBeNull();
    expect(taken.bytes).toBeLessThanOrEqual(LIMIT + 3 * 16 * 1024);
    expect(taken.isCancelled).toBe(true);
  });

  test('a Content-Length that lies does not help', async () => {
    const { request } = endlessRequest({ 'content-length': '10' });
    expect(await readBody(request, LIMIT)).toBeNull();
  });

  test('no body is empty text', async () => {
    expect(await readBody(new Request('http://localhost/', { method: 'POST' }), LIMIT)).toBe('');
  });
});

const appUrl = 'https://larkdesk.example/';
const decide = (site: string | null, origin: string | null) =>
  isSameOrigin(new Headers({ ...(site && { 'sec-fetch-site': site }), ...(origin && { origin }) }), appUrl);

describe('a form is accepted from the site’s own pages only', () => {
  test('a browser that names the site', () => {
    expect(decide('same-origin', null)).toBe(true);
  });

  test.each(['cross-site', 'same-site', 'none'])('a form from %s is refused, whatever its origin says', (site) => {
    expect(decide(site, 'https://larkdesk.example')).toBe(false);
  });

  test('an older browser names the origin', () => {
    expect(decide(null, 'https://larkdesk.example')).toBe(true);
    expect(decide(null, 'https://larkdesk.example.evil.test')).toBe(false);
    expect(decide(null, 'http://larkdesk.example')).toBe(false);
    expect(decide(null, 'null')).toBe(false);
  });

  test('a request that names neither is refused', () => {
    expect(decide(null, null)).toBe(false);
  });
});
