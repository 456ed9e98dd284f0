import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { PLANS } from '@/lib/integration/plans';
import { PlanList } from './plan-list';

type Props = Parameters<typeof PlanList>[0];

const render = (current: Props['current'], subscription: Props['subscription'] = null) =>
  renderToStaticMarkup(<PlanList current={current} subscription={subscription} />);

/** What each plan leads to: the payment page, the billing portal, or neither. */
function listTargets(...plans: Parameters<typeof render>): Array<string | undefined> {
  const [, ...offers] = render(...plans).split('<h2');
  expect(offers).toHaveLength(PLANS.length);
  return offers.map((offer) => offer.match(/action="\/api\/([\w-]+)"/)?.[1]);
}

const [checkout, billing, none] = ['checkout', 'billing', undefined];

it('without a plan each can be bought; with a lifetime plan each other one', () => {
  expect(listTargets(null)).toEqual([checkout, checkout, checkout, checkout]);
  const lifetime = { plan: 'studio_lifetime', source: 'purchase' } as const;
  expect(listTargets(lifetime)).toEqual([checkout, checkout, none, checkout]);
});

// part: demo
it('a period that was paid by transfer is extended by another one, and not paid again by card', () => {
  const month = { plan: 'studio_monthly', source: 'grant' } as const;
  expect(listTargets(month)).toEqual(['bank-transfer', checkout, checkout, checkout]);
  const lifetime = { plan: 'studio_lifetime', source: 'grant' } as const;
  expect(listTargets(lifetime)).toEqual([checkout, checkout, none, checkout]);
});
// end: demo

it('a subscriber changes the plan in the portal, which neither sells what is paid once nor changes the currency', () => {
  const monthly = { plan: 'studio_monthly', source: 'subscription', endsAt: null } as const;
  expect(listTargets(monthly, monthly)).toEqual([billing, billing, checkout, none]);
  const yen = { plan: 'studio_monthly_jpy', source: 'subscription', endsAt: null } as const;
  expect(listTargets(yen, yen)).toEqual([none, none, checkout, billing]);
  const lifetime = { plan: 'studio_lifetime', source: 'purchase' } as const;
  expect(listTargets(lifetime, monthly), 'a subscription continues beside a lifetime plan').toEqual([
    billing,
    billing,
    none,
    none,
  ]);
});

it('says what is left to do after a cancellation', () => {
  const notes = (endsAt: Date | null) => {
    const monthly = { plan: 'studio_monthly', source: 'subscription', endsAt } as const;
    return render(monthly, monthly);
  };
  expect(notes(null)).toContain('Cancel your subscription before');
  expect(notes(null)).toContain('continues until you cancel');
  expect(notes(new Date())).toContain('once your subscription has ended');
  expect(notes(new Date())).not.toMatch(/Cancel your|continues until/);
});
