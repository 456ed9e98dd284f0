import { afterEach, describe, expect, test, vi } from 'vitest';
import { errorStatuses, refuse } from '../errors';
import { type EndpointResult, guard, refuseFailure, respond } from './respond';

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
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

  test('is 503, never 500: the caller may repeat', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const response = respond(await guard(broken));
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'store_unavailable' });
  });

  test('is logged by its kind: a message may hold what was sent', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    await guard(broken);
    expect(log).toHaveBeenCalledOnce();
    expect(String(log.mock.calls)).toContain('the store failed error="Error" code="P1001"');
    expect(String(log.mock.calls)).not.toContain('ada@example.com');
  });
});

describe('a defect of an endpoint', () => {
  const defect = async () => {
    throw new TypeError('"ada@example.com" is not a function');
  };

  test('is 500: no store is to blame, and the caller may repeat', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const response = respond(await guard(defect));
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ code: 'internal_error' });
  });

  test('is logged by its kind and its place, without its message', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    await guard(defect);
    const line = /^service: an endpoint failed error="TypeError" at="at defect \(.*respond\.test\.ts:\d+:\d+\)"$/;
    expect(log.mock.calls).toEqual([[expect.stringMatching(line)]]);
  });
});

describe('a store that is slow', () => {
  const slow = () =>
    new Promise<EndpointResult>((resolve) => setTimeout(() => resolve({ ok: true, body: {} }), 50_000));

  test('is 503 before callers give up', async () => {
    vi.useFakeTimers();
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const result = guard(slow);
    await vi.advanceTimersByTimeAsync(3_500);
    expect(await result).toMatchObject({ code: 'store_unavailable' });
  });

  test('is waited for by a job of the scheduler, and its failure is 503 too', async () => {
    vi.useFakeTimers();
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const result = refuseFailure(slow);
    await vi.advanceTimersByTimeAsync(50_000);
    expect(await result).toEqual({ ok: true, body: {} });
    const failed = await refuseFailure(() => Promise.reject(new Error()));
    expect(failed).toEqual(refuse('store_unavailable'));
  });
});

test('Retry-After and WWW-Authenticate come with the responses that need them', () => {
  expect(respond({ ...refuse('rate_limited'), retryAfterSeconds: 12 }).headers.get('retry-after')).toBe('12');
  expect(respond(refuse('invalid_api_key')).headers.get('www-authenticate')).toBe('Bearer');
});
