import { afterEach, describe, expect, test, vi } from 'vitest';
import { errorStatuses, refuse } from '../errors.ts';
import { guard, respond } from './respond.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test.each(errorStatuses())('$code is $status, and says what to do', async ({ code, status }) => {
  const response = respond(refuse(code));
  expect(response.status).toBe(status);
  const body = (await response.json()) as { error: string; code: string };
  expect(body).toEqual({ error: expect.stringMatching(/^.{20,}\.$/), code });
});

describe('a store that cannot be reached', () => {
  const broken = async () => {
    throw Object.assign(new Error('insert of ada@example.com failed'), { code: 'P1001' });
  };

  test('is 503, never 500: nothing was recorded, so the caller may repeat', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const response = respond(await guard(broken));
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'store_unavailable' });
  });

  test('is logged by its kind: a message may hold what was sent', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    await guard(broken);
    expect(log).toHaveBeenCalledOnce();
    expect(String(log.mock.calls)).toContain('P1001');
    expect(String(log.mock.calls)).not.toContain('ada@example.com');
  });
});

test('Retry-After and WWW-Authenticate come with the answers that need them', () => {
  expect(respond({ ...refuse('rate_limited'), retryAfterSeconds: 12 }).headers.get('retry-after')).toBe('12');
  expect(respond(refuse('invalid_api_key')).headers.get('www-authenticate')).toBe('Bearer');
});
