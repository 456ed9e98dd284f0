import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { ReportState } from '@/lib/shop/outbox';
import { TransfersCard } from './transfers-card';

it.each<[paid: boolean, report: ReportState | undefined, text: string]>([
  [false, undefined, 'Not paid yet'],
  [true, undefined, 'Pending not attempted yet'],
  [true, { state: 'pending', lastReason: '503' }, 'Pending 503'],
  [true, { state: 'done', lastReason: 'recorded' }, 'Sale recorded'],
  [true, { state: 'skipped', lastReason: 'not referred by a partner' }, 'No sale not referred by a partner'],
  [true, { state: 'dead', lastReason: 'unknown_customer' }, 'Dead letter unknown_customer'],
])('paid: %s, with the report %j a transfer has the text "%s"', (paid, report, text) => {
  const requestedAt = new Date('2026-11-21T12:00:00Z');
  const transfer = {
    ...{ invoiceId: 'LD-1', userId: 'user_1', plan: 'studio_yearly', amount: 19_000, currency: 'usd' },
    ...{ requestedAt, paidAt: paid ? requestedAt : null, report },
  };
  const html = renderToStaticMarkup(<TransfersCard transfers={{ rows: [transfer], next: null }} query={{}} />);
  expect(html.replace(/<[^>]*>/g, '')).toContain(text);
});
