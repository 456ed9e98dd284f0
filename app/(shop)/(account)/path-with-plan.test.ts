import { expect, test } from 'vitest';
import { pathWithPlan } from './path-with-plan';

test('a path keeps the plan that the address names', () => {
  expect(pathWithPlan('/welcome', 'studio_monthly')).toBe('/welcome?plan=studio_monthly');
});

test.each([null, ''])('without a plan, as %j, it is the path alone', (name) => {
  expect(pathWithPlan('/welcome', name)).toBe('/welcome');
});

test.each(['https://evil.example/', '//evil.example', 'a&plan=studio_yearly', 'a#b', 'a b', '%2F', '\\'])(
  'a plan’s name that holds the syntax of an address, as %j, stays one parameter',
  (name) => {
    const url = new URL(pathWithPlan('/welcome', name), 'http://shop.example');
    expect([url.origin, url.pathname, url.hash, [...url.searchParams]]).toEqual([
      'http://shop.example',
      '/welcome',
      '',
      [['plan', name]],
    ]);
  },
);
