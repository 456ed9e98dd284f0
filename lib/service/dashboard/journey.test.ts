import { expect, it } from 'vitest';
import type { FeedKind } from '../events/kinds.ts';
import type { DashboardEvent } from './event-queries';
import { buildJourney } from './journey';

const event = (kind: FeedKind, reason: string | null = null): DashboardEvent => ({
  id: `evt_${kind}`,
  kind,
  isTest: false,
  clickId: 'clk_1',
  partnerCode: 'ada',
  customerKey: null,
  leadId: null,
  email: null,
  transactionId: null,
  money: null,
  reason,
  occurredAt: new Date(0),
});

const titles = (...kinds: FeedKind[]) =>
  buildJourney(kinds.map((kind) => event(kind))).map(({ title, isLit }) => (isLit ? title : `(${title})`));

it('a whole journey is lit from click to renewal', () => {
  expect(titles('click', 'lead', 'sale', 'renewal')).toEqual(['Click', 'Lead', 'Sale', 'Renewal']);
});

it('what has not happened yet stands there unlit', () => {
  expect(titles('click')).toEqual(['Click', '(Lead)', '(Sale)']);
  expect(titles('click', 'lead')).toEqual(['Click', 'Lead', '(Sale)']);
  expect(titles('lead', 'sale')).toEqual(['(Click)', 'Lead', 'Sale']);
});

it('§3: a provisional lead does not count, and settles beside itself', () => {
  expect(titles('click', 'provisional')).toEqual(['Click', '(Provisional lead)', '(Lead)', '(Sale)']);
  expect(titles('click', 'provisional', 'lead')).toEqual(['Click', '(Provisional lead)', 'Lead', '(Sale)']);
});

it('§3: a sale does not settle the lead', () => {
  expect(titles('click', 'provisional', 'sale')).toEqual(['Click', '(Provisional lead)', '(Lead)', 'Sale']);
});

it('§4: a renewal without metadata stays unlit and says what is missing', () => {
  const nodes = buildJourney([event('click'), event('lead'), event('sale'), event('not_attributed', 'no_attribution')]);
  expect(nodes.at(-1)).toMatchObject({
    title: 'Renewal not attributed',
    isLit: false,
    reason: 'The payment has no svc_click_id and no svc_customer_key.',
  });
});
