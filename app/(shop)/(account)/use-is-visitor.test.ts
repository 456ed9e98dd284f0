import { expect, test } from 'vitest';
import { ownUrl } from './use-is-visitor';

const ORIGIN = 'https://app.example.com';

test.each([
  ['https://app.example.com/account/plans?a=1#b', 'https://app.example.com/account/plans?a=1#b'],
  ['/checkout?plan=studio_monthly', 'https://app.example.com/checkout?plan=studio_monthly'],
  ['https://app.example.com//evil.example/', 'https://app.example.com//evil.example/'],
])('a signed-in visitor returns to %s', (url, expected) => {
  expect(ownUrl(url, ORIGIN)).toBe(expected);
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
  expect(ownUrl(url, ORIGIN)).toBeNull();
});
