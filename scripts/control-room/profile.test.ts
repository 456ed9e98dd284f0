import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FAULT_NAMES } from '../../emulators/core/faults'; // part: service
import { isMatch, profileSchema } from '../../emulators/core/profile';
import { findAppIds } from '../../emulators/core/trace-ids';
import { describeApp } from './profile.mjs';
import { compare, stagesOf, untilNonePending } from './run-scenario.mjs'; // part: service
import { NO_FAULT } from './visitor.mjs'; // part: service

const parsed = profileSchema.parse(describeApp({}));

describe('what the control room shows of the code is there', () => {
  const places = [
    ...parsed.sources.flatMap(({ sentBy, handledBy }) => [sentBy, handledBy]),
    ...parsed.scenarios.flatMap(({ decidedBy, provenBy }) => [decidedBy, provenBy]),
  ].filter((place) => place !== undefined);

  test.each(places)('$file has $find', ({ file, find }) => {
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, 'utf8')).toContain(find);
  });

  test.each([
    ['POST /v1/customers', 'stripe', 'ensureCustomer'],
    ['GET /v1/subscriptions?customer=cus_1&status=all&limit=100', 'stripe', 'listSubscriptions'],
    ['GET /v1/subscriptions?customer=cus_1&status=incomplete&limit=100', 'stripe', 'cancelUnpaid'],
    ['GET /v1/subscriptions?created[gte]=1796000000&limit=100', 'stripe', 'findSubscriptions'],
    ['GET /v1/subscriptions/search?query=x', 'stripe', 'searchSubscriptions'],
    ['GET /v1/subscriptions/sub_1', 'stripe', 'refreshSubscription'],
    ['DELETE /v1/subscriptions/sub_1', 'stripe', undefined], // after a payment, or as the user is deleted
    ['GET /v1/checkout/sessions?customer=cus_1&status=open', 'stripe', 'expireSessions'],
    ['GET /v1/checkout/sessions?customer=cus_1&status=complete', 'stripe', 'findPayment'],
    ['GET /v1/checkout/sessions?customer=cus_1&limit=1', 'stripe', 'openCheckout'],
    ['POST /v1/checkout/sessions', 'stripe', 'createAttributedSession'],
    ['POST /v1/products', 'stripe', 'createProduct'],
    ['GET /clerk/v1/users/user_1', 'clerk', 'currentUser()'],
    ['GET /clerk/v1/users?limit=100', 'clerk', 'getUserList'],
    ['POST /api/v1/track/lead', 'service', 'sendReport'],
  ] as const)('%s to %s is sent by %s', (request, to, find) => {
    const [method = '', path = ''] = request.split(' ');
    const body = { headers: [], body: '', bytes: 0 };
    const message = { from: 'app' as const, to, method, path, status: 200, request: body, response: body };
    expect(parsed.sources.find((entry) => isMatch(message, entry))?.sentBy?.find).toBe(find);
  });
});

test.each([
  ['Click ID', '{"click_id":"clk_1"}'],
  ['Customer', '{"customer_key":"user_1"}'],
  ['Lead', '{"success":true,"lead_id":"led_1","message":"The lead is settled."}'],
])('a message of the tracking service is followed by its %s', (label, body) => {
  expect(findAppIds(body, parsed)).toMatchObject([{ label }]);
});

// part: service
const LEAD = ['app', '/api/v1/track/lead'] as const;
const SALE = ['app', '/api/v1/track/sale'] as const;
const EVENT = ['stripe', '/api/v1/webhooks/stripe'] as const;

test.each([
  ['Lead recorded', LEAD, 200, '{"success":true,"lead_id":"led_1"}'],
  ['No lead: not referred', LEAD, 400, '{"error":"…","code":"not_referred"}'],
  ['Lead not recorded', LEAD, 400, '{"error":"…","code":"unknown_click"}'],
  ['Lead not recorded', LEAD, 503, '{"error":"…","code":"unavailable"}'],
  ['Lead not recorded', LEAD, null, ''],
  [undefined, ['browser', '/api/v1/track/lead'], 200, '{"success":true,"provisional":true}'],
  ['Sale recorded', SALE, 200, '{"success":true,"sale_id":"sal_1"}'],
  [undefined, SALE, 409, '{"error":"…","code":"duplicate_transaction"}'],
  ['Sale not recorded', SALE, 400, '{"error":"…","code":"unknown_customer"}'],
  ['Sale recorded', EVENT, 200, '{"received":true,"outcome":"sale"}'],
  ['Payment, not attributed', EVENT, 200, '{"received":true,"outcome":"not_attributed","reason":"no_attribution"}'],
  [undefined, EVENT, 200, '{"received":true,"outcome":"known_sale"}'],
  [
    undefined,
    EVENT,
    200,
    '{"received":true,"outcome":"not_attributed","reason":"no_program"}',
    'payment_intent.succeeded',
  ],
  ['Payment, not attributed', EVENT, 200, '{"received":true,"outcome":"not_attributed","reason":"no_program"}'],
  [undefined, EVENT, 503, '{"error":"…","code":"unavailable"}'],
] as const)(
  'the bar says "%s", and only that, for %j with %s and %s',
  (notice, [from, path], status, body, type: string = 'invoice.paid') => {
    const request = { body: JSON.stringify({ object: 'event', type }, null, 2) };
    const message = { from, to: 'service', method: 'POST', path, status, request, response: { body } } as const;
    expect(parsed.subjects.find((pattern) => isMatch(message, pattern))?.notice).toBe(notice);
  },
);

