import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Entitlement } from '@/lib/integration/stripe/entitlement';
import { AccountPlan } from './account-plan';

const subscription: Entitlement = {
  plan: 'studio_monthly',
  status: 'active',
  renewsAt: new Date('2026-12-21T00:00:00Z'),
  endsAt: null,
  source: 'subscription',
  price: null,
};
const transfer: Entitlement = { ...subscription, plan: 'studio_yearly', source: 'grant' };

const offersBilling = (entitlement: Entitlement | null, hasBilling: boolean) =>
  renderToStaticMarkup(
    <AccountPlan entitlement={entitlement} subscription={null} hasBilling={hasBilling} unopened={null} />,
  ).includes('action="/api/billing"');

it('a Stripe customer comes to billing whatever is shown: a paid transfer may stand before a subscription', () => {
  expect([subscription, transfer, null].map((entitlement) => offersBilling(entitlement, true))).toEqual([
    true,
    true,
    true,
  ]);
});

it.each(['past_due', 'unpaid', 'paused'] as const)(
  '%s says when a canceled plan ends, not how to keep it',
  (status) => {
    const shown = (change: Partial<Entitlement>) =>
      renderToStaticMarkup(
        <AccountPlan
          entitlement={{ ...subscription, status, ...change }}
          subscription={null}
          hasBilling={false}
          unopened={null}
        />,
      );
    const canceled = shown({ renewsAt: null, endsAt: subscription.renewsAt });
    expect(canceled).toMatch(/The plan ends on <time[^>]*>[^<]+<\/time> and does not renew\./);
    expect(canceled).not.toMatch(/Update|Pay the/);
    expect(shown({})).toMatch(/Update|Pay the/);
  },
);

it('says that billing has to be chosen again, once the session was renewed', () => {
  const page = renderToStaticMarkup(
    <AccountPlan entitlement={subscription} subscription={subscription} hasBilling unopened="renewed" />,
  );
  expect(page).toContain('Choose “Manage billing” to continue');
});

it('a plan that was paid once hides no subscription that is still charged', () => {
  const lifetime: Entitlement = { ...subscription, plan: 'studio_lifetime', renewsAt: null, source: 'purchase' };
  const shown = (entitlement: Entitlement, besides: Entitlement | null) =>
    renderToStaticMarkup(<AccountPlan entitlement={entitlement} subscription={besides} hasBilling unopened={null} />);
  expect(shown(lifetime, subscription)).toMatch(/Studio monthly.*Renews on.*Studio lifetime/s);
  for (const page of [
    shown(lifetime, null),
    shown(lifetime, { ...subscription, renewsAt: null, endsAt: subscription.renewsAt }),
    shown(subscription, subscription),
  ]) {
    expect(page.match(/<section/g)).toHaveLength(1);
  }
});

it('a user who is no Stripe customer has no billing', () => {
  expect([transfer, null].map((entitlement) => offersBilling(entitlement, false))).toEqual([false, false]);
});
