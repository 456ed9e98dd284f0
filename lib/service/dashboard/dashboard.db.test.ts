import { describe, expect, test } from 'vitest';
import { database } from '@/prisma/client.ts';
import { aProgram, unique } from '@/tests/support/program.ts';
import { hashSecret } from '../api-key.ts';
import { createId } from '../ids.ts';
import { createKey, revokeKey } from '../keys.ts';
import { readCursor } from './cursor.ts';
import { listCustomers } from './customer-queries.ts';
import { parseEventFilter } from './event-filter.ts';
import { listEvents } from './event-queries.ts';
import { readFeedVersion } from './feed-version.ts';
import { findJourney } from './journey-queries.ts';
import { readOverview } from './overview-queries.ts';
import { listPartners } from './partner-queries.ts';
import { deleteSession, findAccessByKey, findAccessBySession, insertSession } from './session-queries.ts';
import { readSettings, updateProgram } from './settings-queries.ts';

const NOW = new Date('2026-11-21T12:00:00Z');
const HOUR = 3_600_000;
const later = (hours: number) => new Date(NOW.getTime() + hours * HOUR);

type NewEvent = { kind: string; createdAt?: Date; test?: boolean; customerKey?: string; clickId?: string };

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
});

describe('the overview', () => {
  const counts = { clicks: 3, provisional: 2, leads: 1, sales: 1, refunds: 1, unattributed: 1 };

  test('has the same totals before and after the days that are over are summed, and counts on from there', async () => {
    const { programId } = await aProgram();
    const days = [later(-24 * 400), later(-24 * 3), later(-24), NOW];
    for (const day of days) {
      for (const partnerCode of ['ada', 'grace']) {
        await database().dailyCount.create({ data: { programId, day, partnerCode, ...counts } });
        const money = { currency: 'usd', salesCents: 1_900n, refundedCents: 400n };
        await database().dailyAmount.create({ data: { programId, day, partnerCode, ...money } });
      }
    }
    const before = await readOverview(programId, NOW);
    expect(before.totals).toEqual({ clicks: 24, provisional: 16, leads: 8, sales: 8, refunds: 8, unattributed: 8 });
    expect(before.revenue).toEqual([{ currency: 'usd', amount: 12_000, refunded: 3_200 }]);
    expect(before.days.slice(-4).map(({ clicks }) => clicks)).toEqual([6, 0, 6, 6]);
    expect(await readOverview(programId, NOW)).toEqual(before);
    expect(await database().closedDay.count({ where: { programId } }), 'yesterday may still change').toBe(2);
    await database().dailyCount.updateMany({ where: { programId, day: NOW, partnerCode: 'ada' }, data: { clicks: 4 } });
    expect((await readOverview(programId, later(24))).totals.clicks).toBe(25);
    expect((await readOverview(programId, later(48))).totals.clicks).toBe(25);
    expect(await database().closedDay.count({ where: { programId } })).toBe(4);
  });
});

test('a page of partners goes on where the one before ended', async () => {
  const { programId } = await aProgram();
  const codes = Array.from({ length: 60 }, (_, index) => `partner_${String(index).padStart(2, '0')}`);
  await database().partner.createMany({
    data: codes.map((code) => ({ id: createId('par'), programId, code, name: code })),
  });
  const first = await listPartners(programId);
  const second = await listPartners(programId, first.nextCursor ?? '');
  expect([...first.partners, ...second.partners].map(({ code }) => code)).toEqual(['ada', 'grace', 'linus', ...codes]);
  expect(second.nextCursor).toBeNull();
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
    await deleteSession(ended, NOW);
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
    payments: null,
  });
  expect(await readSettings(two.programId)).toMatchObject({ leadAuthPolicy: 'server_verified', isPaused: false });
});

test('a customer counts what was paid less refunds, each currency for itself, and only in one world', async () => {
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
