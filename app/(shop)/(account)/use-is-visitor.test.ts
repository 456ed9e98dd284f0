import { expect, test } from 'vitest';
import { readReturnPath } from './use-is-visitor';

const ORIGIN = 'https://app.example.com';

test.each([
  ['https://app.example.com/account/plans?a=1#b', '/account/plans?a=1#b'],
  ['/checkout?plan=studio_monthly', '/checkout?plan=studio_monthly'],
])('a signed-in visitor returns to %s', (url, path) => {
  expect(readReturnPath(url, ORIGIN)).toBe(path);
});

test.each([
  null,
  '',
  'https://evil.example/account',
  '//evil.example/account',
  'https://app.example.com@evil.example/',
  'http://app.example.com/account',
  'javascript:alert(1)',
  'http://',
])('and not to %j', (url) => {
  expect(readReturnPath(url, ORIGIN)).toBeNull();
});
