import { expect, test } from 'vitest';
import { database } from '@/prisma/client';
import { aProgram } from '@/tests/support/program';
import { parseDateRange } from '../dashboard/date-range';
import { listEvents } from '../dashboard/event-queries';
import { findJourney } from '../dashboard/journey-queries';
import { readOverview } from '../dashboard/overview-queries';
import { listPartners } from '../dashboard/partner-queries';
import { planHistory } from './plan-history';
import { writeHistory } from './write-history';

const NOW = new Date('2026-11-21T12:00:00Z');

test('the dashboard shows the history as if it had been recorded, and a second seed adds nothing', async () => {
  const { programId } = await aProgram();
  const program = { programId, seed: 7, isBrowserAllowed: false, clicksPerDay: 8 };
  const { events, sales } = planHistory(program, NOW);
  await writeHistory(program, NOW);
  await writeHistory(program, NOW);

  const range = parseDateRange({ range: '90' }, NOW);
  const { current, testEvents } = await readOverview(programId, range, NOW);
  const live = (...kinds: string[]) => events.filter(({ kind, test }) => !test && kinds.includes(kind)).length;
  expect(current).toMatchObject({
    clicks: live('click'),
    provisional: live('provisional'),
    leads: live('lead'),
    sales: live('sale', 'renewal'),
    renewals: live('renewal'),
    refunds: live('refund'),
    unattributed: live('not_attributed'),
  });
  const paid = sales.filter(({ test, currency }) => !test && currency === 'usd');
  expect(current.revenue.find(({ currency }) => currency === 'usd')).toEqual({
    currency: 'usd',
    sold: paid.reduce((sum, sale) => sum + sale.amount_cents, 0),
    refunded: paid.reduce((sum, sale) => sum + sale.refunded_cents, 0),
  });
  expect(testEvents.count).toBe(events.filter((event) => event.test).length);

  const { partners } = await listPartners(programId, range, NOW);
  expect(partners.reduce((sum, { clicks }) => sum + clicks, 0)).toBe(live('click'));
  const sale = (await listEvents(programId, { kind: 'sale', mode: 'live' })).events[0];
  const journey = await findJourney(programId, sale?.leadId ?? '');
  expect(journey?.nodes.slice(0, 3).map(({ title }) => title)).toEqual(['Click', 'Provisional lead', 'Lead']);
  expect(journey?.nodes.every(({ record }) => record !== null)).toBe(true);
});

test('a program in which something has happened already gets no history', async () => {
  const { programId } = await aProgram();
  await database().trackingEvent.create({ data: { id: `evt_${programId}`, programId, kind: 'click', createdAt: NOW } });
  await writeHistory({ programId, seed: 7, isBrowserAllowed: true, clicksPerDay: 8 }, NOW);
  expect(await database().trackingEvent.count({ where: { programId } })).toBe(1);
});
