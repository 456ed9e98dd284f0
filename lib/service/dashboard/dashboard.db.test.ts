import { describe, expect, test } from 'vitest';
import { database } from '@/prisma/client';
import { aProgram } from '@/tests/support/program';
import { unique } from '@/tests/support/unique';
import { hashSecret } from '../api-key';
import { readCursor } from '../events/cursor';
import { createId } from '../ids';
import { createKey, revokeKey } from '../keys';
import { listCustomers } from './customer-queries';
import { formatDay, parseDateRange } from './date-range';
import { parseEventFilter } from './event-filter';
import { listEvents } from './event-queries';
import { exportEvents } from './export-events';
import { readFeedVersion } from './feed-version';
import { findJourney } from './journey-queries';
import { readOverview } from './overview-queries';
import { listPartners } from './partner-queries';
import { deleteSession, findAccessByKey, findAccessBySession, insertSession } from './session-queries';
import { readSettings, updateProgram } from './settings-queries';

const NOW = new Date('2026-11-21T12:00:00Z');
const HOUR = 3_600_000;
const later = (hours: number) => new Date(NOW.getTime() + hours * HOUR);

type NewEvent = {
  kind: string;
  createdAt?: Date;
  test?: boolean;
  customerKey?: string;
  clickId?: string;
  amountCents?: number;
  currency?: string;
  reason?: string;
};

async function record(programId: string, events: NewEvent[]) {
  const rows = events.map((event) => ({ id: createId('evt'), programId, createdAt: NOW, ...event }));
  await database().trackingEvent.createMany({ data: rows });
  return rows.map(({ id }) => id);
}

describe('events', () => {
  test('pages neither repeat nor skip one, also among events of the same millisecond', async () => {
    const { programId } = await aProgram();
    const ids = await record(
      programId,
      Array.from({ length: 25 }, (_, index) => ({ kind: 'click', createdAt: later(index % 2) })),
    );
    const seen: string[] = [];
    let cursor: ReturnType<typeof readCursor> | undefined;
    do {
      const page = await listEvents(programId, { ...parseEventFilter({}), cursor: cursor ?? undefined }, 4);
      seen.push(...page.events.map(({ id }) => id));
      cursor = page.nextCursor ? readCursor(page.nextCursor) : null;
    } while (cursor);
    expect(seen).toHaveLength(25);
    expect(new Set(seen)).toEqual(new Set(ids));
  });

  test('a filter finds what it names, and nothing of another program', async () => {
    const { programId } = await aProgram();
    const other = await aProgram();
    const customerKey = unique('user');
    await record(programId, [
      { kind: 'click' },
      { kind: 'provisional' },
      { kind: 'lead', customerKey },
      { kind: 'lead', customerKey, test: true },
      { kind: 'sale', customerKey, createdAt: later(48) },
    ]);
    await record(other.programId, [{ kind: 'lead', customerKey }]);
    const kinds = async (params: Record<string, string>) =>
      (await listEvents(programId, parseEventFilter(params))).events
        .map(({ kind, isTest }) => `${kind} ${isTest}`)
        .sort();
    expect(await kinds({ kind: 'lead' })).toEqual(['lead false', 'lead true']);
    expect(await kinds({ kind: 'provisional' })).toEqual(['provisional false']);
    expect(await kinds({ customer: customerKey, mode: 'live' })).toEqual(['lead false', 'sale false']);
    expect(await kinds({ mode: 'test' })).toEqual(['lead true']);
    expect(await kinds({ from: '2026-11-23', to: '2026-11-23' })).toEqual(['sale false']);
    expect(await kinds({ to: '2026-11-20' })).toEqual([]);
  });

  test('a filter that cannot be read finds nothing, and its export holds nothing', async () => {
    const { programId } = await aProgram();
    await record(programId, [{ kind: 'click' }]);
    const filter = parseEventFilter({ customer: 'x'.repeat(256) });
    expect(await listEvents(programId, filter)).toEqual({ events: [], nextCursor: null });
    expect(await new Response((await exportEvents(programId, filter, 'json')).body).json()).toEqual([]);
  });
});

