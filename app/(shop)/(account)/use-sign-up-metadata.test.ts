import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { updateAttempts, withClickId } from './use-sign-up-metadata';

const clickId = 'clk_3nVq0a9ZbYcXdWeVfUgThS';

describe('other keys of unsafe_metadata are preserved when we write ours', () => {
  test('the click joins what is there', () => {
    expect(withClickId({ theme: 'dark' }, clickId)).toEqual({ theme: 'dark', svc_click_id: clickId });
  });

  test('§4, step 1: where there is none, Clerk is sent null, and not a missing key', () => {
    expect(JSON.stringify(withClickId({ theme: 'dark' }, null))).toBe('{"theme":"dark","svc_click_id":null}');
  });
});

describe('a sign-up in progress, to which Clerk’s form does not send the metadata again', () => {
  beforeEach(() => vi.stubGlobal('document', { cookie: '' }));
  afterEach(() => vi.unstubAllGlobals());

  type Listener = Parameters<Parameters<typeof updateAttempts>[0]['addListener']>[0];

  /** Clerk's browser object with an attempt, which takes what it is updated with and tells its listeners. */
  function openAttempt(unsafeMetadata: object, status = 'missing_requirements') {
    const listeners = new Set<Listener>();
    const attempt = { id: 'sua_1', status, unsafeMetadata, update: vi.fn() };
    const tell = () => {
      for (const listener of listeners) listener({ client: { signUp: attempt } } as unknown as Parameters<Listener>[0]);
    };
    const addListener = (listener: Listener) => {
      listeners.add(listener);
      tell();
      return () => listeners.delete(listener);
    };
    attempt.update.mockImplementation(async (change: object) => {
      Object.assign(attempt, change);
      tell();
    });
    return { attempt, tell, clerk: { addListener } as unknown as Parameters<typeof updateAttempts>[0] };
  }

  test('takes the click that comes later, once, and keeps its other keys', async () => {
    const { attempt, tell, clerk } = openAttempt({ theme: 'dark', svc_click_id: null });
    updateAttempts(clerk, null)();
    expect(attempt.update).not.toHaveBeenCalled();
    updateAttempts(clerk, clickId);
    tell();
    expect(attempt.update.mock.calls).toEqual([[{ unsafeMetadata: { theme: 'dark', svc_click_id: clickId } }]]);
  });

  test('keeps the click while the stored one is not known yet, and loses it where consent is declined', () => {
    vi.useFakeTimers();
    const { attempt, clerk } = openAttempt({ svc_click_id: clickId });
    vi.stubGlobal('document', { cookie: `theme=dark; svc_click_id=${clickId}` });
    const stop = updateAttempts(clerk, null);
    vi.advanceTimersByTime(5_000);
    expect(attempt.update).not.toHaveBeenCalled();
    vi.stubGlobal('document', { cookie: 'theme=dark' });
    vi.advanceTimersByTime(1_000);
    expect(attempt.unsafeMetadata).toEqual({ svc_click_id: null });
    stop();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  test('is left alone once it is complete, and asked only once where it has expired', async () => {
    const complete = openAttempt({}, 'complete');
    updateAttempts(complete.clerk, clickId);
    expect(complete.attempt.update).not.toHaveBeenCalled();
    const expired = openAttempt({});
    expired.attempt.update.mockRejectedValue(new Error('404'));
    updateAttempts(expired.clerk, clickId);
    expired.tell();
    expect(expired.attempt.update).toHaveBeenCalledOnce();
  });
});
