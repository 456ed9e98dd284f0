import { expect, test } from 'vitest';
import { isSubscriber } from './checkout';

test.each(['active', 'trialing', 'past_due', 'unpaid', 'paused'])(
  '%s: a second subscription would charge twice',
  (status) => {
    expect(isSubscriber([{ status: 'canceled' }, { status }])).toBe(true);
  },
);

test.each(['incomplete', 'incomplete_expired', 'canceled'])('%s: the customer may subscribe', (status) => {
  expect(isSubscriber([{ status }])).toBe(false);
});

test('a customer without subscriptions is no subscriber', () => {
  expect(isSubscriber([])).toBe(false);
});
