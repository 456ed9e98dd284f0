import { describe, expect, test, vi } from 'vitest';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import { deliver } from '@/tests/support/payment-events';
import { aProgram } from '@/tests/support/program';
import { invoicePaid, sessionCompleted, subscriptionSession } from '@/tests/support/stripe-events';
import { unique } from '@/tests/support/unique';
import { hashSecret } from './api-key';
import { eraseEmail } from './erase-email';
import type { Caller } from './http/caller';
import { createId } from './ids';
import { pruneOnInterval, pruneRecords, RETENTION_DAYS, runRetention } from './retention';
import { clickBody, leadBody } from './schemas';
import { recordClick } from './track/record-click';
import { recordLead } from './track/record-lead';

const DAY = 86_400_000;
/** Earlier than anything another test writes, so that only these rows are old. */
const NOW = new Date('1996-01-01T00:00:00Z');
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY);

async function aProgramWithPartner() {
  const { programId, apiKey } = await aProgram();
  const partner = await database().partner.findFirstOrThrow({ where: { programId, code: 'ada' } });
  return { programId, apiKey, partnerId: partner.id };
}

describe('each record is kept as long as it should be, and no longer', () => {
  const { clicks, events, paymentFacts } = RETENTION_DAYS;

  test.each([
    ['on its last day', 1, true],
    ['after it', -1, false],
  ])('%s', async (_, offset, isKept) => {
    const { programId, apiKey, partnerId } = await aProgramWithPartner();
    const at = (days: number) => new Date(daysAgo(days).getTime() + offset);
    const click = { programId, partnerId, affiliateUrl: 'https://shop.example/?aff=ada', createdAt: at(clicks) };
    const [free, used] = [createId('clk'), createId('clk')];
    await database().click.createMany({
      data: [
        { ...click, id: free },
        { ...click, id: used },
      ],
    });
    const lead = {
      id: createId('led'),
      programId,
      test: false,
      customerKey: 'user',
      clickId: used,
      settledBy: 'server',
    };
    await database().lead.create({ data: { ...lead, createdAt: at(clicks) } });
    await database().trackingEvent.create({
      data: { id: createId('evt'), programId, kind: 'click', createdAt: at(events) },
    });
    await database().unattributedPayment.create({
      data: { programId, transactionId: 'in_1', reason: 'no_attribution', createdAt: at(events) },
    });
    const factId = unique('in');
    const fact = { accountId: '', livemode: false, kind: 'invoice', id: factId, rank: 1, details: {} };
    await database().paymentFact.create({
      data: { ...fact, invoiceId: factId, occurredAt: at(paymentFacts), createdAt: at(paymentFacts) },
    });
    const key = await database().apiKey.findFirstOrThrow({ where: { programId, hash: hashSecret(apiKey) } });
    await database().dashboardSession.create({
      data: { hash: unique('hash'), programId, apiKeyId: key.id, expiresAt: new Date(NOW.getTime() + offset) },
    });
    const bucket = unique('bucket');
    await database().rateLimit.create({
      data: { bucket, requests: 1, windowStart: new Date(NOW.getTime() - 600_000 + offset) },
    });

    const { deleted: pruned, done } = await pruneRecords(NOW);
    expect(done).toBe(true);
    const where = { programId };
    expect({
      free: await database().click.count({ where: { id: free } }),
      events: await database().trackingEvent.count({ where }),
      unattributed: await database().unattributedPayment.count({ where }),
      facts: await database().paymentFact.count({ where: { id: factId } }),
      sessions: await database().dashboardSession.count({ where }),
    }).toEqual(isKept ? ALL : NONE);
    expect(await database().click.findUnique({ where: { id: used } })).toMatchObject({
      affiliateUrl: isKept ? click.affiliateUrl : '',
    });
    expect(await database().lead.findFirst({ where })).toMatchObject({ clickId: used });
    const counted = Object.entries(pruned).filter(([table]) => table !== 'rateLimits'); // these the limiter prunes as well
    if (!isKept) expect(counted.every(([, count]) => count > 0)).toBe(true);
    // Only this side: the limiter may prune it earlier.
    if (!isKept) expect(await database().rateLimit.count({ where: { bucket } })).toBe(0);
  });
});