describe('the events of a customer', () => {
  test('are those that name the customer, and those of the customer’s click that name no one', async () => {
    const { programId } = await aProgram();
    const [customerKey, other] = [unique('user'), unique('user')];
    const clickId = createId('clk');
    const partner = await database().partner.findFirstOrThrow({ where: { programId, code: 'ada' } });
    const click = { id: clickId, programId, partnerId: partner.id, affiliateUrl: 'https://shop.example/?aff=ada' };
    await database().click.create({ data: { ...click, createdAt: NOW } });
    const lead = { programId, test: false, clickId, settledBy: 'server', createdAt: NOW };
    await database().lead.create({ data: { ...lead, id: createId('led'), customerKey } });
    await database().lead.create({ data: { ...lead, id: createId('led'), customerKey: other } });
    await record(programId, [
      { kind: 'click', clickId, createdAt: later(0) },
      { kind: 'provisional', clickId, createdAt: later(1) },
      { kind: 'lead', clickId, customerKey, createdAt: later(2) },
      { kind: 'lead', clickId, customerKey: other, createdAt: later(3) },
      { kind: 'sale', customerKey, createdAt: later(4) },
      { kind: 'click', createdAt: later(5) },
    ]);
    const { events } = await listEvents(programId, { customer: customerKey });
    expect(events.map(({ kind }) => kind)).toEqual(['sale', 'lead', 'provisional', 'click']);
    const ofClick = await listEvents(programId, { click: clickId });
    expect(ofClick.events.map(({ kind }) => kind)).toEqual(['lead', 'lead', 'provisional', 'click']);
  });
});

test.each(['unknown_customer', 'unknown_click'])(
  'a payment of a customer who was unknown then shows when the lead’s click was made: %s',
  async (reason) => {
    const { programId } = await aProgram();
    const partner = await database().partner.findFirstOrThrow({ where: { programId, code: 'ada' } });
    const [clickId, customerKey] = [createId('clk'), unique('user')];
    const click = { id: clickId, programId, partnerId: partner.id, affiliateUrl: 'https://shop.example/?aff=ada' };
    await database().click.create({ data: { ...click, createdAt: later(1) } });
    const lead = { id: createId('led'), programId, test: false, customerKey, clickId, settledBy: 'payment' };
    await database().lead.create({ data: { ...lead, createdAt: later(2) } });
    await record(programId, [
      { kind: 'not_attributed', customerKey, reason },
      { kind: 'not_attributed', customerKey: unique('user'), reason },
    ]);
    const { events } = await listEvents(programId, {});
    expect(new Map(events.map((event) => [event.leadId, event.leadClickedAt]))).toEqual(
      new Map([
        [lead.id, later(1)],
        [null, null],
      ]),
    );
  },
);

test('the click of a customer’s test lead is in no list of live events', async () => {
  const { programId } = await aProgram();
  const partner = await database().partner.findFirstOrThrow({ where: { programId, code: 'ada' } });
  const [clickId, customerKey] = [createId('clk'), unique('user')];
  const click = { id: clickId, programId, partnerId: partner.id, affiliateUrl: 'https://shop.example/?aff=ada' };
  await database().click.create({ data: { ...click, createdAt: NOW } });
  const lead = { programId, customerKey, settledBy: 'server', createdAt: NOW };
  await database().lead.create({ data: { ...lead, id: createId('led'), test: true, clickId } });
  await database().lead.create({ data: { ...lead, id: createId('led'), test: false } });
  await record(programId, [
    { kind: 'click', clickId },
    { kind: 'lead', clickId, customerKey, test: true },
    { kind: 'lead', customerKey },
  ]);
  const kinds = async (mode: 'live' | 'test') =>
    (await listEvents(programId, { customer: customerKey, mode })).events.map(({ kind }) => kind);
  expect([await kinds('live'), await kinds('test')]).toEqual([['lead'], ['lead']]);
});

