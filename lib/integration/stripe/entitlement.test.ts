import { describe, expect, test } from 'vitest';
import { type Holdings, isEntitled, isLiveSubscription, rankEntitlements } from './entitlement';

const now = new Date('2026-11-21T00:00:00Z');
const next = new Date('2026-12-21T00:00:00Z');
const past = new Date('2026-10-21T00:00:00Z');

const hold = (holdings: Partial<Holdings>) =>
  rankEntitlements({ subscriptions: [], purchases: [], grants: [], ...holdings })[0] ?? null;
const subscription = (status: string, cancelAt: Date | null = null) => ({
  plan: 'studio_monthly',
  status,
  amount: 1500n,
  currency: 'usd',
  currentPeriodEnd: next,
  cancelAt,
});
const lifetime = { plan: 'studio_lifetime', paidAt: past, refundedAt: null };
const granted = {
  plan: 'studio_monthly',
  status: 'active',
  renewsAt: null,
  endsAt: next,
  source: 'grant',
  price: null,
} as const;

describe('what a customer may use', () => {
  test('a user who bought nothing has no plan', () => {
    expect(hold({})).toBeNull();
  });

  test('a subscription is active until its period ends, and renews', () => {
    expect(hold({ subscriptions: [subscription('active')] })).toEqual({
      plan: 'studio_monthly',
      status: 'active',
      renewsAt: next,
      endsAt: null,
      source: 'subscription',
      price: { amount: 1500, currency: 'usd' },
    });
  });

  test.each([{ amount: null }, { currency: null }])(
    'a subscription whose price is not known has none: %o',
    (unknown) => {
      expect(hold({ subscriptions: [{ ...subscription('active'), ...unknown }] })?.price).toBeNull();
    },
  );

  test.each(['trialing', 'past_due', 'incomplete', 'paused', 'unpaid'])('%s is shown as it is', (status) => {
    expect(hold({ subscriptions: [subscription(status)] })).toMatchObject({ status, endsAt: null });
  });

  test.each(['canceled', 'incomplete_expired', 'a word of next year'])('%s has ended', (status) => {
    expect(hold({ subscriptions: [subscription(status)] })).toMatchObject({ status: 'ended', renewsAt: null });
  });

  test('one that has ended says when where Stripe does, and never the end of a period that was not used up', () => {
    expect(hold({ subscriptions: [subscription('canceled', past)] })?.endsAt).toEqual(past);
    expect(hold({ subscriptions: [subscription('incomplete_expired')] })).toMatchObject({
      renewsAt: null,
      endsAt: null,
    });
  });

  test('a subscription that will be canceled stays active and says when it ends', () => {
    expect(hold({ subscriptions: [subscription('active', next)] })).toMatchObject({
      status: 'active',
      renewsAt: null,
      endsAt: next,
    });
  });

  test('one that will be canceled later than with its period renews until then', () => {
    const later = new Date(next.getTime() + 90 * 86_400_000);
    expect(hold({ subscriptions: [subscription('active', later)] })).toMatchObject({ renewsAt: next, endsAt: later });
    expect(hold({ subscriptions: [subscription('canceled', later)] })).toMatchObject({ renewsAt: null });
  });

  test('a lifetime plan comes before a subscription, and never ends', () => {
    expect(hold({ subscriptions: [subscription('active')], purchases: [lifetime] })).toMatchObject({
      plan: 'studio_lifetime',
      renewsAt: null,
      endsAt: null,
    });
  });

  test('a refund takes the plan away, whichever event came first', () => {
    const refunded = { ...lifetime, refundedAt: now };
    expect(hold({ purchases: [refunded] })?.status).toBe('refunded');
    expect(hold({ purchases: [{ plan: null, paidAt: null, refundedAt: now }] })).toBeNull();
  });

  test('a live subscription comes before a refunded plan', () => {
    const holdings = { subscriptions: [subscription('active')], purchases: [{ ...lifetime, refundedAt: now }] };
    expect(hold(holdings)?.source).toBe('subscription');
  });

  test('what the app grants by itself counts where it is better than what was bought', () => {
    expect(hold({ grants: [granted], subscriptions: [subscription('past_due')] })).toBe(granted);
    const ended = { ...granted, status: 'ended' } as const;
    expect(hold({ grants: [ended], subscriptions: [subscription('past_due')] })?.source).toBe('subscription');
    expect(hold({ grants: [granted], subscriptions: [subscription('active', next)] })).toBe(granted);
    expect(hold({ grants: [granted], purchases: [lifetime] })?.source).toBe('purchase');
  });

  test.each(['active', 'trialing'])('what will end does not hide the subscription that charges next: %s', (status) => {
    const renewing = { ...subscription(status), plan: 'studio_yearly' };
    const held = { grants: [granted], subscriptions: [subscription('active', next), renewing] };
    expect(hold(held)).toMatchObject({ plan: 'studio_yearly', status, renewsAt: next });
  });

  test('another product of the same account entitles to nothing, and hides no past_due plan', () => {
    const foreign = { plan: null, paidAt: past, refundedAt: null };
    expect(hold({ purchases: [foreign], subscriptions: [{ ...subscription('active'), plan: null }] })).toBeNull();
    expect(hold({ purchases: [foreign], subscriptions: [subscription('past_due')] })?.status).toBe('past_due');
  });

  test('from best to worst: active, trialing, past_due, incomplete, paused, unpaid, refunded, ended', () => {
    const held: Partial<Holdings> = {
      subscriptions: ['canceled', 'unpaid', 'paused', 'incomplete', 'past_due', 'trialing', 'active'].map((status) =>
        subscription(status),
      ),
      purchases: [{ ...lifetime, refundedAt: now }],
    };
    const seen: string[] = [];
    for (let best = hold(held); best; best = hold(held)) {
      seen.push(best.status);
      if (best.source === 'purchase') held.purchases = [];
      const { status } = best;
      held.subscriptions =
        held.subscriptions?.filter((s) => s.status !== (status === 'ended' ? 'canceled' : status)) ?? [];
    }
    expect(seen).toEqual(['active', 'trialing', 'past_due', 'incomplete', 'paused', 'unpaid', 'refunded', 'ended']);
  });
});

test('a customer keeps the plan while a payment is retried, and not after that, while it is paused, or once it has ended or was refunded', () => {
  const all = ['active', 'trialing', 'past_due', 'incomplete', 'paused', 'unpaid', 'refunded', 'ended'] as const;
  const kept = all.filter((status) => isEntitled({ status }));
  expect(kept).toEqual(['active', 'trialing', 'past_due']);
});

test('a subscription that charges or can charge again is live; one whose first payment failed is not, nor is anything else', () => {
  const all = ['active', 'trialing', 'past_due', 'incomplete', 'paused', 'unpaid', 'refunded', 'ended'] as const;
  const live = all.filter((status) => isLiveSubscription({ source: 'subscription', status }));
  expect(live).toEqual(['active', 'trialing', 'past_due', 'paused', 'unpaid']);
  for (const source of ['purchase', 'grant'] as const) {
    expect(isLiveSubscription({ source, status: 'active' })).toBe(false);
  }
});
