import { AppRouterContext } from 'next/dist/shared/lib/app-router-context.shared-runtime';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Entitlement } from '@/lib/shop/entitlement';
import { PlanCard } from '../../plan-card';
import { PaymentResult } from './payment-result';

const none = () => {};
const router = { back: none, forward: none, refresh: none, push: none, replace: none, prefetch: none, bfcacheId: '' };

const entitlement: Entitlement = {
  plan: 'studio_monthly',
  status: 'active',
  until: new Date('2026-12-21T00:00:00Z'),
  isEnding: false,
  source: 'subscription',
};

const show = (status: Entitlement['status']) =>
  renderToStaticMarkup(
    <AppRouterContext.Provider value={router}>
      <PaymentResult entitlement={{ ...entitlement, status }} />
    </AppRouterContext.Provider>,
  );

it.each(['active', 'trialing', 'past_due'] as const)('a plan that is %s is shown', (status) => {
  expect(show(status)).toContain('Studio monthly');
});

it.each(['incomplete', 'refunded', 'ended'] as const)('a payment is being confirmed where the plan is %s', (status) => {
  expect(show(status)).toContain('Your payment is being confirmed');
});

it('a plan whose first payment is pending has no date on which it renews', () => {
  const card = renderToStaticMarkup(<PlanCard entitlement={{ ...entitlement, status: 'incomplete' }} />);
  expect(card).toContain('The first payment is not confirmed yet.');
  expect(card).not.toContain('Renews on');
});