describe('the version of the feed', () => {
  test('changes with every entry, also with one that is committed late, and with nothing else', async () => {
    const { programId } = await aProgram();
    const other = await aProgram();
    const versions = [await readFeedVersion(programId)];
    for (const createdAt of [later(1), later(3), later(2)]) {
      await record(programId, [{ kind: 'click', createdAt }]);
      versions.push(await readFeedVersion(programId));
    }
    expect(new Set(versions).size).toBe(4);
    await record(other.programId, [{ kind: 'click' }]);
    expect(await readFeedVersion(programId)).toBe(versions.at(-1));
  });

  test('changes with an entry that is corrected in place, as a payment is by its later events', async () => {
    const { programId } = await aProgram();
    await record(programId, [{ kind: 'sale', amountCents: 1_900, currency: 'eur' }]);
    const versions = [await readFeedVersion(programId)];
    const corrections = [
      { amountCents: 2_000n },
      { currency: 'usd' },
      { transactionId: unique('in') },
      { kind: 'renewal' },
      { occurredAt: later(1) },
    ];
    for (const data of corrections) {
      await database().trackingEvent.updateMany({ where: { programId }, data });
      versions.push(await readFeedVersion(programId));
    }
    expect(new Set(versions).size).toBe(corrections.length + 1);
  });
});

describe('the overview', () => {
  const counts = { clicks: 3, provisional: 2, leads: 1, sales: 2, renewals: 1, refunds: 1, unattributed: 1 };
  const twice = { clicks: 6, provisional: 4, leads: 2, sales: 4, renewals: 2, refunds: 2, unattributed: 2 };
  const range = (from: string, to: string) => parseDateRange({ from, to }, NOW);
  const lastWeek = range('2026-11-15', '2026-11-21');

  async function aProgramWithDays(...days: Date[]) {
    const { programId } = await aProgram();
    for (const day of days) {
      for (const partnerCode of ['ada', 'grace']) {
        await database().dailyCount.create({ data: { programId, day, partnerCode, ...counts } });
        const money = { currency: 'usd', salesCents: 1_900n, refundedCents: 400n };
        await database().dailyAmount.create({ data: { programId, day, partnerCode, ...money } });
      }
    }
    return programId;
  }

  test('has the days of the range, and those of the same length before them', async () => {
    const programId = await aProgramWithDays(later(-24 * 400), later(-24 * 10), later(-24 * 3), NOW);
    const { current, previous, days } = await readOverview(programId, lastWeek, NOW);
    expect(current).toMatchObject({ clicks: 12, sales: 8, renewals: 4, refunds: 4, unattributed: 4 });
    expect(current.revenue).toEqual([{ currency: 'usd', sold: 7_600, refunded: 1_600 }]);
    expect(previous).toEqual({ ...twice, revenue: [{ currency: 'usd', sold: 3_800, refunded: 800 }] });
    expect(days.map(({ day, clicks }) => `${formatDay(day)} ${clicks}`)).toEqual([
      '2026-11-15 0',
      '2026-11-16 0',
      '2026-11-17 0',
      '2026-11-18 6',
      '2026-11-19 0',
      '2026-11-20 0',
      '2026-11-21 6',
    ]);
    const undone = { programId, day: NOW, partnerCode: 'ada', currency: 'eur', salesCents: 0n, refundedCents: 0n };
    await database().dailyAmount.create({ data: undone }); // as a sale leaves it that was restated in another currency
    expect((await readOverview(programId, lastWeek, NOW)).current.revenue).toEqual(current.revenue);
    const empty = await readOverview(programId, range('2026-01-01', '2026-01-31'), NOW);
    expect(empty.current).toMatchObject({ clicks: 0, revenue: [] });
  });

  test('has the same totals before and after the days that are over are summed, and counts on from there', async () => {
    const programId = await aProgramWithDays(later(-24 * 400), later(-24 * 3), later(-24), NOW);
    const before = await readOverview(programId, lastWeek, NOW);
    expect(before.current.clicks).toBe(18);
    expect(await readOverview(programId, lastWeek, NOW)).toEqual(before);
    expect(await database().closedDay.count({ where: { programId } }), 'today may still change').toBe(3);
    await database().dailyCount.updateMany({ where: { programId, day: NOW, partnerCode: 'ada' }, data: { clicks: 4 } });
    expect((await readOverview(programId, lastWeek, later(12))).current.clicks).toBe(19);
    expect(await database().closedDay.count({ where: { programId } }), 'a request may be late at midnight').toBe(3);
    expect((await readOverview(programId, lastWeek, later(24))).current.clicks).toBe(19);
    expect(await database().closedDay.count({ where: { programId } })).toBe(4);
  });
});