test('the tables take turns, and a run that has no time left says so: the next one deletes the rest', async () => {
  const { programId, partnerId } = await aProgramWithPartner();
  const createdAt = daysAgo(800);
  const click = { programId, partnerId, affiliateUrl: 'https://shop.example/?aff=ada', createdAt };
  await database().click.createMany({ data: [1, 2, 3].map(() => ({ ...click, id: createId('clk') })) });
  await database().unattributedPayment.create({
    data: { programId, transactionId: 'in_1', reason: 'no_attribution', createdAt },
  });
  const left = async () => [
    await database().click.count({ where: { programId } }),
    await database().unattributedPayment.count({ where: { programId } }),
  ];
  let turns = 6;
  expect(await pruneRecords(NOW, { batch: 1, hasTime: () => turns-- > 0 })).toMatchObject({
    deleted: { clicks: 1, unattributedPayments: 1 },
    done: false,
  });
  expect(await left()).toEqual([2, 0]);
  expect(await pruneRecords(NOW, { batch: 1 })).toMatchObject({ deleted: { clicks: 2 }, done: true });
  expect(await left()).toEqual([0, 0]);
});

test('the URLs of clicks that stay go once the free clicks before them are gone', async () => {
  const { programId, partnerId } = await aProgramWithPartner();
  const click = (days: number) => {
    const data = { programId, partnerId, affiliateUrl: 'https://shop.example/?aff=ada', createdAt: daysAgo(days) };
    return { ...data, id: createId('clk') };
  };
  const [first, second, kept] = [click(803), click(802), click(801)];
  await database().click.createMany({ data: [first, second, kept] });
  await database().lead.create({
    data: {
      ...{ id: createId('led'), programId, partnerId, test: false, clickId: kept.id },
      ...{ customerKey: unique('user'), settledBy: 'server', createdAt: daysAgo(801) },
    },
  });
  const urlOfKept = async () => (await database().click.findUniqueOrThrow({ where: { id: kept.id } })).affiliateUrl;
  let turns = 6;
  await pruneRecords(NOW, { batch: 1, hasTime: () => turns-- > 0 });
  expect([await database().click.count({ where: { programId } }), await urlOfKept()]).toEqual([2, kept.affiliateUrl]);
  await pruneRecords(NOW, { batch: 1 });
  expect([await database().click.count({ where: { programId } }), await urlOfKept()]).toEqual([1, '']);
});

/** How the database finds the rows of each statement of a run that matches the pattern. */
async function plansOf(pattern: RegExp): Promise<string[]> {
  const statements = vi.spyOn(database(), '$executeRaw');
  await pruneRecords(NOW);
  const matching = statements.mock.calls
    .map(([statement]) => statement as Prisma.Sql)
    .filter(({ sql }) => pattern.test(sql));
  statements.mockRestore();
  const plans = [];
  for (const statement of matching) {
    const [{ 'QUERY PLAN': plan }] = await database().$queryRaw<[{ 'QUERY PLAN': object }]>`
      EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`;
    plans.push(JSON.stringify(plan));
  }
  return plans;
}

test('a run passes no click that an earlier one has cleared, however many there are', async () => {
  const { programId, partnerId } = await aProgramWithPartner();
  const click = { programId, partnerId, affiliateUrl: '', createdAt: daysAgo(2000) };
  await database().click.createMany({ data: Array.from({ length: 3000 }, () => ({ ...click, id: createId('clk') })) });
  await database().$executeRaw`ANALYZE service_clicks`;
  const index = expect.stringContaining('service_clicks_with_urls_idx');
  expect(await plansOf(/FROM service_clicks|UPDATE service_clicks/)).toEqual([index, index]);
});

test('a run reads no payment that is kept, however many were not attributed', async () => {
  const { programId } = await aProgram();
  const createdAt = new Date();
  const payment = (transactionId: string) => ({ programId, transactionId, reason: 'unknown_customer', createdAt });
  await database().unattributedPayment.createMany({ data: Array.from({ length: 3000 }, (_, n) => payment(`in_${n}`)) });
  await database().$executeRaw`ANALYZE service_unattributed_payments`;
  const index = expect.stringContaining('service_unattributed_payments_created_at_idx');
  expect(await plansOf(/FROM service_unattributed_payments/)).toEqual([index]);
});

