import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BODY_LIMIT_BYTES, readJson, readText, WEBHOOK_LIMIT_BYTES } from './read-body';

type Body = string | Uint8Array | ReadableStream;
const post = (body: Body, headers: Record<string, string> = {}) =>
  new Request('http://localhost/', {
    method: 'POST',
    body: body as BodyInit,
    headers: { 'content-type': 'application/json', ...headers },
    ...{ duplex: 'half' },
  });
const code = (result: object) => ('code' in result ? result.code : 'read');

describe('413 over 64 KiB', () => {
  test('a body of exactly the limit is read', async () => {
    expect(code(await readText(post('a'.repeat(BODY_LIMIT_BYTES))))).toBe('read');
  });

  test('a body one byte longer is not', async () => {
    expect(code(await readText(post('a'.repeat(BODY_LIMIT_BYTES + 1))))).toBe('body_too_large');
  });

  test('payment webhooks take 512 KiB, and not a byte more', async () => {
    expect(code(await readText(post('a'.repeat(WEBHOOK_LIMIT_BYTES)), WEBHOOK_LIMIT_BYTES))).toBe('read');
    expect(code(await readText(post('a'.repeat(WEBHOOK_LIMIT_BYTES + 1)), WEBHOOK_LIMIT_BYTES))).toBe('body_too_large');
  });

  test('a body that declares too much is refused unread', async () => {
    const untouched = new ReadableStream(
      {
        pull() {
          throw new Error('read');
        },
      },
      { highWaterMark: 0 },
    );
    expect(code(await readText(post(untouched, { 'content-length': '200000000' })))).toBe('body_too_large');
  });

  test('a body without a length is read no further than the limit', async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 16_384;
        controller.enqueue(new Uint8Array(16_384));
      },
    });
    expect(code(await readText(post(endless)))).toBe('body_too_large');
    expect(sent).toBeLessThan(3 * BODY_LIMIT_BYTES);
  });
});

describe('400 for what cannot be read', () => {
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
  test.each([
    ['malformed JSON', '{"a":'],
    ['nothing', ''],
    ['bad UTF-8', Buffer.from('{"a":"\xff"}', 'latin1')],
    ['deep nesting', `{"a":${deep}}`],
    ['__proto__', '{"__proto__":{"admin":true}}'],
    ['__proto__, nested', '{"a":[{"__proto__":1}]}'],
  ])('%s', async (_, body) => {
    expect(code(await readJson(post(body)))).toBe('invalid_json');
  });

  test('no input makes it throw', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.uint8Array(), fc.json(), fc.string()), async (body) => {
        expect(['read', 'invalid_json']).toContain(code(await readJson(post(body as Body))));
      }),
      { numRuns: 2_000 },
    );
  }, 30_000);
});

describe('415 for what is not JSON', () => {
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])('%s', async (type) => {
    expect(code(await readJson(post('{}', { 'content-type': type })))).toBe('unsupported_media_type');
  });

  test('from the browser, JSON as text/plain is read: it needs no preflight', async () => {
    const request = post('{}', { 'content-type': 'text/plain;charset=UTF-8' });
    expect(code(await readJson(request, { acceptsPlainText: true }))).toBe('read');
  });

  test('a charset does not matter', async () => {
    expect(code(await readJson(post('{}', { 'content-type': 'Application/JSON; charset=utf-8' })))).toBe('read');
  });
});
