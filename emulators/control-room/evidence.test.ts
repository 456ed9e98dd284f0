import { describe, expect, test } from 'vitest';
import type { Attempt, Delivery } from '../core/deliveries';
import { findEvidence } from './evidence';

const NOW = new Date('2026-11-21T12:00:00Z');

const attemptAt = (attempted_at: string): Attempt => ({
  attempted_at,
  duration_ms: 5,
  request_headers: {},
  response_status: 200,
  response_body: null,
  error: null,
});

const delivery = (change: Partial<Delivery>): Delivery => ({
  id: 'dlv_1',
  provider: 'stripe',
  url: 'http://localhost:3000/api/webhooks/stripe',
  event_id: 'evt_1',
  event_type: 'invoice.paid',
  subject: 'ada@example.com',
  status: 'delivered',
  body: '{}',
  occurred_at: NOW.toISOString(),
  created_at: NOW.toISOString(),
  next_attempt_at: null,
  attempts: [],
  ...change,
});

const NOTHING = { deliveries: [], pendingWebhooks: 0, subscriptionsWithoutMetadata: 0, refusedRequests: 0 };

const evidence = (name: Parameters<typeof findEvidence>[0]['name'], value: string, deliveries: Delivery[]) =>
  findEvidence({ name, value }, { ...NOTHING, deliveries }, NOW);

describe('duplicates', () => {
  test('show as two attempts at the same moment', () => {
    const attempts = [attemptAt('2026-11-21T12:00:00.000Z'), attemptAt('2026-11-21T12:00:00.003Z')];
    expect(evidence('mode', 'duplicated', [delivery({ attempts })])).toMatchObject({ delivery: 'dlv_1' });
  });

  test('are not what a retry is', () => {
    const attempts = [attemptAt('2026-11-21T12:00:00Z'), attemptAt('2026-11-21T12:00:01Z')];
    expect(evidence('mode', 'duplicated', [delivery({ attempts })])).toBeNull();
  });
});

describe('disorder', () => {
  const [early, late] = [attemptAt('2026-11-21T12:00:00Z'), attemptAt('2026-11-21T12:00:05Z')];
  const first = delivery({ id: 'dlv_1', event_type: 'checkout.session.completed', attempts: [late] });

  test('shows as a later event that arrived first', () => {
    const second = delivery({ id: 'dlv_2', attempts: [early] });
    expect(evidence('mode', 'shuffled', [second, first])).toEqual({
      text: 'invoice.paid arrived before checkout.session.completed',
      delivery: 'dlv_2',
    });
  });

  test('is none between two customers, two endpoints or in the right order', () => {
    for (const other of [{ subject: 'grace@example.com' }, { url: 'http://localhost:3000/other' }]) {
      expect(evidence('mode', 'shuffled', [delivery({ attempts: [early], ...other }), first])).toBeNull();
    }
    expect(
      evidence('mode', 'shuffled', [delivery({ attempts: [attemptAt('2026-11-21T12:00:09Z')] }), first]),
    ).toBeNull();
  });
});

test('a delay shows as the time until the next webhook leaves', () => {
  const waiting = delivery({ status: 'pending', next_attempt_at: '2026-11-21T12:00:30.000Z' });
  expect(evidence('delay_seconds', '30', [waiting])).toMatchObject({ until: '2026-11-21T12:00:30.000Z' });
  expect(evidence('delay_seconds', '30', [delivery({})])).toBeNull();
});

test.each([
  ['paused webhooks', 'mode', 'off', { pendingWebhooks: 3 }, 'Pending webhooks: 3'],
  ['an outage', 'outage', 'true', { refusedRequests: 3 }, 'Requests that got 503: 3'],
] as const)('%s show as the number that was counted', (_, name, value, counted, text) => {
  expect(findEvidence({ name, value }, { ...NOTHING, ...counted }, NOW)).toEqual({ text });
  expect(findEvidence({ name, value }, NOTHING, NOW)).toBeNull();
});
