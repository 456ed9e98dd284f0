import type { Pool, PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPool, database, openDatabase } from '@/prisma/client';
import { customerKey, fillWithTraffic, partnerCode } from '@/scripts/bench/traffic.mjs';
import { aProgram } from '@/tests/support/program';
import { erase } from '../erase-email';
import { FEED_KINDS } from '../events/kinds';
import { readFeed } from '../events/read-feed';
import { readServiceMetrics } from '../metrics';
import { loadFacts } from '../payments/fact-store';
import { findEarlierPayment } from '../payments/record-payment';
import { reportingDatabase } from '../reporting-database';
import { listCustomers } from './customer-queries';
import { parseDateRange } from './date-range';
import type { EventFilter } from './event-filter';
import { listEvents } from './event-queries';
import { readFeedVersion } from './feed-version';
import { findJourney } from './journey-queries';
import { readOverview } from './overview-queries';
import { listPartnerCodes, listPartners } from './partner-queries';

// What the database reads for a page of the dashboard is counted by the database itself, on a program with a year of traffic.

const EVENTS = 20_000;
const GROWING = [
  ...['events', 'clicks', 'leads', 'sales', 'payment_facts'],
  ...[
    'daily_counts',
    'daily_amounts',
    'late_counts',
    'late_amounts',
    'closed_days',
    'closed_day_amounts',
    'partner_totals',
  ],
].map((name) => `service_${name}`);

type Statement = { text: string; values: unknown[] };
type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  Plans?: PlanNode[];
};

const statements: Statement[] = [];
let programId: string;

/** Keeps what is sent over a connection from now on, and sends it. */
function listenTo(client: PoolClient): void {
  const send = client.query.bind(client) as (...sent: unknown[]) => unknown;
  Object.assign(client, {
    query(...sent: unknown[]) {
      const [config] = sent;
      if (typeof config === 'object' && config && 'text' in config) statements.push(config as Statement);
      return send(...sent);
    },
  });
}

/** Leaves the connection to its class's own `query`. */
function stopListening(_error: unknown, client: PoolClient): void {
  Reflect.deleteProperty(client, 'query');
}

beforeAll(async () => {
  void reportingDatabase();
  // Other files of this worker may have connected the pool before: each use of a connection is listened to, no longer.
  openDatabase('reporting').pool.on('acquire', listenTo).on('release', stopListening);
  ({ programId } = await aProgram());
  const filler = createPool(process.env.DATABASE_URL ?? '', {
    maxConnections: 1,
    acquireTimeoutMs: 5_000,
    statementTimeoutMs: 60_000,
  });
  await fillWithTraffic(filler, programId, EVENTS);
  await fillLateTotals(filler);
  await fillBusyCustomers(filler);
  await fillPaymentFacts(filler);
  await filler.end();
}, 120_000);

afterAll(() => {
  openDatabase('reporting').pool.off('acquire', listenTo).off('release', stopListening);
});

/** Few payments are delivered late, and a table of a few pages is read as a whole: another program has many. */
async function fillLateTotals(connection: Pool): Promise<void> {
  const { programId: other } = await aProgram();
  const rows = "SELECT $1, date '2000-01-01' + n, 'ada' FROM generate_series(1, 3000) AS n";
  await connection.query(`INSERT INTO service_late_counts (program_id, day, partner_code) ${rows}`, [other]);
  const priced = rows.replace("'ada'", "'ada', 'usd'");
  await connection.query(`INSERT INTO service_late_amounts (program_id, day, partner_code, currency) ${priced}`, [
    other,
  ]);
  await connection.query('ANALYZE service_late_counts');
  await connection.query('ANALYZE service_late_amounts');
}

/** Of last year: what other files ask about the last hour stays theirs. */
async function fillPaymentFacts(connection: Pool): Promise<void> {
  await connection.query(
    `INSERT INTO service_payment_facts (account_id, livemode, kind, id, rank, payment_intent_id, invoice_id, details,
       occurred_at, created_at)
     SELECT '', false, 'invoice', $1 || 'in_' || i, 0, $1 || 'pi_' || i, $1 || 'in_' || i,
       jsonb_build_object('subscriptionId', $1 || 'sub_' || i, 'metadata',
         jsonb_build_object('programId', $1, 'customerKey', $1 || 'user_' || i, 'clickId', $1 || '_clk_' || i)), past, past
     FROM generate_series(24, 8000) AS i, LATERAL (SELECT now() - i * interval '1 hour' AS past) AS moments`,
    [programId],
  );
  await connection.query('ANALYZE service_payment_facts');
}

const BUSY = [
  { customer: 'busy_customer', partner: partnerCode(0), click: 'clk_busy' },
  { customer: 'other_customer', partner: partnerCode(1), click: 'clk_other' },
];

