import { expect, test } from 'vitest';
import { generateApiKey, hashSecret, isSameHash } from './api-key.ts';

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
