import { expect, test } from 'vitest';
import { database } from '@/prisma/client';
import { aKnownCustomer } from '@/tests/support/known-customer';
import { deliverAt } from '@/tests/support/payment-events';
import { aProgram } from '@/tests/support/program';
import {
  chargeRefunded,
  invoicePaid,
  invoicePaymentPaid,
  refundFailed,
  type StripeEvent,
} from '@/tests/support/stripe-events';
import { unique } from '@/tests/support/unique';
import { readCursor } from '../events/cursor';
import { createId } from '../ids';
import { formatDay, parseDateRange } from './date-range';
import { parseEventFilter } from './event-filter';
import { listEvents } from './event-queries';
import { exportEvents } from './export-events';
import { readOverview } from './overview-queries';
import { listPartners } from './partner-queries';

// What the dashboard shows of a day is what happened on it, whenever it was recorded: webhooks are delivered late, and a Stripe
// test clock runs ahead.

const TODAY = new Date('2024-11-21T12:00:00Z');
const DECEMBER = { from: '2024-12-01', to: '2024-12-31' };
const NOVEMBER = { from: '2024-11-01', to: '2024-11-30' };

async function deliver(event: StripeEvent, occurred: string, now = TODAY) {
  const dated = { ...event, created: Date.parse(occurred) / 1000 };
  expect(await deliverAt(now, dated)).toMatchObject({ ok: true });
}

/** A customer who paid in November, and whose renewal in December and its refund arrive in November. */
async function aProgramAheadOfTime() {
  const { programId, metadata } = await aKnownCustomer({}, TODAY);
  const paymentIntentId = unique('pi');
  await deliver(invoicePaid({ metadata }), '2024-11-21T10:00:00Z');
  await deliver(
    invoicePaid({ metadata, paymentIntentId }, { billing_reason: 'subscription_cycle' }),
    '2024-12-21T10:00Z',
  );
  await deliver(invoicePaid({ metadata: { ...metadata, svc_customer_key: 'stranger' } }), '2024-12-22T10:00Z');
  return { programId, metadata };
}

const kindsOf = async (programId: string, params: Record<string, string>) =>
  (await listEvents(programId, parseEventFilter(params))).events.map(({ kind }) => kind);

test('a payment of December that was recorded today is found in December, and not today', async () => {
  const { programId } = await aProgramAheadOfTime();
  expect(await kindsOf(programId, DECEMBER)).toEqual(['not_attributed', 'renewal']);
  expect(await kindsOf(programId, { from: '2024-11-21', to: '2024-11-21' })).toEqual(['sale']);
  expect(await kindsOf(programId, { ...DECEMBER, partner: 'ada' })).toEqual(['renewal']);
  expect(await kindsOf(programId, { ...NOVEMBER, kind: 'renewal' })).toEqual([]);
  expect(await kindsOf(programId, {})).toEqual(['not_attributed', 'renewal', 'sale']);
});

test('so it is in an export, which names both times', async () => {
  const { programId } = await aProgramAheadOfTime();
  const read = async (params: Record<string, string>) =>
    new Response((await exportEvents(programId, parseEventFilter(params), 'json')).body).json();
  expect(await read(DECEMBER)).toMatchObject([
    { kind: 'not_attributed', occurred_at: '2024-12-22T10:00:00.000Z', recorded_at: TODAY.toISOString() },
    { kind: 'renewal', occurred_at: '2024-12-21T10:00:00.000Z' },
  ]);
  expect(await read(NOVEMBER)).toMatchObject([{ kind: 'sale' }]);
});

test('so it is in the chart, the funnel, and the comparison with the period before', async () => {
  const { programId } = await aProgramAheadOfTime();
  const january = { from: '2025-01-01', to: '2025-01-31' };
  const look = async (params: object) => readOverview(programId, parseDateRange({ ...params }, TODAY), TODAY);
  const [november, december, later] = [await look(NOVEMBER), await look(DECEMBER), await look(january)];
  expect(november.current).toMatchObject({ sales: 1, renewals: 0, unattributed: 0 });
  expect(november.current.revenue).toEqual([{ currency: 'usd', sold: 1_900, refunded: 0 }]);
  expect(december.current).toMatchObject({ sales: 1, renewals: 1, unattributed: 1 });
  expect(december.days.filter(({ sales }) => sales > 0).map(({ day }) => formatDay(day))).toEqual(['2024-12-21']);
  expect(december.previous.revenue).toEqual([{ currency: 'usd', sold: 1_900, refunded: 0 }]);
  expect(later.previous).toEqual(december.current);
});

test('so it is in a partner’s totals, also after the days that are over are added up', async () => {
  const { programId } = await aProgramAheadOfTime();
  const ada = async (params: object, now: Date) => {
    const { partners } = await listPartners(programId, parseDateRange({ ...params }, now), now);
    return partners.find(({ code }) => code === 'ada');
  };
  for (const now of [TODAY, new Date('2024-12-24T12:00:00Z'), new Date('2025-02-01T12:00:00Z')]) {
    expect(await ada(NOVEMBER, now)).toMatchObject({ newSales: 1, renewals: 0, revenue: [{ sold: 1_900 }] });
    expect(await ada(DECEMBER, now)).toMatchObject({ newSales: 0, renewals: 1, revenue: [{ sold: 1_900 }] });
  }
});