/** Two customers, each with more payments than a page may read, all brought by one partner. */
async function fillBusyCustomers(connection: Pool): Promise<void> {
  for (const { customer, partner, click } of BUSY) {
    await connection.query(
      `INSERT INTO service_events (id, program_id, kind, customer_key, partner_code, click_id, created_at)
       SELECT $1 || $2 || i, $1, CASE WHEN i % 2 = 0 THEN 'sale' ELSE 'renewal' END, $2, $3, $4, now() - i * interval '1 hour'
       FROM generate_series(1, 5000) AS i`,
      [programId, customer, partner, click],
    );
  }
  await connection.query('ANALYZE service_events');
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

const rowsRead = (node: PlanNode) =>
  node['Actual Loops'] *
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0));

/** A table of one page of the database may be read as a whole. */
const ONE_PAGE = 50;
const conditionOf = (node: PlanNode) => node['Index Cond'] ?? node['Recheck Cond'];
const isScanOfTable = (node: PlanNode) =>
  /^(Seq|Index|Index Only) Scan$/.test(node['Node Type']) &&
  conditionOf(node) === undefined &&
  rowsRead(node) > ONE_PAGE * node['Actual Loops'];

/** A payment event is kept before it is known whose it is. */
const firstColumnOf = (table = '') => {
  if (table === 'service_payment_facts')
    return /\b(created_at >= |(payment_intent|invoice)_id = |details ->> ?)|'customerKey'/;
  return table === 'service_sales' ? /\b(program_id|id|subscription_id|transaction_id) = / : /\b(program_id|id) = /;
};

/** Without its first column PostgreSQL 18 jumps through an index, and earlier versions read all of it. */
function isScanOfIndex(node: PlanNode): boolean {
  const condition = conditionOf(node);
  return condition !== undefined && !firstColumnOf(node['Relation Name']).test(condition);
}

type Cost = { rows: number; sorted: number; scanned: string[] };

/**
 * The statement's plan where an index can serve. Otherwise PostgreSQL reads a table of this size as a whole for a list of many IDs, or
 * does not, as its statistics of the moment say.
 */