describe('the tour and the scenarios exist only while all parts run on this machine', () => {
  const read = (env: Record<string, string>) => {
    const { tour, scenarios, lanes, ids } = profileSchema.parse(describeApp(env));
    const notes = Object.entries(lanes).flatMap(([lane, { note }]) => (note ? [lane] : []));
    return { hasBoth: tour !== undefined && scenarios.length > 0, notes, pages: ids.filter(({ page }) => page).length };
  };

  test('and a note says which part runs elsewhere, and what is not captured', () => {
    const remote = { NEXT_PUBLIC_SVC_BASE_URL: 'https://tracking.example.com' };
    expect(read({})).toEqual({ hasBoth: true, notes: [], pages: 3 });
    expect(read({ STRIPE_SECRET_KEY: 'sk_test_yours' })).toEqual({ hasBoth: false, notes: ['stripe'], pages: 3 });
    expect(read({ CLERK_SECRET_KEY: 'sk_test_yours' })).toEqual({ hasBoth: false, notes: ['clerk'], pages: 3 });
    expect(read(remote)).toEqual({ hasBoth: false, notes: ['service'], pages: 0 });
    expect(describeApp(remote).subjects, 'no message to it is captured').toEqual([]);
  });
});

describe('a stage of a scenario', () => {
  const format = (amount: number) => `$${amount / 100}`;
  const first = { id: 'in_1', reason: 'subscription_create' };
  const renewal = { id: 'in_2', reason: 'subscription_cycle' };
  const sale = { kind: 'sale', transaction_id: 'in_1', amount_cents: 1900, partner_code: 'ada' };
  const lead = { kind: 'lead', partner_code: 'ada' };
  const unattributed = { kind: 'not_attributed', transaction_id: 'in_1', reason: 'no_attribution' };
  const read = (...events: (typeof sale | typeof lead | typeof unattributed)[]) =>
    stagesOf(events, [first, renewal], 'clk_1', format);
  const outcomesOf = (...[during, after]: [Parameters<typeof compare>[0], Parameters<typeof compare>[0]]) =>
    Object.fromEntries(compare(during, after).map(({ stage, outcome }) => [stage, outcome]));

  test('survived where the fault changed nothing', () => {
    expect(outcomesOf(read(lead, sale), read(lead, sale))).toMatchObject({
      Lead: 'survived',
      'First payment': 'survived',
    });
  });

  test('recovered where it came once the fault was off', () => {
    expect(outcomesOf(read(), read(sale))).toMatchObject({ 'First payment': 'recovered' });
  });

  test('is lost where nothing is recorded, or a payment is not attributed', () => {
    expect(outcomesOf(read(sale), read(unattributed))).toMatchObject({ Lead: 'lost', 'First payment': 'lost' });
  });

  test.each([
    ['one payment is two sales', 'First payment', [sale, sale]],
    ['a payment is a sale and also not attributed', 'First payment', [sale, unattributed]],
    ['another partner has the sale', 'First payment', [{ ...sale, partner_code: 'grace' }]],
    ['there is a second lead', 'Lead', [lead, lead]],
    ['another partner has the lead', 'Lead', [{ ...lead, partner_code: 'grace' }]],
    ['a sale is of no payment of this visitor', 'Other payments', [{ ...sale, transaction_id: 'in_3' }]],
  ])('is wrong where %s', (_, stage, events) => {
    expect(outcomesOf(read(), read(...events))).toMatchObject({ [stage]: 'wrong' });
  });

  test('a renewal that comes alone is not the first payment', () => {
    const { 'First payment': start, Renewal: next } = read({ ...sale, transaction_id: 'in_2' });
    expect([start, next]).toMatchObject([{ state: 'missing' }, { text: 'Sale of $19, ada', state: 'right' }]);
  });
});

test('the visitor of a scenario has its own setting for each fault, so settings for all customers do not apply', () => {
  expect(Object.keys(NO_FAULT)).toEqual(FAULT_NAMES);
});

test('a scenario at its limit names what is still pending, instead of a result', async () => {
  const pending = untilNonePending(async () => ['invoice.paid', 'invoice.paid', 'the lead'], 0);
  await expect(pending).rejects.toThrow('Still pending after 0 seconds: invoice.paid, the lead.');
  await expect(untilNonePending(async () => [], 0)).resolves.toBeUndefined();
});
// end: service