test('a payment that is delivered late counts on its day, also where that day was summed before', async () => {
  const { programId, metadata } = await aProgramAheadOfTime();
  const threeDaysOn = new Date('2024-11-24T12:00:00Z');
  const look = async () => readOverview(programId, parseDateRange(NOVEMBER, threeDaysOn), threeDaysOn);
  expect((await look()).current.sales).toBe(1);
  const ids = { invoiceId: unique('in'), paymentIntentId: unique('pi') };
  await deliver(invoicePaid({ metadata, ...ids }), '2024-11-21T11:00:00Z', threeDaysOn);
  const { current, days } = await look();
  expect(current).toMatchObject({ sales: 2, revenue: [{ sold: 3_800 }] });
  expect(days.filter(({ sales }) => sales > 0).map(({ day, sales }) => `${formatDay(day)} ${sales}`)).toEqual([
    '2024-11-21 2',
  ]);
});

test('a payment that becomes a sale after its day was summed is not attributed no longer, on that day', async () => {
  const { programId, metadata } = await aProgramAheadOfTime();
  const [customerKey, invoiceId] = [unique('user'), unique('in')];
  const invoice = invoicePaid({ metadata: { ...metadata, svc_customer_key: customerKey }, invoiceId });
  await deliver(invoice, '2024-11-21T11:00:00Z');
  const threeDaysOn = new Date('2024-11-24T12:00:00Z');
  const look = async () => (await readOverview(programId, parseDateRange(NOVEMBER, threeDaysOn), threeDaysOn)).current;
  expect(await look()).toMatchObject({ sales: 1, unattributed: 1 });
  await database().lead.create({
    data: { id: createId('led'), programId, test: false, customerKey, settledBy: 'server', createdAt: threeDaysOn },
  });
  await deliver(invoice, '2024-11-21T11:00:00Z', threeDaysOn);
  expect(await look()).toMatchObject({ sales: 2, unattributed: 0 });
  expect(await kindsOf(programId, { ...NOVEMBER, kind: 'not_attributed' })).toEqual([]);
});

test('a refund counts on the day it was made, and its sale stays on its own', async () => {
  const { programId, metadata } = await aProgramAheadOfTime();
  const ids = { invoiceId: unique('in'), paymentIntentId: unique('pi') };
  await deliver(invoicePaid({ metadata, ...ids }), '2024-11-19T11:00:00Z');
  await deliver(invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId), '2024-11-19T11:00:00Z');
  await deliver(chargeRefunded({ ...ids, refunded: 500 }), '2024-12-05T11:00:00Z');
  const look = async (params: object) =>
    (await readOverview(programId, parseDateRange({ ...params }, TODAY), TODAY)).current;
  expect(await look(NOVEMBER)).toMatchObject({ sales: 2, refunds: 0, revenue: [{ sold: 3_800, refunded: 0 }] });
  expect(await look(DECEMBER)).toMatchObject({ refunds: 1, revenue: [{ sold: 1_900, refunded: 500 }] });
  expect(await kindsOf(programId, { ...DECEMBER, kind: 'refund' })).toEqual(['refund']);
});

test('the net amounts of an export add up to the revenue of the overview', async () => {
  const { programId, metadata } = await aProgramAheadOfTime();
  const ids = { invoiceId: unique('in'), paymentIntentId: unique('pi'), chargeId: unique('ch') };
  await deliver(invoicePaid({ metadata, ...ids }), '2024-12-19T11:00:00Z');
  await deliver(invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId), '2024-12-19T11:00:00Z');
  await deliver(chargeRefunded({ ...ids, refunded: 500 }), '2024-12-20T11:00:00Z');
  await deliver(chargeRefunded({ ...ids, refunded: 800 }), '2024-12-20T12:00:00Z');
  await deliver(refundFailed({ ...ids, amount: 300 }), '2024-12-20T13:00:00Z');
  const test = {
    programId,
    test: true,
    kind: 'sale',
    amountCents: 7_000n,
    currency: 'usd',
    transactionId: unique('in'),
  };
  await database().trackingEvent.create({ data: { id: createId('evt'), ...test, createdAt: new Date('2024-12-20') } });
  const { body } = await exportEvents(programId, parseEventFilter(DECEMBER), 'json');
  const rows: Array<{ kind: string; net_cents: number | null }> = await new Response(body).json();
  expect(rows.filter((row) => row.kind === 'not_attributed')).toMatchObject([{ amount_cents: 1_900, net_cents: null }]);
  const net = rows.reduce((sum, { net_cents }) => sum + (net_cents ?? 0), 0);
  const { current } = await readOverview(programId, parseDateRange(DECEMBER, TODAY), TODAY);
  expect(current.revenue).toEqual([{ currency: 'usd', sold: 3_800, refunded: 500 }]);
  expect(net).toBe(3_300);
});

test('pages by time of occurrence neither repeat nor skip an event that was recorded in another order', async () => {
  const { programId } = await aProgram();
  const hour = 3_600_000;
  const rows = Array.from({ length: 25 }, (_, index) => ({
    id: createId('evt'),
    programId,
    kind: 'click',
    occurredAt: index % 3 === 0 ? null : new Date(TODAY.getTime() + ((index * 7) % 5) * hour),
    createdAt: new Date(TODAY.getTime() + (index % 4) * hour),
  }));
  await database().trackingEvent.createMany({ data: rows });
  const seen: Array<{ id: string; occurredAt: Date }> = [];
  for (let cursor: ReturnType<typeof readCursor> | undefined; cursor !== null; ) {
    const page = await listEvents(programId, { ...parseEventFilter({}), cursor }, 4);
    seen.push(...page.events);
    cursor = page.nextCursor ? readCursor(page.nextCursor) : null;
  }
  const timeOf = new Map(rows.map(({ id, occurredAt, createdAt }) => [id, occurredAt ?? createdAt]));
  expect(new Set(seen.map(({ id }) => id)).size).toBe(25);
  for (const { id, occurredAt } of seen) expect(occurredAt).toEqual(timeOf.get(id));
  const times = seen.map(({ occurredAt }) => occurredAt.getTime());
  expect(times).toEqual(times.toSorted((a, b) => b - a));
});
