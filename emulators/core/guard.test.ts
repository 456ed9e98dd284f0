import { expect, test } from 'vitest';
import { findRefusal } from './guard';

const config = {
  appUrl: 'http://localhost:3000',
  url: 'http://emulators.internal:3001',
  directory: 'memory://',
  clerkWebhook: null,
  stripeWebhooks: [],
  appName: 'An app',
};
const refusal = (request: { method?: string; host?: string; origin?: string }) =>
  findRefusal({ method: 'POST', host: 'localhost:3001', origin: undefined, ...request }, config);

test.each(['localhost:3001', '127.0.0.1:3001', '[::1]:3001', 'emulators.internal:3001', 'a.localhost:3001'])(
  'the host %s is let in',
  (host) => expect(refusal({ host })).toBeNull(),
);

test.each(['evil.example:3001', 'localhost.evil.example', '127.0.0.1.evil.example', '', 'a b'])(
  'the host %s is refused, for reading, too',
  (host) => expect(refusal({ host, method: 'GET' })).toContain('is not this emulator'),
);

test.each(['http://localhost:3001', 'http://localhost:3000'])('pages of %s may change state', (origin) =>
  expect(refusal({ origin })).toBeNull(),
);

test.each(['https://evil.example', 'http://localhost:4000', 'null', 'https://localhost:3000'])(
  'pages of %s may not change state',
  (origin) => expect(refusal({ origin })).toContain('refused'),
);

test('a link from another site opens a page', () => {
  expect(refusal({ method: 'GET', origin: 'https://evil.example' })).toBeNull();
});