async function planOf({ text, values }: Statement): Promise<PlanNode> {
  const client = await openDatabase('main').pool.connect();
  try {
    await client.query('BEGIN; SET LOCAL enable_seqscan = off');
    const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
    return rows[0]['QUERY PLAN'][0].Plan;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

/** The rows that a statement reads from tables that grow, and those that it sorts; the tables that it scans. */
async function explain(statement: Statement): Promise<Cost> {
  const nodes = nodesOf(await planOf(statement));
  const reading = nodes.filter(
    (node) => GROWING.includes(node['Relation Name'] ?? '') && !/Insert/.test(node['Node Type']),
  );
  return {
    rows: reading.reduce((sum, node) => sum + rowsRead(node), 0),
    sorted: Math.max(0, ...nodes.filter((node) => /Sort/.test(node['Node Type'])).map((node) => rowsRead(node))),
    scanned: reading
      .filter((node) => isScanOfTable(node) || isScanOfIndex(node))
      .map((node) => node['Relation Name'] ?? ''),
  };
}

/** What each statement has cost so far: several combinations of filters send the same one. */
const known = new Map<string, Cost>();

/** Runs what sends statements, and holds each of them to a number of rows. */
async function costs(run: () => Promise<unknown>, limit: number): Promise<void> {
  statements.length = 0;
  await run();
  expect(statements.length).toBeGreaterThan(0);
  for (const statement of [...statements]) {
    const message = `${statement.text}\n${JSON.stringify(statement.values)}`;
    const cost = known.get(message) ?? (await explain(statement));
    known.set(message, cost);
    expect(cost.scanned, message).toEqual([]);
    expect(cost.rows, message).toBeLessThanOrEqual(limit);
    expect(cost.sorted, message).toBeLessThanOrEqual(limit);
  }
}

// A page of 50 for each of 7 kinds and 2 modes, its records, and a page's worth of the customer's click.
const PAGE = 1_500;
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

const combinations: EventFilter[] = [undefined, ...FEED_KINDS].flatMap((kind) =>
  ([undefined, 'live', 'test'] as const).flatMap((mode) =>
    [undefined, partnerCode(0), partnerCode(150)].flatMap((partner) =>
      [undefined, customerKey(0), customerKey(900)].map((customer) => ({ kind, mode, partner, customer })),
    ),
  ),
);

describe('on a program with a year of traffic', () => {
  test('every combination of filters reads no more than a page of each kind', async () => {
    for (const filter of combinations) await costs(() => listEvents(programId, filter), PAGE);
  }, 120_000);

  test('so do days, later pages, clicks, and the events API', async () => {
    const cursor = { time: new Date(day(100)), id: 'evt_0' };
    for (const filter of [{}, { kind: 'refund' }, { partner: partnerCode(0) }, { customer: customerKey(0) }] as const) {
      await costs(() => listEvents(programId, { ...filter, from: day(200), to: day(150) }), PAGE);
      await costs(() => listEvents(programId, { ...filter, cursor }), PAGE);
    }
    await costs(() => listEvents(programId, { click: `${programId}_clk_160` }), PAGE);
    for (const filter of [
      {},
      { kinds: ['sale', 'renewal'] },
      { test: true },
      { customerKey: customerKey(0) },
    ] as const) {
      await costs(() => readFeed(programId, { order: 'recorded', ...filter }, 100), 2 * PAGE);
    }
  });

  test('the events of a busy customer and of their click, also with a partner who never brought them', async () => {
    for (const { customer, partner, click } of BUSY) {
      await costs(() => listEvents(programId, { click }), PAGE);
      await costs(() => listEvents(programId, { click, kind: 'sale' }), PAGE);
      for (const other of [undefined, ...BUSY.map((busy) => busy.partner)]) {
        for (const kind of [undefined, 'sale'] as const) {
          await costs(() => listEvents(programId, { customer, partner: other, kind }), PAGE);
        }
        const { events } = await listEvents(programId, { customer, partner: other });
        expect(events).toHaveLength(other === undefined || other === partner ? 50 : 0);
      }
    }
  });

  test('customers, a search by ID or email address, and a journey read a page', async () => {
    const cursor = { time: new Date(day(100)), id: 'led_0' };
    await costs(() => listCustomers(programId, {}), PAGE);
    await costs(() => listCustomers(programId, { cursor }), PAGE);
    await costs(() => listCustomers(programId, { search: customerKey(0) }), PAGE);
    await costs(() => listCustomers(programId, { search: 'customer_' }), PAGE);
    await costs(() => listCustomers(programId, { search: 'c' }), PAGE);
    await costs(() => listCustomers(programId, { search: `${customerKey(0)}@example.com` }), PAGE);
    await costs(() => findJourney(programId, `${programId}_led_900`), 4 * PAGE);
    await costs(() => findJourney(programId, `${programId}_clk_3`), 4 * PAGE);
    await costs(async () => expect(await findJourney(programId, customerKey(900))).not.toBeNull(), 4 * PAGE);
    const { transactionId } = await database().sale.findFirstOrThrow({ where: { programId } });
    await costs(async () => expect(await findJourney(programId, transactionId)).not.toBeNull(), 4 * PAGE);
    await costs(async () => expect(await findJourney(programId, 'in_unknown')).toBeNull(), PAGE);
  });

  test('the metrics read the totals of today, and no table of totals in full', async () => {
    await costs(() => readServiceMetrics(new Date()), PAGE);
  });

  test('the facts of a payment are found by its keys', async () => {
    const scope = { accountIds: ['', programId], livemode: false };
    const key = `${programId}in_100`;
    await costs(() => loadFacts(scope, [key], reportingDatabase()), 10);
    expect(await loadFacts(scope, [key])).toMatchObject([{ id: key, paymentIntentId: `${programId}pi_100` }]);
  });

  test('the earlier payments of a subscription, and the checkouts of a customer who is erased, are found by their keys', async () => {
    const source = { accountId: null, livemode: false };
    const find = () => findEarlierPayment(`${programId}sub_100`, source, reportingDatabase());
    await costs(find, 10);
    await database().program.update({ where: { id: programId }, data: { paymentMode: 'test' } });
    expect(await find()).toEqual({ program_id: programId, customer_key: `${programId}user_100` });
    await costs(() => erase(programId, `${programId}user_100`, new Date(), reportingDatabase()), 20);
  });

  test('the version of the feed is one read of its newest entries', async () => {
    await costs(() => readFeedVersion(programId), 20);
  });

  test('a batch of an export reads a batch of each kind', async () => {
    await costs(() => listEvents(programId, {}, 500), 10 * PAGE);
    await costs(() => listEvents(programId, { partner: partnerCode(0) }, 500), 10 * PAGE);
  });

  test('once the days that are over are summed, the overview reads days, and the partners of today only', async () => {
    const now = new Date();
    for (const params of [
      {},
      { range: '7' },
      { range: '90' },
      { from: day(365), to: day(0) },
      { from: day(200), to: day(150) },
    ]) {
      const range = parseDateRange(params, now);
      const first = await readOverview(programId, range, now);
      await costs(async () => expect(await readOverview(programId, range, now)).toEqual(first), PAGE);
    }
  });

  test('a page of partners reads a few rows for each of them, however long the range is', async () => {
    const now = new Date();
    const rowsOfPartner = 8; // three running totals; one day's counts, and its amounts in two currencies
    for (const params of [
      { range: '7' },
      { range: '28' },
      { range: '90' },
      { from: day(365), to: day(0) },
      { from: day(200), to: day(150) },
    ]) {
      const range = parseDateRange(params, now);
      const first = await listPartners(programId, range, now);
      await costs(async () => expect(await listPartners(programId, range, now)).toEqual(first), 51 * rowsOfPartner);
    }
    for (const search of [partnerCode(0), 'p', 'P']) {
      const range = parseDateRange({}, now);
      await costs(() => listPartners(programId, range, now, { search }), 51 * rowsOfPartner);
    }
    await costs(() => listPartnerCodes(programId), PAGE);
  });
});