test('a table that fails holds up no other, is named in the log, and is left to the next run', async () => {
  const { programId, partnerId } = await aProgramWithPartner();
  const [transactionId, createdAt] = [unique('in'), daysAgo(800)];
  const click = { id: createId('clk'), programId, partnerId, affiliateUrl: 'https://shop.example/', createdAt };
  await database().click.create({ data: click });
  await database().unattributedPayment.create({
    data: { programId, transactionId, reason: 'no_attribution', createdAt },
  });
  const fact = { accountId: '', livemode: false, kind: 'invoice', id: transactionId, rank: 1, details: {} };
  await database().paymentFact.create({ data: { ...fact, occurredAt: createdAt, createdAt } });
  const left = async () => ({
    clicks: await database().click.count({ where: { programId } }),
    unattributed: await database().unattributedPayment.count({ where: { programId } }),
    facts: await database().paymentFact.count({ where: { id: transactionId } }),
  });

  const name = Prisma.raw(unique('refuse'));
  await database().$executeRaw`
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''locked''; END'`;
  await database().$executeRaw`
    CREATE TRIGGER ${name} BEFORE DELETE ON service_unattributed_payments
    FOR EACH ROW WHEN (OLD.transaction_id = ${Prisma.raw(`'${transactionId}'`)}) EXECUTE FUNCTION ${name}()`;
  const error = vi.spyOn(console, 'error').mockReturnValue();
  try {
    expect(await pruneRecords(NOW)).toMatchObject({
      deleted: { clicks: 1, paymentFacts: 1 },
      done: false,
      failed: ['unattributedPayments'],
    });
    expect(error.mock.calls).toEqual([[expect.stringMatching(/table="unattributedPayments" .*code="P0001"/)]]);
  } finally {
    error.mockRestore();
    await database().$executeRaw`DROP FUNCTION ${name} CASCADE`;
  }
  expect(await left()).toEqual({ clicks: 0, unattributed: 1, facts: 0 });
  expect(await pruneRecords(NOW)).toMatchObject({ done: true });
  expect(await left()).toEqual({ clicks: 0, unattributed: 0, facts: 0 });
});

// On the embedded database connections share one session, so no run waits for another's rows: `npm run test:postgres` runs it.
test.skipIf(!process.env.TEST_DATABASE_URL)(
  'a run does not say that it is done while another has more batches',
  async () => {
    const { programId, partnerId } = await aProgramWithPartner();
    const click = { programId, partnerId, affiliateUrl: 'https://shop.example/?aff=ada', createdAt: daysAgo(800) };
    await database().click.createMany({ data: Array.from({ length: 400 }, () => ({ ...click, id: createId('clk') })) });
    const left = () => database().click.count({ where: { programId } });
    const runs = Array.from({ length: 4 }, () => pruneRecords(NOW, { batch: 20 }));
    expect(await Promise.race(runs)).toMatchObject({ done: true });
    expect(await left()).toBeLessThanOrEqual(3 * 20);
    await Promise.all(runs);
    expect(await left()).toBe(0);
  },
);

const ALL = { free: 1, events: 1, unattributed: 1, facts: 1, sessions: 1 };
const NONE = { free: 0, events: 0, unattributed: 0, facts: 0, sessions: 0 };

describe('the route for your scheduler', () => {
  const call = (authorization?: string) =>
    runRetention(new Request('http://localhost/', { headers: authorization ? { authorization } : {} }), NOW);

  test.each([undefined, 'Bearer wrong', 'Bearer ', 'secret of the scheduler'])('%s is 401', async (authorization) => {
    expect(await call(authorization)).toMatchObject({ ok: false, code: 'invalid_api_key' });
  });

  test('the secret is accepted', async () => {
    expect(await call('Bearer secret of the scheduler')).toMatchObject({
      ok: true,
      body: { deleted: { clicks: expect.any(Number) }, done: true },
    });
  });
});

