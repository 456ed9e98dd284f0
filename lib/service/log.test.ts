import { afterEach, expect, test, vi } from 'vitest';
import { formatLine, log, readRequestId, withRequestId } from './log';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const entry = {
  time: new Date('2026-11-21T10:00:00Z'),
  level: 'warn' as const,
  message: 'dropped',
  fields: { field: 'email' },
};

test('in production a line is one JSON object, elsewhere a sentence with its fields', () => {
  expect(JSON.parse(formatLine(entry, true))).toEqual({
    time: '2026-11-21T10:00:00.000Z',
    level: 'warn',
    part: 'service',
    message: 'dropped',
    field: 'email',
  });
  expect(formatLine(entry, false)).toBe('service: dropped field="email"');
});

test.each([true, false])('an ID that is an email address is left out (JSON: %s)', (isJson) => {
  expect(formatLine({ ...entry, fields: { event: 'ada@example.com' } }, isJson)).not.toContain('ada');
});

test('an address in quotes leaves the JSON whole', () => {
  const line = formatLine({ ...entry, fields: { transaction_id: 'inv "ada@example.com" 1' } }, true);
  expect(JSON.parse(line)).toMatchObject({ transaction_id: 'inv "[email]" 1' });
});

test('the place of a failure in a scoped package is no email address', () => {
  const at = 'at Fn.request (/app/node_modules/@prisma/client/runtime/client.js:67:1)';
  expect(formatLine({ ...entry, fields: { at } }, false)).toContain(at);
});

test('lines of requests that run at once have each the ID of its own', async () => {
  const info = vi.spyOn(console, 'info').mockReturnValue();
  const work = (id: string) =>
    withRequestId(id, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      log.info(id);
    });
  await Promise.all([work('request-1'), work('request-2')]);
  expect(info.mock.calls.flat().sort()).toEqual([
    'service: request-1 request_id="request-1"',
    'service: request-2 request_id="request-2"',
  ]);
  log.info('outside');
  expect(info).toHaveBeenLastCalledWith('service: outside');
});

test('in production a line of each level is written, and ends', () => {
  vi.stubEnv('NODE_ENV', 'production');
  const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const warned = vi.spyOn(console, 'warn').mockReturnValue();
  log.info('recorded', { lead_id: 'led_1' });
  log.warn('dropped');
  expect(written.mock.calls).toEqual([[expect.stringMatching(/^\{.*"message":"recorded","lead_id":"led_1"\}\n$/)]]);
  expect(warned.mock.calls).toEqual([[expect.stringMatching(/^\{.*"message":"dropped"\}$/)]]);
});

test('a request ID is taken where it is well-formed, else made', () => {
  const read = (id: string) => readRequestId(new Headers({ 'x-request-id': id }));
  expect(read('req_0123456789')).toBe('req_0123456789');
  for (const id of ['', 'short', 'ada@example.com', 'a'.repeat(129)]) expect(read(id)).toMatch(/^[0-9a-f-]{36}$/);
});