test('a host whose clock is ahead sums up no day that has not ended', async () => {
  const { programId } = await aProgram();
  const day = new Date();
  const ahead = new Date(day.getTime() + 48 * 3_600_000);
  await database().dailyCount.create({ data: { programId, day, partnerCode: 'ada', clicks: 1 } });
  const look = async (now: Date) => {
    const range = parseDateRange({ range: 7 }, now);
    const [{ current }, { partners }] = [
      await readOverview(programId, range, now),
      await listPartners(programId, range, now),
    ];
    return [current.clicks, partners.find(({ code }) => code === 'ada')?.clicks];
  };
  expect(await look(ahead)).toEqual([1, 1]);
  await database().dailyCount.updateMany({ where: { programId }, data: { clicks: 2 } });
  expect(await look(ahead)).toEqual([2, 2]);
});

test('a page of partners continues where the one before ended', async () => {
  const { programId } = await aProgram();
  const codes = Array.from({ length: 60 }, (_, index) => `partner_${String(index).padStart(2, '0')}`);
  await database().partner.createMany({
    data: codes.map((code) => ({ id: createId('par'), programId, code, name: code })),
  });
  const day = later(-24 * 3);
  await database().dailyCount.createMany({
    data: codes.map((partnerCode) => ({ programId, day, partnerCode, clicks: 1 })),
  });
  const range = parseDateRange({}, NOW);
  const first = await listPartners(programId, range, NOW);
  // Of the 51 partners that were read, 48 have a day: else the last one would be added up for each view of the page.
  expect(await database().partnerTotal.count({ where: { programId } })).toBe(48);
  const second = await listPartners(programId, range, NOW, { after: first.nextCursor ?? '' });
  expect([...first.partners, ...second.partners].map(({ code }) => code)).toEqual(['ada', 'grace', 'linus', ...codes]);
  expect(second.nextCursor).toBeNull();
});

test('a search for partners finds the beginning of a code or name, case-insensitive, and says when there are more', async () => {
  const { programId } = await aProgram();
  const other = await aProgram();
  const partner = (code: string, name: string, of = programId) => ({
    ...{ id: createId('par'), programId: of, code, name },
  });
  await database().partner.createMany({
    data: [
      partner('Zoe_1', 'Élan'),
      partner('100%', 'zoe’s blog'),
      partner('blog', 'A Blog by Zoe'),
      partner('zoe', 'Zoe', other.programId),
      ...Array.from({ length: 60 }, (_, index) => partner(`many_${index}`, 'Ada’s friend')),
    ],
  });
  await database().dailyCount.create({ data: { programId, day: later(-24), partnerCode: 'Zoe_1', clicks: 7 } });
  const find = (search: string) => listPartners(programId, parseDateRange({}, NOW), NOW, { search });
  const codes = async (search: string) => (await find(search)).partners.map(({ code }) => code);
  expect((await codes('ZOE')).toSorted()).toEqual(['100%', 'Zoe_1']);
  expect(await codes('Él')).toEqual(['Zoe_1']);
  expect((await find('zoe_')).partners).toMatchObject([{ code: 'Zoe_1', clicks: 7 }]);
  for (const search of ['%', 'by zoe', '\u0000', 'oe']) expect(await codes(search)).toEqual([]);
  const many = await find('ada');
  expect([many.partners.length, many.isPartial, many.nextCursor]).toEqual([50, true, null]);
  expect((await find('many_1')).isPartial).toBe(false);
});

describe('sessions', () => {
  test('a session ends by itself, by signing out, and with its key', async () => {
    const { programId, apiKey } = await aProgram();
    const access = await findAccessByKey(hashSecret(apiKey), NOW);
    expect(access).toMatchObject({ programId });
    if (!access) return;
    const [lasting, ended] = [unique('token'), unique('token')];
    await insertSession(access, lasting, later(12));
    await insertSession(access, ended, later(12));
    expect(await findAccessBySession(lasting, later(11))).toEqual(access);
    expect(await findAccessBySession(lasting, later(12))).toBeNull();
    await deleteSession(ended);
    expect(await findAccessBySession(ended, NOW)).toBeNull();
    await createKey(programId, 'Second');
    await revokeKey(programId, access.apiKeyId, NOW);
    expect(await findAccessBySession(lasting, later(1))).toBeNull();
    expect(await findAccessByKey(hashSecret(apiKey), NOW)).toBeNull();
  });
});

