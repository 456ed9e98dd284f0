import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { Entitlement } from '@/lib/integration/stripe/entitlement';
import { LookAgain } from '../../look-again';
import { PlanCard } from '../../plan-card';
import { PaymentResult } from './payment-result';

const entitlement: Entitlement = {
  plan: 'studio_monthly',
  status: 'active',
  renewsAt: new Date('2026-12-21T00:00:00Z'),
  endsAt: null,
  source: 'subscription',
  price: null,
};

const show = (status: Entitlement['status']) => PaymentResult({ entitlement: { ...entitlement, status } });

it.each(['active', 'trialing', 'past_due'] as const)('a plan that is %s is shown', (status) => {
  expect(show(status).props.children.type).toBe(PlanCard);
});

it.each(['incomplete', 'paused', 'unpaid', 'refunded', 'ended'] as const)(
  'a payment is being confirmed where the plan is %s',
  (status) => {
    const { type: Confirming } = show(status).props.children;
    const [title, text] = Confirming().props.children;
    expect(title.props.children).toBe('Your payment is being confirmed.');
    expect(text.props.children.at(-1).type).toBe(LookAgain);
  },
);

it('the plan replaces the note in an element that stays, which is announced', () => {
  for (const status of ['incomplete', 'active'] as const) {
    expect(show(status)).toMatchObject({ type: 'div', props: { role: 'status' } });
  }
});

it.each([
  ['unpaid', 'Payment needed'],
  ['paused', 'Paused'],
] as const)('a plan that is %s says so, and not that it has ended', (status, label) => {
  const card = renderToStaticMarkup(<PlanCard entitlement={{ ...entitlement, status }} />);
  expect(card).toContain(label);
  expect(card).not.toMatch(/ended|Renews on|Next invoice/i);
});

it('a plan whose first payment is pending has no date on which it renews', () => {
  const card = renderToStaticMarkup(<PlanCard entitlement={{ ...entitlement, status: 'incomplete' }} />);
  expect(card).toContain('The first payment is not confirmed yet.');
  expect(card).not.toContain('Renews on');
});