test.each(['sends', 'does not send'])('no table keeps what was erased where the lead %s the address', async (mode) => {
  const { programId, apiKey } = await aProgramWithPartner();
  const [email, customer_key] = [`${unique('ada')}@example.com`, unique('user')];
  const url = `https://shop.example/?email=${encodeURIComponent(email)}&aff=ada&name=Max+Mustermann&tel=491701234567`;
  const referrer_url = `https://other.example/?aff=${email}`;
  const caller = (credentials: Caller['credentials']): Caller => ({
    credentials,
    address: unique('a'),
    now: new Date(),
  });
  const server = caller({ mode: 'server', keyHash: hashSecret(apiKey) });
  const click = await recordClick(
    clickBody.parse({ affiliate_url: url, page_url: url, referrer_url, program_id: programId }),
    caller({ mode: 'browser' }),
  );
  const { click_id } = (click.ok ? click.body : {}) as { click_id?: string };
  const isSent = mode === 'sends';
  await recordLead(leadBody.parse({ customer_key, click_id, ...(isSent && { email }) }), server);
  expect(await tablesWith(email)).toEqual(isSent ? ['service_leads'] : []);
  expect(await tablesWith('491701234567')).toEqual(['service_clicks']);
  expect(await eraseEmail({ customer_key }, server)).toMatchObject({ ok: true, body: { erased: isSent ? 1 : 0 } });
  expect(await tablesWith(email)).toEqual([]);
  const cleared = { affiliateUrl: 'erased', pageUrl: null, referrerUrl: null };
  expect(await database().click.findFirst({ where: { programId } })).toMatchObject(cleared);
  expect(await tablesWith('491701234567')).toEqual([]);
});

test('with the URLs of a click go those of the clicks that it replaced, and no others', async () => {
  const { programId, apiKey, partnerId } = await aProgramWithPartner();
  const other = await aProgramWithPartner();
  const click = { programId, partnerId, affiliateUrl: 'https://shop.example/?aff=ada&name=Max', createdAt: new Date() };
  const [first, second, third] = [createId('clk'), createId('clk'), createId('clk')];
  const [stranger, foreign] = [createId('clk'), createId('clk')];
  await database().click.createMany({
    data: [
      { ...click, id: foreign, programId: other.programId, partnerId: other.partnerId },
      { ...click, id: stranger },
      { ...click, id: first, pageUrl: click.affiliateUrl, referrerUrl: click.affiliateUrl, existingClickId: foreign },
      { ...click, id: second, existingClickId: first },
      { ...click, id: third, existingClickId: second },
    ],
  });
  const customer_key = unique('user');
  const credentials = { mode: 'server' as const, keyHash: hashSecret(apiKey) };
  const server: Caller = { credentials, address: unique('a'), now: new Date() };
  await recordLead(leadBody.parse({ customer_key, click_id: third }), server);
  await eraseEmail({ customer_key }, server);
  const withUrls = await database().click.findMany({
    where: {
      programId: { in: [programId, other.programId] },
      OR: [{ affiliateUrl: { not: 'erased' } }, { pageUrl: { not: null } }, { referrerUrl: { not: null } }],
    },
  });
  expect(withUrls.map(({ id }) => id).sort()).toEqual([stranger, foreign].sort());
});

test('a chain that a browser makes is followed for a hundred clicks, and what was erased is not written again', async () => {
  const { programId, apiKey, partnerId } = await aProgramWithPartner();
  const ids = Array.from({ length: 150 }, () => createId('clk'));
  const click = { programId, partnerId, affiliateUrl: 'https://shop.example/?aff=ada', createdAt: new Date() };
  await database().click.createMany({
    data: ids.map((id, index) => ({ ...click, id, existingClickId: ids[index + 1] ?? null })),
  });
  const customer_key = unique('user');
  const credentials = { mode: 'server' as const, keyHash: hashSecret(apiKey) };
  const server: Caller = { credentials, address: unique('a'), now: new Date() };
  await recordLead(leadBody.parse({ customer_key, click_id: ids[0] }), server);
  const erase = async () => {
    await eraseEmail({ customer_key }, server);
    return database().$queryRaw<Array<{ id: string; version: string }>>`
      SELECT id, xmin::text AS version FROM service_clicks WHERE program_id = ${programId} AND affiliate_url = 'erased' ORDER BY id`;
  };
  const erased = await erase();
  expect(erased.map(({ id }) => id)).toEqual(ids.slice(0, 101).sort());
  expect(await erase()).toEqual(erased);
});

