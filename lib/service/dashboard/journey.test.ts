import { expect, it } from 'vitest';
import type { FeedKind } from '../events/kinds';
import type { DashboardEvent } from './event-queries';
import { buildJourney } from './journey';

const event = (
  kind: FeedKind,
  reason: string | null = null,
  money: DashboardEvent['money'] = null,
): DashboardEvent => ({
  id: `evt_${kind}`,
  kind,
  isTest: false,
  clickId: 'clk_1',
  partnerCode: 'ada',
  customerKey: null,
  leadId: null,
  leadClickedAt: null,
  email: null,
  transactionId: null,
  money,
  reason,
  occurredAt: new Date(0),
  createdAt: new Date(0),
});

const settled = { clickId: 'clk_1', test: false };

const titles = (...kinds: FeedKind[]) =>
  buildJourney(
    kinds.map((kind) => event(kind)),
    kinds.includes('lead') ? settled : null,
  ).map(({ title, isLit }) => (isLit ? title : `(${title})`));

const unlit = (events: DashboardEvent[], lead: Parameters<typeof buildJourney>[1]) =>
  buildJourney(events, lead)
    .filter(({ isLit }) => !isLit)
    .map(({ title, reason }) => `${title}: ${reason}`);

it('a whole journey is lit from click to renewal', () => {
  expect(titles('click', 'lead', 'sale', 'renewal')).toEqual(['Click', 'Lead', 'Sale', 'Renewal']);
});

it('what has not happened yet stands there unlit', () => {
  expect(titles('click')).toEqual(['Click', '(Lead)', '(Sale)']);
  expect(titles('click', 'lead')).toEqual(['Click', 'Lead', '(Sale)']);
  expect(titles('lead', 'sale')).toEqual(['(Click)', 'Lead', 'Sale']);
});

it('a click without a sign-up says where else the visitor’s sign-up may count', () => {
  expect(unlit([event('click')], null)[0]).toMatch(
    /^Lead: No sign-up with this click yet\. .* counts for that partner\. .* keeps it\.$/,
  );
});

it('§3: a provisional lead does not count, and settles beside itself', () => {
  expect(titles('click', 'provisional')).toEqual(['Click', '(Provisional lead)', '(Lead)', '(Sale)']);
  expect(titles('click', 'provisional', 'lead')).toEqual(['Click', '(Provisional lead)', 'Lead', '(Sale)']);
});

it('§3: a provisional lead says whether the sign-up counts by now', () => {
  const reasonOf = (lead: Parameters<typeof buildJourney>[1]) =>
    buildJourney([event('click'), event('provisional')], lead)[1]?.reason;
  expect(reasonOf(null)).toMatch(/counts once your server or a payment/);
  expect(reasonOf(settled)).toBe('Reported by the browser first. The lead is settled now.');
  const [, provisional] = buildJourney([event('click'), event('provisional'), event('lead')], null);
  expect(provisional?.reason, 'the entry of a lead that is gone').toMatch(/settled now/);
});

it('§3: a sale does not settle the lead', () => {
  expect(titles('click', 'provisional', 'sale')).toEqual(['Click', '(Provisional lead)', '(Lead)', 'Sale']);
});

it('§4: a renewal without metadata stays unlit and says what is missing', () => {
  const nodes = buildJourney(
    [event('click'), event('lead'), event('sale'), event('not_attributed', 'no_attribution')],
    settled,
  );
  expect(nodes.at(-1)).toMatchObject({
    title: 'Renewal not attributed',
    isLit: false,
    reason: expect.stringMatching(/^The payment has no svc_click_id and no svc_customer_key\./),
  });
});

it('a provisional lead that no payment settled says so, whether one has arrived or not', () => {
  expect(unlit([event('click'), event('provisional')], null)).toContainEqual(
    'Lead: Not settled: no lead with this click was accepted from your server, and no payment has arrived.',
  );
  const paid = [event('click'), event('provisional'), event('not_attributed', 'mode_mismatch')];
  expect(unlit(paid, null)).toContainEqual(expect.stringMatching(/^Lead: .* and no payment has settled it\.$/));
});

it('a payment that is not attributed is a renewal only after one that is', () => {
  const name = (...kinds: FeedKind[]) => titles(...kinds).find((title) => title.includes('not attributed'));
  expect(name('click', 'lead', 'not_attributed', 'sale')).toBe('(Payment not attributed)');
  expect(name('click', 'lead', 'not_attributed')).toBe('(Payment not attributed)');
  expect(name('renewal', 'not_attributed')).toBe('(Renewal not attributed)');
});

it('a customer or visitor without a payment has not paid yet', () => {
  for (const journey of [unlit([event('click')], null), unlit([event('click'), event('lead')], settled)]) {
    expect(journey.at(-1)).toBe('Sale: No payment yet.');
  }
});

it.each([
  ['a refund', 'Refund', null, null],
  ['a failed refund', 'Refund failed', 'refund_failed', 'The refund failed or was canceled. Its amount counts again.'],
  ['a lost dispute', 'Dispute lost', 'dispute_lost', expect.stringMatching(/^The dispute was lost\./)],
])('%s that changes the sale is lit, and its reason is a sentence', (_, title, code, reason) => {
  const journey = buildJourney([event('sale'), event('refund', code, { amount: 1900, currency: 'usd' })], settled);
  expect(journey.at(-1)).toMatchObject({ title, isLit: true, reason });
});

it.each([
  [
    'an open dispute',
    'Dispute opened',
    'dispute_open',
    'The customer disputes this payment. The sale is reduced if the dispute is lost.',
  ],
  ['a dispute that was won', 'Dispute won', 'dispute_won', 'The dispute was won. It does not reduce the sale.'],
])('%s changes nothing and is not lit', (_, title, code, reason) => {
  const journey = buildJourney([event('sale'), event('refund', code)], settled);
  expect(journey.at(-1)).toMatchObject({ title, isLit: false, reason });
});

it('what is recorded but older than the entries that are read is not said to be missing', () => {
  expect(unlit([event('renewal'), event('renewal')], settled)).toEqual([
    'Click: Not shown: older than the entries on this page.',
    'Lead: Not shown: older than the entries on this page.',
  ]);
  expect(unlit([event('provisional'), event('renewal')], settled)[2]).toBe(
    'Lead: Not shown: older than the entries on this page.',
  );
  expect(unlit([], settled).at(-1)).toBe('Sale: No payments in the events that are kept.');
  expect(unlit([], null)[0]).toBe('Click: Not shown: older than the entries on this page.');
});

it('a test lead has no click, or one that is a live event', () => {
  expect(unlit([event('lead')], { clickId: null, test: true })[0]).toBe(
    'Click: No click: the lead was reported without one, as test leads are.',
  );
  expect(unlit([event('lead')], { clickId: 'clk_1', test: true })[0]).toBe(
    'Click: Not shown: the click of a test lead is a live event.',
  );
});