test('settings change this program only', async () => {
  const [one, two] = [await aProgram(), await aProgram()];
  await updateProgram(one.programId, { leadAuthPolicy: 'browser_allowed', paused: true, paymentMode: null });
  expect(await readSettings(one.programId)).toMatchObject({
    leadAuthPolicy: 'browser_allowed',
    isPaused: true,
    payments: { mode: null },
  });
  expect(await readSettings(two.programId)).toMatchObject({ leadAuthPolicy: 'server_verified', isPaused: false });
  const isPaused = async (apiKey: string) => (await findAccessByKey(hashSecret(apiKey), NOW))?.isPaused;
  expect([await isPaused(one.apiKey), await isPaused(two.apiKey)], 'on every page').toEqual([true, false]);
});

test('a customer counts what was paid less refunds, each currency for itself, and only in one mode', async () => {
  const { programId } = await aProgram();
  const customerKey = unique('user');
  const leadId = createId('led');
  const base = { programId, customerKey, source: 'api', occurredAt: NOW, createdAt: NOW };
  await database().lead.create({
    data: { id: leadId, programId, test: false, customerKey, settledBy: 'server', createdAt: NOW },
  });
  await database().sale.createMany({
    data: [
      {
        ...base,
        id: createId('sal'),
        test: false,
        transactionId: 'a',
        amountCents: 1900,
        refundedCents: 500,
        currency: 'usd',
      },
      { ...base, id: createId('sal'), test: false, transactionId: 'b', amountCents: 1900, currency: 'usd' },
      { ...base, id: createId('sal'), test: false, transactionId: 'c', amountCents: 2800, currency: 'jpy' },
      { ...base, id: createId('sal'), test: true, transactionId: 'a', amountCents: 9900, currency: 'usd' },
    ],
  });
  const { customers } = await listCustomers(programId, { search: customerKey });
  expect(customers).toMatchObject([
    {
      sales: 3,
      amounts: [
        { currency: 'jpy', amount: 2800 },
        { currency: 'usd', amount: 3300 },
      ],
    },
  ]);
  const other = await aProgram();
  expect(await findJourney(other.programId, leadId)).toBeNull();
  expect(await findJourney(programId, leadId)).toMatchObject({ customerKey });
});

test('the page of a click shows its real customer, and never a test lead', async () => {
  const { programId } = await aProgram();
  const partner = await database().partner.findFirstOrThrow({ where: { programId, code: 'ada' } });
  const clickId = createId('clk');
  const click = { id: clickId, programId, partnerId: partner.id, affiliateUrl: 'https://shop.example/?aff=ada' };
  await database().click.create({ data: { ...click, createdAt: NOW } });
  const settle = (test: boolean, customerKey: string, createdAt: Date) =>
    database().lead.create({
      data: { id: createId('led'), programId, test, customerKey, clickId, settledBy: 'server', createdAt },
    });
  await settle(true, 'tester', NOW);
  expect(await findJourney(programId, clickId)).toMatchObject({ customerKey: null, isTest: false });
  await settle(false, 'first', new Date(NOW.getTime() + 1_000));
  await settle(false, 'second', new Date(NOW.getTime() + 2_000));
  expect(await findJourney(programId, clickId)).toMatchObject({ customerKey: 'first', isTest: false });
});