test('so do the URLs of the clicks that the customer’s payments and unpaid checkouts name, with a sale or without', async () => {
  const { programId, apiKey, partnerId } = await aProgramWithPartner();
  const [bought, refused, tried, unpaid, stranger] = Array.from({ length: 5 }, () => createId('clk'));
  const click = { programId, partnerId, affiliateUrl: 'https://shop.example/?aff=ada&name=Max', createdAt: new Date() };
  const ids = [bought, refused, tried, unpaid, stranger].map(String);
  await database().click.createMany({ data: ids.map((id) => ({ ...click, id })) });
  const customer_key = unique('user');
  const credentials = { mode: 'server' as const, keyHash: hashSecret(apiKey) };
  const server: Caller = { credentials, address: unique('a'), now: new Date() };
  await recordLead(leadBody.parse({ customer_key }), server);
  const of = (svc_click_id = '', key = customer_key) => ({
    metadata: { program_id: programId, svc_customer_key: key, svc_click_id },
  });
  expect(await deliver(invoicePaid(of(bought)))).toMatchObject({ body: { outcome: 'sale' } });
  const none = { body: { outcome: 'ignored' } };
  const trial = subscriptionSession({ ...of(tried), amount: 0 }, { payment_status: 'no_payment_required' });
  expect(await deliver(trial)).toMatchObject(none);
  expect(await deliver(sessionCompleted(of(unpaid), { payment_status: 'unpaid' }))).toMatchObject(none);
  expect(await deliver(sessionCompleted(of(stranger, unique('user')), { payment_status: 'unpaid' }))).toMatchObject(
    none,
  );
  await database().trackingEvent.create({
    data: {
      id: createId('evt'),
      programId,
      kind: 'not_attributed',
      clickId: refused ?? null,
      customerKey: customer_key,
      createdAt: new Date(),
    },
  });
  await eraseEmail({ customer_key }, server);
  const kept = await database().click.findMany({ where: { programId, affiliateUrl: { not: 'erased' } } });
  expect(kept.map(({ id }) => id)).toEqual([stranger]);
});

test('a click that was replaced is deleted after its time, also where its customer was erased; the lead’s own click stays', async () => {
  const { programId, apiKey, partnerId } = await aProgramWithPartner();
  const [replaced, own] = [createId('clk'), createId('clk')];
  const [customerKey, createdAt] = [unique('user'), daysAgo(RETENTION_DAYS.clicks + 1)];
  const click = { programId, partnerId, affiliateUrl: 'https://shop.example/?aff=ada', createdAt };
  await database().click.createMany({
    data: [
      { ...click, id: replaced },
      { ...click, id: own, existingClickId: replaced },
    ],
  });
  await database().provisionalLead.create({ data: { clickId: replaced, programId, partnerId, createdAt } });
  await database().lead.create({
    data: { id: createId('led'), programId, test: false, customerKey, clickId: own, settledBy: 'server', createdAt },
  });
  const credentials = { mode: 'server' as const, keyHash: hashSecret(apiKey) };
  await eraseEmail({ customer_key: customerKey }, { credentials, address: unique('a'), now: new Date() });
  await pruneRecords(NOW);
  expect(await database().click.findMany({ where: { programId } })).toMatchObject([{ id: own, affiliateUrl: '' }]);
  expect(await database().provisionalLead.count({ where: { programId } })).toBe(0);
});

async function tablesWith(text: string): Promise<string[]> {
  const tables = await database().$queryRaw<Array<{ name: string }>>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_name LIKE 'service\\_%' ORDER BY 1`;
  expect(tables.length).toBeGreaterThan(10);
  const found = [];
  for (const { name } of tables) {
    const rows = await database().$queryRaw<object[]>`
      SELECT 1 FROM ${Prisma.raw(name)} AS r WHERE r::text LIKE ${`%${text.split('@')[0]}%`} LIMIT 1`;
    if (rows.length > 0) found.push(name);
  }
  return found;
}

test('a process that keeps running prunes by itself, again and again, also after a run that failed', async () => {
  const error = vi.spyOn(console, 'error').mockReturnValue();
  let runs = 0;
  await new Promise<void>((resolve) => {
    const prune = async () => {
      runs++;
      if (runs === 1) throw new RangeError('the database is down');
      if (runs < 3) return { deleted: {}, done: true, failed: [] };
      resolve();
      return new Promise<never>(() => {}); // the last run
    };
    pruneOnInterval({ prune, firstRunMs: 0, intervalMs: 1 });
  });
  expect(error.mock.calls).toEqual([['service: retention failed error="RangeError"']]);
  error.mockRestore();
});
