import { expect, test, vi } from 'vitest';
import { generateApiKey, hashSecret, isSameHash } from './api-key';

test('a key says what it is, and no two are the same', () => {
  expect(generateApiKey()).toMatch(/^svc_sk_[\w-]{32}$/);
  expect(generateApiKey()).not.toBe(generateApiKey());
});

test('only the hash of the same key is the same', () => {
  const hash = hashSecret('svc_sk_one');
  expect(isSameHash(hash, hashSecret('svc_sk_one'))).toBe(true);
  expect(isSameHash(hash, hashSecret('svc_sk_two'))).toBe(false);
  expect(isSameHash('', hash)).toBe(false);
});

test('a comparison in constant time decides alone, so how long a response takes says nothing about a key', async () => {
  const timingSafeEqual = vi.fn(() => true);
  vi.doMock('node:crypto', async (actual) => ({ ...(await actual<typeof import('node:crypto')>()), timingSafeEqual }));
  vi.resetModules();
  const { isSameHash } = await import('./api-key');
  expect(isSameHash(hashSecret('svc_sk_one'), hashSecret('svc_sk_two'))).toBe(true);
  expect(timingSafeEqual).toHaveBeenCalledOnce();
  vi.doUnmock('node:crypto');
  vi.resetModules();
});
