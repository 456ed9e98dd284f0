import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { DashboardEvent } from '@/lib/service/dashboard/event-queries';
import { EventTable } from './event-table';
import { JourneyNode } from './journey-node';

const now = new Date('2026-11-21T12:00:00Z');

const payment = (reason: string): DashboardEvent => ({
  ...{ id: 'evt_1', kind: 'not_attributed', isTest: false, reason, transactionId: 'in_1', clickId: 'clk_other' },
  ...{
    partnerCode: null,
    customerKey: null,
    leadId: null,
    leadClickedAt: null,
    email: null,
    money: null,
    occurredAt: now,
    createdAt: now,
  },
});

const record = { transaction_id: 'in_1', click_id: 'clk_other' };

const render = (event: DashboardEvent) => [
  renderToStaticMarkup(<EventTable events={[event]} now={now} />),
  renderToStaticMarkup(
    <JourneyNode node={{ title: 'Payment not attributed', isLit: false, reason: null, event, record }} now={now} />,
  ),
];

test('a payment whose click is unknown shows that click’s ID, beside its own', () => {
  for (const html of render(payment('unknown_click'))) {
    expect(html.match(/(?<=aria-label=")Copy [^"]*/g)).toEqual(['Copy payment ID', 'Copy click ID']);
    expect(html).toContain('clk_other');
  }
  for (const html of render(payment('no_payment_account'))) expect(html).not.toContain('Copy click ID');
});

test('a payment that is no sale shows what is stored of it', () => {
  const [, html] = render(payment('unknown_click'));
  expect(html).toContain('Stored record<span class="sr-only"> of the payment</span>');
  expect(html).toContain('&quot;click_id&quot;: &quot;clk_other&quot;');
});

test('a payment whose customer has a lead by now links to the journey, and not from the journey itself', () => {
  for (const reason of ['unknown_click', 'unknown_customer']) {
    const [list, journey] = render({ ...payment(reason), customerKey: 'user_1', leadId: 'led_1' });
    expect(list).toContain('View journey');
    expect(journey).not.toContain('<a ');
  }
});
