import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CLERK_ENDPOINT, stripeEndpoints } from './webhook-endpoints.mjs';

const guide = readFileSync('docs/going-live.md', 'utf8');

describe.each(stripeEndpoints({}))('the endpoint of $name', ({ path, variable, events }) => {
  test('is in the guide with its secret and its events', () => {
    const row = guide.split('\n').find((line) => line.startsWith(`| \`${path}\``)) ?? '';
    const [, , secret = '', subscribed = ''] = row.split('|');
    expect(secret.trim()).toBe(`\`${variable}\``);
    expect([...subscribed.matchAll(/`([^`]+)`/g)].map(([, event]) => event)).toEqual(events);
  });

  test('is a route of the app', () => {
    const places = [
      `app/(shop)${path}/route.ts`,
      `app/(service)${path}/route.service.ts`, // part: service
    ];
    expect(places.some((place) => existsSync(place))).toBe(true);
  });
});

test('every event that the shop handles is subscribed to, and no other', () => {
  const handled = [...readFileSync('lib/integration/stripe/fulfil.ts', 'utf8').matchAll(/case '([^']+)':/g)];
  const [shop] = stripeEndpoints({});
  expect(handled.map(([, event]) => event).sort()).toEqual(shop?.events.toSorted());
});

test("Clerk's endpoint is in the guide with its events", () => {
  const { path, variable, events } = CLERK_ENDPOINT;
  for (const text of [path, variable, events.map((event) => `\`${event}\``).join(', ')]) expect(guide).toContain(text);
});

// part: service
test('every event that the service reads is subscribed to, and the dashboard lists them', () => {
  const source = readFileSync('lib/service/payments/stripe-event.ts', 'utf8');
  const read = [...source.matchAll(/case '([^']+\.[^']+)':/g)].flatMap(([, event = '']) => event);
  const [, service] = stripeEndpoints({});
  // `refund.updated` covers what `charge.refund.updated` says, of every payment method.
  expect(read.filter((event) => event !== 'charge.refund.updated').sort()).toEqual(service?.events.toSorted());
  const settings = readFileSync('app/(service)/dashboard/_components/payment-account.tsx', 'utf8');
  expect(settings).toContain(`'${service?.events.join(', ')}'`);
});

test('a tracking service elsewhere has an endpoint of its own, which is not created here', () => {
  const elsewhere = stripeEndpoints({ NEXT_PUBLIC_SVC_BASE_URL: 'https://svc.example.com' });
  expect(elsewhere.map(({ path }) => path)).toEqual(['/api/webhooks/stripe']);
});
// end: service