test('a journey is found by customer ID, and by the transaction ID of a sale with or without a customer', async () => {
  const { programId } = await aProgram();
  const partner = await database().partner.findFirstOrThrow({ where: { programId, code: 'ada' } });
  const attribution = { programId, partnerId: partner.id };
  const clickId = createId('clk');
  const affiliateUrl = 'https://shop.example/?aff=ada';
  await database().click.create({ data: { ...attribution, id: clickId, affiliateUrl, createdAt: NOW } });
  const customerKey = unique('auth0|');
  const lead = { ...attribution, customerKey, settledBy: 'server' };
  await database().lead.create({ data: { ...lead, id: createId('led'), test: true, createdAt: NOW } });
  await database().lead.create({ data: { ...lead, id: createId('led'), test: false, createdAt: later(1) } });
  const sell = (transactionId: string, of: { customerKey?: string; clickId?: string }) =>
    database().sale.create({
      data: {
        ...{
          ...attribution,
          ...of,
          id: createId('sal'),
          transactionId,
          test: false,
          amountCents: 1900,
          currency: 'usd',
        },
        ...{ source: 'payment', occurredAt: NOW, createdAt: NOW },
      },
    });
  const [invoice, withoutCustomer] = [unique('in'), unique('in')];
  await sell(invoice, { customerKey });
  await sell(withoutCustomer, { clickId });
  expect(await findJourney(programId, customerKey), 'live before test').toMatchObject({ customerKey, isTest: false });
  expect(await findJourney(programId, invoice)).toMatchObject({ customerKey, isTest: false });
  expect(await findJourney(programId, withoutCustomer)).toMatchObject({ customerKey: null, partner: { code: 'ada' } });
  const other = await aProgram();
  for (const id of [customerKey, invoice, withoutCustomer]) {
    expect(await findJourney(other.programId, id), id).toBeNull();
  }
});

test('an export whose last rows are deleted while it is read is still JSON', async () => {
  const { programId } = await aProgram();
  const old = later(-24 * 731);
  await record(programId, Array(1_000).fill({ kind: 'click' }));
  await record(programId, Array(20).fill({ kind: 'click', createdAt: old }));
  const reader = (await exportEvents(programId, parseEventFilter({}), 'json')).body.getReader();
  const chunks = [(await reader.read()).value];
  await database().trackingEvent.deleteMany({ where: { programId, createdAt: old } });
  for (let chunk = await reader.read(); chunk.value; chunk = await reader.read()) chunks.push(chunk.value);
  const text = Buffer.concat(chunks.filter((chunk) => chunk !== undefined)).toString();
  expect(JSON.parse(text)).toHaveLength(1_000);
});

test('an export that cannot be read is an error, and no download that breaks off at once', async () => {
  await expect(exportEvents('prg_\0', {}, 'csv')).rejects.toThrow();
});

test.each(['a\0b', 'a\ud800'])('what no record can hold (%j) is looked for and not found', async (text) => {
  const { programId } = await aProgram();
  expect(await findJourney(programId, text)).toBeNull();
  expect((await listCustomers(programId, { search: text })).customers).toEqual([]);
});

test('a partner’s totals are those of the range, with renewals apart', async () => {
  const { programId } = await aProgram();
  const add = async (day: Date, clicks: number) => {
    const key = { programId, day, partnerCode: 'ada' };
    await database().dailyCount.create({ data: { ...key, clicks, leads: 2, sales: 3, renewals: 2 } });
    await database().dailyAmount.create({ data: { ...key, currency: 'usd', salesCents: 900n, refundedCents: 100n } });
  };
  await add(NOW, 5);
  await add(later(-24 * 6), 7);
  await add(later(-24 * 7), 100);
  const { partners } = await listPartners(programId, parseDateRange({ range: 7 }, NOW), NOW);
  expect(partners.find(({ code }) => code === 'ada')).toMatchObject({
    clicks: 12,
    leads: 4,
    newSales: 2,
    renewals: 4,
    revenue: [{ currency: 'usd', sold: 1_800, refunded: 200 }],
  });
  expect(partners.find(({ code }) => code === 'grace')).toMatchObject({ clicks: 0, revenue: [] });
});

