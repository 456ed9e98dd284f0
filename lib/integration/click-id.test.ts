import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { clickIdOf, readClickId } from './click-id';

const clickId = 'clk_3nVq0a9ZbYcXdWeVfUgThS';
const of = (unsafeMetadata: unknown) => clickIdOf({ id: 'user_1', unsafeMetadata });

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
});

describe('a click ID is opaque: any printable text of 1 to 255 characters', () => {
  test.each([
    ['one with a prefix', clickId],
    ['one with a customer and a time in it', 'cust_42_1714000000000'],
    ['a number as text', '7'],
    ['letters of any script', 'klick-ü-点击'],
    ['255 characters', 'a'.repeat(255)],
    ['255 characters outside the basic plane', '🙂'.repeat(255)],
  ])('%s is taken', (_, value) => {
    expect(readClickId(value, 'the cookie')).toBe(value);
    expect(of({ svc_click_id: value, theme: 'dark' })).toBe(value);
    expect(console.warn).not.toHaveBeenCalled();
  });
});

describe('docs/decisions/0014: a click ID from unsafe_metadata is user-controlled input', () => {
  test.each([
    ['null, as for a visitor who was not referred', { svc_click_id: null }],
    ['empty text', { svc_click_id: '' }],
    ['nothing', {}],
    ['no metadata at all', null],
    ['undefined metadata', undefined],
    ['metadata that is text', clickId],
    ['a key of the prototype', Object.create({ svc_click_id: clickId })],
  ])('%s is no click, silently', (_, metadata) => {
    expect(of(metadata)).toBeNull();
    expect(console.warn).not.toHaveBeenCalled();
  });

  test.each([
    ['a number', 42],
    ['false', false],
    ['an object', { toString: () => clickId }],
    ['an array', [clickId]],
    ['only spaces', '   '],
    ['256 characters', 'a'.repeat(256)],
    ['a line break at the end', `${clickId}\n`],
    ['a line break at the start', `\n${clickId}`],
    ['a NUL', 'clk_\0'],
    ['a line separator', 'clk\u2028'],
    ['a paragraph separator', 'clk\u2029'],
    ['half a surrogate pair', 'clk\ud83d'],
    ['text that runs from right to left by force', 'clk\u202e'],
  ])('%s is dropped, with a log line that names the user and not the value', (_, value) => {
    expect(of({ svc_click_id: value })).toBeNull();
    expect(vi.mocked(console.warn).mock.calls).toEqual([
      ['The click ID in unsafe_metadata of user_1 was dropped: it is not printable text of 1 to 255 characters.'],
    ]);
  });

  test('a cookie is checked in the same way', () => {
    expect(readClickId(undefined, 'the cookie')).toBeNull();
    expect(console.warn).not.toHaveBeenCalled();
    expect(readClickId('a'.repeat(256), 'the cookie')).toBeNull();
    expect(console.warn).toHaveBeenCalledWith(expect.stringContaining('in the cookie was dropped'));
  });
});

describe('the click of the user who sends a request', () => {
  const cookies = new Map<string, { value: string }>();
  let findClickId: typeof import('./click-id').findClickId;
  const ofUser = (actor?: object) =>
    findClickId({ id: 'user_1', unsafeMetadata: { svc_click_id: 'from sign-up' } }, actor);

  beforeAll(async () => {
    vi.doMock('next/headers', () => ({ cookies: async () => cookies }));
    vi.resetModules(); // other files of this worker may have loaded the module with the real cookies
    ({ findClickId } = await import('./click-id'));
  });
  afterAll(() => {
    vi.doUnmock('next/headers');
    vi.resetModules();
  });
  beforeEach(() => cookies.clear());

  test("is the cookie's", async () => {
    cookies.set('svc_click_id', { value: clickId });
    expect(await ofUser()).toBe(clickId);
  });

  test('is the one of sign-up, on a device without a cookie or with one that holds none', async () => {
    expect(await ofUser()).toBe('from sign-up');
    cookies.set('svc_click_id', { value: 'a'.repeat(256) });
    expect(await ofUser()).toBe('from sign-up');
    expect(console.warn).toHaveBeenCalledWith(expect.stringContaining('in the cookie of user_1 was dropped'));
  });

  test('is null for a user who was not referred', async () => {
    expect(await findClickId({ id: 'user_1', unsafeMetadata: {} }, undefined)).toBeNull();
  });

  test('is the one of sign-up where an administrator impersonates the user: the cookie is theirs', async () => {
    cookies.set('svc_click_id', { value: clickId });
    expect(await ofUser({ sub: 'user_administrator' })).toBe('from sign-up');
  });
});
