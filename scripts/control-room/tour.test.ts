import { expect, test } from 'vitest';
import { PLANS } from '@/lib/integration/plans';
import { isMatch, profileSchema } from '../../emulators/core/profile';
import { tour } from './tour.mjs';

const { steps = [], remarks = [] } = profileSchema.parse({ tour }).tour ?? {};
const unpaid = remarks.find(({ text }) => text.startsWith('A renewal could not be paid'));

function isMatchedBy(name: 'when' | 'until', body: string) {
  const message = { from: 'stripe', to: 'app', method: 'POST', path: '/api/webhooks/stripe', status: 200 } as const;
  const exchange = { ...message, request: { headers: {}, body }, response: { headers: {}, body: '' } };
  return unpaid?.[name].some((pattern) => isMatch(exchange, pattern));
}

test.each([
  ['Stripe', (status: string) => `{"object":"subscription","start_date":1,"status":"${status}","test_clock":null}`],
  ['the emulator', (status: string) => `{"object":"subscription","status":"${status}","created":1}`],
])(
  'the remark on an unpaid renewal reads the status, not the one before, in the order of fields of %s',
  (_whose, of) => {
    const event = (now: string, before: string) =>
      `{"data":{"object":${of(now)},"previous_attributes":{"status":"${before}"}}}`;
    const [failed, recovered] = [event('past_due', 'active'), event('active', 'past_due')];
    expect([isMatchedBy('when', failed), isMatchedBy('until', failed)]).toEqual([true, false]);
    expect([isMatchedBy('when', recovered), isMatchedBy('until', recovered)]).toEqual([false, true]);
  },
);

test('the plan to choose renews when the tour lets a month pass', () => {
  const purchase = steps.find(({ action }) => 'href' in action && action.href === '/pricing');
  const chosen = PLANS.filter(({ label }) => purchase?.text.includes(`Choose ${label},`));
  expect(chosen.map(({ interval }) => interval)).toEqual(['month']);
});
