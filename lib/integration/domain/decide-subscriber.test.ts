import { expect, test } from 'vitest';
import { isSubscriber } from './decide-subscriber';

test.each(['active', 'trialing', 'past_due', 'unpaid', 'paused'])('%s: a second one would charge twice', (status) => {
  expect(isSubscriber([{ status: 'canceled' }, { status }])).toBe(true);
});

test.each(['incomplete', 'incomplete_expired', 'canceled'])('%s: may subscribe', (status) => {
  expect(isSubscriber([{ status }])).toBe(false);
});

test('nobody who never bought is a subscriber', () => {
  expect(isSubscriber([])).toBe(false);
});