test('a partner has the same totals before and after the days that are over are added up, and counts on from there', async () => {
  const { programId } = await aProgram();
  const add = async (day: Date, clicks: number, sold: bigint) => {
    const key = { programId, day, partnerCode: 'ada' };
    await database().dailyCount.create({ data: { ...key, clicks } });
    await database().dailyAmount.create({ data: { ...key, currency: 'usd', salesCents: sold } });
  };
  const ada = async (from: string, to: string, now: Date) => {
    const { partners } = await listPartners(programId, parseDateRange({ from, to }, now), now);
    return partners.find(({ code }) => code === 'ada');
  };
  const closed = () => database().partnerTotal.count({ where: { programId, partnerCode: 'ada' } });
  for (const daysAgo of [40, 10, 3, 0]) await add(later(-24 * daysAgo), daysAgo + 1, 100n);
  const first = await ada('2026-11-01', '2026-11-21', NOW);
  expect(first).toMatchObject({ clicks: 16, revenue: [{ currency: 'usd', sold: 300, refunded: 0 }] });
  expect(await closed(), 'today may still change').toBe(3);
  expect(await ada('2026-11-01', '2026-11-21', NOW)).toEqual(first);
  expect(await ada('2026-11-01', '2026-11-20', NOW)).toMatchObject({ clicks: 15 });
  expect(await ada('2026-10-01', '2026-11-11', NOW)).toMatchObject({ clicks: 52 });
  expect(await ada('2026-11-12', '2026-11-17', NOW)).toMatchObject({ clicks: 0, revenue: [] });
  const today = { programId, day: NOW, partnerCode: 'ada' };
  await database().dailyCount.updateMany({ where: today, data: { clicks: 2 } });
  expect(await ada('2026-11-01', '2026-11-22', later(12))).toMatchObject({ clicks: 17 });
  expect(await closed(), 'a request may be late at midnight').toBe(3);
  await add(later(24), 5, 7n);
  expect(await ada('2026-11-01', '2026-11-22', later(24))).toMatchObject({
    clicks: 22,
    revenue: [{ currency: 'usd', sold: 307, refunded: 0 }],
  });
  expect(await closed()).toBe(4);
});

describe('a search for customers', () => {
  test('finds the beginning of an ID or an email address, by that text, and nothing else', async () => {
    const { programId } = await aProgram();
    const other = await aProgram();
    const add = (id: string, customerKey: string, email: string | null, of = programId) =>
      database().lead.create({
        data: {
          id: `${id}_${of}`,
          programId: of,
          test: false,
          customerKey,
          email,
          settledBy: 'server',
          createdAt: NOW,
        },
      });
    await add('1', 'user_a', 'zoe@example.com');
    await add('2', 'user_b', 'anna@example.com');
    await add('3', 'zoe', null);
    await add('4', 'User_c', 'Anna%@example.com');
    await add('1', 'user_a', 'anna@example.com', other.programId);
    const find = async (search: string) =>
      (await listCustomers(programId, { search })).customers.map(({ customerKey }) => customerKey);
    expect(await find('user_')).toEqual(['user_a', 'user_b']);
    expect(await find('anna')).toEqual(['User_c', 'user_b']);
    expect(await find('zoe')).toEqual(['zoe', 'user_a']);
    expect(await find('Anna%')).toEqual(['User_c']);
    expect(await find('%')).toEqual([]);
    expect(await find('example.com')).toEqual([]);
  });

  test('finds an email address in upper and lower case, and an ID as it is written', async () => {
    const { programId } = await aProgram();
    const lead = (customerKey: string, email: string) => ({
      ...{ id: createId('led'), programId, test: false, customerKey, email },
      ...{ settledBy: 'server', createdAt: NOW },
    });
    await database().lead.createMany({
      data: [lead('user_a', 'anna@example.com'), lead('User_b', 'Anna@Example.com')],
    });
    const find = async (search: string) =>
      (await listCustomers(programId, { search })).customers.map(({ customerKey }) => customerKey).sort();
    for (const search of ['anna', 'ANNA@EXAMPLE.COM']) expect(await find(search)).toEqual(['User_b', 'user_a']);
    expect(await find('User_')).toEqual(['User_b']);
    expect(await find('USER_')).toEqual([]);
  });

  test('says when there are more than it shows', async () => {
    const { programId } = await aProgram();
    const lead = (index: number) => ({
      id: `${programId}_${index}`,
      programId,
      test: false,
      customerKey: `user_${String(index).padStart(2, '0')}`,
      settledBy: 'server',
      createdAt: NOW,
    });
    await database().lead.createMany({ data: Array.from({ length: 60 }, (_, index) => lead(index)) });
    const many = await listCustomers(programId, { search: 'user_' });
    expect([many.customers.length, many.isPartial, many.nextCursor]).toEqual([50, true, null]);
    expect(many.customers[0]?.customerKey).toBe('user_00');
    expect((await listCustomers(programId, { search: 'user_1' })).isPartial).toBe(false);
  });
});
