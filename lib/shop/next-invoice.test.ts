import { describe, expect, it } from 'vitest';
import type { Entitlement } from '@/lib/integration/stripe/entitlement';
import { nextInvoiceOf } from './next-invoice';

const NEXT = new Date('2026-12-21T00:00:00Z');
const subscription: Entitlement = {
  plan: 'studio_monthly',
  status: 'active',
  renewsAt: NEXT,
  endsAt: null,
  source: 'subscription',
  price: { amount: 1900, currency: 'usd' },
};

describe('the next invoice', () => {
  it('comes when a subscription renews, or when its trial ends', () => {
    expect(nextInvoiceOf(subscription)).toMatchObject({ date: NEXT, price: { amount: 1900, interval: 'month' } });
    expect(nextInvoiceOf({ ...subscription, status: 'trialing' })?.date).toBe(NEXT);
  });

  it('is at the price that the customer has, where it is older than the plan’s', () => {
    const old = { ...subscription, price: { amount: 1500, currency: 'eur' } };
    expect(nextInvoiceOf(old)?.price).toEqual({ interval: 'month', amount: 1500, currency: 'eur' });
  });

  it('has no price where that of the customer is unknown', () => {
    expect(nextInvoiceOf({ ...subscription, price: null })).toEqual({ date: NEXT, price: null });
  });

  it.each([
    ['a subscription that ends', { renewsAt: null, endsAt: NEXT }],
    ['a payment that failed', { status: 'past_due' }],
    ['a first payment that is pending', { status: 'incomplete' }],
    ['a plan that was paid once', { source: 'purchase', renewsAt: null }],
    ['a plan that is no longer sold', { plan: 'studio_weekly' }],
  ] as const)('does not come for %s', (_, change) => {
    expect(nextInvoiceOf({ ...subscription, ...change })).toBeNull();
  });
});
