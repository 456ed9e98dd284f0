import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { PLANS } from '@/lib/integration/plans';
import { describeClock } from './clerk';
import { examineCookie } from './configuration';
import { skewSeconds } from './http';
import { exitStatus, explainError, formatFindings, Obstacle, ok, warning } from './report';
import { explainRefusal } from './service';
import { describeCatalog, describeEndpoint, describeEventVersion, explainStripe } from './stripe';

const [plan] = PLANS;

describe('the prices in Stripe', () => {
  test('that are what the plans say are ok', () => {
    const owner = { unit_amount: plan.amount, currency: plan.currency, active: true };
    expect(describeCatalog([{ plan, owner, state: 'found' }])[0]?.state).toBe('ok');
  });

  test.each([
    [undefined, 'Stripe has no price for studio_monthly'],
    [{ unit_amount: plan.amount, currency: plan.currency, active: false }, 'the price of studio_monthly is archived'],
    [
      { unit_amount: 1700, currency: 'usd', active: true },
      'costs 1700 usd in Stripe and 1900 usd in lib/integration/plans.ts',
    ],
    [
      { unit_amount: plan.amount, currency: plan.currency, active: true },
      'the price of studio_monthly belongs to another or an archived product, or has another billing interval',
    ],
  ])('that differ are blockers, and setup helps', (owner, text) => {
    const [finding] = describeCatalog([{ plan, owner, state: owner ? 'replaced' : 'created' }]);
    expect(finding).toMatchObject({ state: 'blocker', detail: expect.stringContaining(text) });
    expect(finding?.action).toContain('npm run setup');
  });

  test('without a tax behavior are a warning: they can be sold, and the portal offers no other plan', () => {
    const owner = { unit_amount: plan.amount, currency: plan.currency, active: true };
    const [finding, ...others] = describeCatalog([
      { plan, owner, state: 'completed' },
      { plan, owner, state: 'found' },
    ]);
    expect(finding).toMatchObject({ state: 'warning', detail: expect.stringContaining('no tax behavior') });
    expect(others).toEqual([]);
  });
});

describe('an endpoint in Stripe', () => {
  const url = 'https://app.example.com/api/webhooks/stripe';
  const endpoint = { api_version: '2024-06-20', enabled_events: ['charge.refunded'] } as Stripe.WebhookEndpoint;
  const complete = { ...endpoint, enabled_events: ['*'] };

  test.each([
    [{ url, state: 'current', endpoint }, 'ok', 'gets its 2 events'],
    [{ url, state: 'missing' }, 'blocker', `leads to ${url}`],
    [{ url, state: 'disabled', endpoint }, 'blocker', 'is disabled'],
    [{ url, state: 'events', endpoint }, 'blocker', 'does not get invoice.paid.'],
    [{ url, state: 'version', endpoint: complete }, 'warning', `${url} gets events of 2024-06-20`],
    [{ url, state: 'version', endpoint }, 'blocker', `${url} gets events of 2024-06-20, and the handlers read`],
  ] as const)('%o', (difference, state, text) => {
    const [finding] = describeEndpoint(difference, ['charge.refunded', 'invoice.paid']);
    expect(finding).toMatchObject({ state, detail: expect.stringContaining(text) });
  });
});

test.each([
  [Stripe.API_VERSION, ['ok']],
  ['2024-06-20', ['ok']],
  ['2020-08-27', ['blocker']],
  [undefined, []],
])("events of the account's API version %s", (version, states) => {
  expect(describeEventVersion(version).map(({ state }) => state)).toEqual(states);
});

test('a Stripe key that is refused names its variable, and a Stripe that is down its address', () => {
  const refused = new Stripe.errors.StripeAuthenticationError({
    message: 'Invalid API Key',
    type: 'invalid_request_error',
  });
  expect(explainStripe(refused)[0]?.detail).toContain('STRIPE_SECRET_KEY: Stripe refuses the key.');
  const down = new Stripe.errors.StripeConnectionError({ message: 'x', type: 'api_error' });
  expect(explainStripe(down)[0]?.detail).toContain('Stripe cannot be reached at https://api.stripe.com.');
});

describe('the clock', () => {
  const now = new Date('2026-11-22T12:00:00Z');
  const at = (date: string) => skewSeconds({ headers: new Headers({ date }) }, now);

  test('that agrees is ok, also by half a minute; two minutes are a blocker', () => {
    expect(describeClock(at('Sun, 22 Nov 2026 12:00:30 GMT'))[0]?.state).toBe('ok');
    const [ahead] = describeClock(at('Sun, 22 Nov 2026 11:58:00 GMT'));
    expect(ahead).toMatchObject({ state: 'blocker', detail: expect.stringContaining('120 s ahead') });
  });

  test('of a server that does not say its time is not judged', () => {
    expect(describeClock(skewSeconds({ headers: new Headers() }, now))).toEqual([]);
  });
});

test.each([
  ['http://localhost:3000', 'ok', 'localhost only'],
  ['http://192.168.1.2:3000', 'ok', '192.168.1.2 only'],
  ['https://app.example.com', 'ok', 'such as example.com'],
  ['https://www.app.example.co.uk', 'ok', 'such as example.co.uk'],
  ['https://example.com.au', 'ok', 'such as example.com.au'],
  ['https://my-app.vercel.app', 'warning', 'shared by many sites'],
  ['https://a1b2.ngrok-free.app', 'warning', 'shared by many sites'],
])('the cookie on %s', (url, state, text) => {
  expect(examineCookie(url)[0]).toMatchObject({ state, detail: expect.stringContaining(text) });
});

test.each([
  [401, 'does not know SVC_API_KEY'],
  [404, 'has no /api/v1/track/lead'],
  [400, 'SVC_API_KEY is not a key of program 123'],
  [503, 'returned 503'],
])('a test lead that the service answers with %i is explained', (status, text) => {
  expect(explainRefusal(status, { baseUrl: 'https://svc.example.com', programId: '123' })[0]).toContain(text);
});

test('the report has a line for each finding, the next action below it, and ends with 1 for blockers only', () => {
  const broken = explainError('App', new Obstacle('no response.', 'Start the app.'));
  expect(formatFindings([ok('Clock', 'agrees'), broken])).toBe(
    [
      'ok       Clock: agrees',
      'blocker  App: no response.',
      '         Start the app.',
      '',
      'It does not work yet: 1 blocker, 0 warnings.',
    ].join('\n'),
  );
  expect(exitStatus([broken])).toBe(1);
  expect(exitStatus([ok('Clock', 'agrees'), warning('Portal', 'none', 'See it.')])).toBe(0);
});
