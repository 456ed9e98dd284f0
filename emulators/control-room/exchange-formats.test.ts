import { expect, test } from 'vitest';
import type { Message } from '../core/trace';
import { toCurl, toHar } from './exchange-formats';

const message: Message = {
  id: 1,
  at: '2026-11-21T12:00:00.000Z',
  from: 'app',
  to: 'service',
  method: 'POST',
  path: '/api/v1/track/lead?x=1',
  status: 200,
  duration_ms: 12,
  request: {
    headers: { 'content-type': 'application/json', authorization: '[redacted]', host: 'localhost' },
    body: '{"name":"O\'Neil"}',
  },
  response: { headers: { 'content-type': 'application/json' }, body: '{"success":true}' },
  subjects: [],
};
const url = 'http://localhost:3000/api/v1/track/lead?x=1';

test('curl repeats the request, with quotes that a shell reads, and without what the connection made', () => {
  expect(toCurl(message, url)).toBe(
    [
      `curl '${url}'`,
      "-H 'content-type: application/json'",
      "-H 'authorization: [redacted]'",
      `--data-raw '{"name":"O'\\''Neil"}'`,
    ].join(' \\\n  '),
  );
  expect(toCurl({ ...message, method: 'DELETE', request: { headers: {}, body: '' } }, url)).toBe(
    `curl '${url}' \\\n  -X DELETE`,
  );
});

test('the archive is HAR 1.2 and holds what was kept: redacted stays redacted', () => {
  const { log } = toHar([message], () => url);
  expect(log.version).toBe('1.2');
  expect(log.entries[0]).toMatchObject({
    startedDateTime: message.at,
    time: 12,
    request: {
      method: 'POST',
      url,
      queryString: [{ name: 'x', value: '1' }],
      postData: { text: message.request.body },
    },
    response: { status: 200, content: { mimeType: 'application/json', text: '{"success":true}' } },
  });
  expect(log.entries[0]?.request.headers).toContainEqual({ name: 'authorization', value: '[redacted]' });
});
