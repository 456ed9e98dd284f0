import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { PLANS, type Plan } from '@/lib/integration/plans';
import { NextStep } from '../welcome/next-step';
import { ChosenPlan } from './chosen-plan';

const [monthly, yearly] = PLANS;
const show = (plan: Plan) =>
  [
    <ChosenPlan key="checkout" plan={plan} problem={undefined} resume={undefined} />,
    <NextStep key="welcome" plan={plan} />,
  ].map((page) => renderToStaticMarkup(page));

it('a chosen plan is not chosen again: its button leads to the payment', () => {
  for (const html of show(monthly)) {
    expect(html).toContain('Continue to payment</');
    expect(html).not.toContain('Choose Studio monthly');
  }
});

it('a plan with a trial says so before the payment page', () => {
  for (const html of show(yearly)) expect(html).toContain('New customers try it free for 14 days.');
  for (const html of show(monthly)) expect(html).not.toContain('New customers');
});
