import { expect, test } from 'vitest';
import { pathWithPlan } from './path-with-plan';

test('a path keeps the plan that the address names', () => {
  expect(pathWithPlan('/welcome', 'studio_monthly')).toBe('/welcome?plan=studio_monthly');
});

test.each([undefined, null, '', 'studio_gold', 'https://evil.example/', ['studio_monthly'], 'toString'])(
  'an address that names no plan, but %j, leads nowhere',
  (name) => {
    expect(pathWithPlan('/welcome', name)).toBe('/welcome');
  },
);
