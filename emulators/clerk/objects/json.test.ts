import { expect, test } from 'vitest';
import { mergeMetadata } from './json';

test('metadata objects are merged, all else is replaced, and null removes a key', () => {
  const before = { a: { b: 1, c: 2 }, list: [1], kept: true, gone: 1 };
  expect(mergeMetadata(before, { a: { c: 3 }, list: [2], gone: null })).toEqual({
    a: { b: 1, c: 3 },
    list: [2],
    kept: true,
  });
});

test('a metadata key named __proto__ is data and nothing more', () => {
  const merged = mergeMetadata({}, JSON.parse('{"__proto__":{"polluted":true}}'));
  expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
  expect('polluted' in {}).toBe(false);
});
