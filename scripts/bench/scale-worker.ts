// One size of `npm run bench:scale`, in a process of its own: fills the database at DATABASE_URL with traffic unless it is
// filled, and then does one piece of work each time it is asked.
import { Client } from 'pg';
import Stripe from 'stripe';
import { hashSecret } from '../../lib/service/api-key';
import { createProgram } from '../../lib/service/create-program';
import { listCustomers } from '../../lib/service/dashboard/customer-queries';
import { parseDateRange } from '../../lib/service/dashboard/date-range';
import { listEvents } from '../../lib/service/dashboard/event-queries';
import { exportEvents } from '../../lib/service/dashboard/export-events';
import { readFeedVersion } from '../../lib/service/dashboard/feed-version';
import { findJourney } from '../../lib/service/dashboard/journey-queries';
import { readOverview } from '../../lib/service/dashboard/overview-queries';
import { listPartnerCodes, listPartners } from '../../lib/service/dashboard/partner-queries';
import { readSettings } from '../../lib/service/dashboard/settings-queries';
import { erase } from '../../lib/service/erase-email';
import { feedKindsOf } from '../../lib/service/events/kinds';
import { readFeed } from '../../lib/service/events/read-feed';
import type { Caller } from '../../lib/service/http/caller';
import { receivePaymentEvent } from '../../lib/service/payments/receive-event';
import { recordSale } from '../../lib/service/payments/record-sale';
import { clickBody, leadBody, saleBody } from '../../lib/service/schemas';
import { recordClick } from '../../lib/service/track/record-click';
import { recordLead } from '../../lib/service/track/record-lead';
import { closeDatabases } from '../../prisma/client';
import { migrate } from '../prepare-data.mjs';
import { customerKey, fillWithTraffic, partnerCode } from './traffic.mjs';

const DAY_MS = 86_400_000;
const PROGRAM = 'prg_bench';
const API_KEY = 'svc_sk_bench';
const EXPORTED_ROWS = 1_000_000;

const [size = '', rowsPerStatement = ''] = process.argv.slice(2);
const url = process.env.DATABASE_URL ?? '';

/** Fills without checks of references, and makes the indexes afterwards: what is measured comes later. */
async function fill(): Promise<void> {
  const client = new Client(url);
  await client.connect();
  const { rows: filled } = await client.query('SELECT FROM service_events LIMIT 1');
  if (filled.length === 0) {
    await client.query("SET TIME ZONE 'UTC'; SET session_replication_role = replica; SET synchronous_commit = off");
    const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(
      `SELECT indexname, indexdef FROM pg_indexes
       WHERE tablename IN ('service_events', 'service_clicks', 'service_leads', 'service_sales', 'service_payment_facts')
         AND indexname NOT LIKE '%_pkey'`,
    );
    for (const { indexname } of indexes) await client.query(`DROP INDEX ${indexname}`);
    await fillWithTraffic(client, PROGRAM, Number(size), Number(rowsPerStatement));
    for (const { indexdef } of indexes) await client.query(indexdef);
    await client.query('ANALYZE');
  }
  await client.end();
}

const ok = <Result extends { ok: boolean }>(result: Result): Result => {
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result;
};

let made = 0;
const unique = () => `new_${process.pid}_${++made}`;

const server = (): Caller => ({
  credentials: { mode: 'server', keyHash: hashSecret(API_KEY) },
  address: 'b',
  now: new Date(),
});
const browser = (): Caller => ({ credentials: { mode: 'browser' }, address: 'b', now: new Date() });

/** A renewal's invoice, as Stripe reports it. */
const invoicePaid = () => ({
  id: unique(),
  type: 'invoice.paid',
  created: Math.floor(Date.now() / 1_000),
  livemode: true,
  data: {
    object: {
      id: unique(),
      amount_paid: 1_900,
      total: 1_900,
      currency: 'usd',
      billing_reason: 'subscription_cycle',
      parent: {
        subscription_details: {
          subscription: unique(),
          metadata: { program_id: PROGRAM, svc_click_id: `${PROGRAM}_clk_16`, svc_customer_key: customerKey(1) },
        },
      },
    },
  },
});

const ingestion: Record<string, () => Promise<unknown>> = {
  click: async () =>
    ok(
      await recordClick(
        clickBody.parse({ program_id: PROGRAM, affiliate_url: `https://shop.example/?aff=${partnerCode(0)}` }),
        browser(),
      ),
    ),
  lead: async () =>
    ok(
      await recordLead(
        leadBody.parse({ customer_key: unique(), additional_data: { test_mode: true, program_id: PROGRAM } }),
        server(),
      ),
    ),
  sale: async () =>
    ok(
      await recordSale(
        saleBody.parse({ customer_key: customerKey(1), amount_cents: 1_900, transaction_id: unique() }),
        server(),
      ),
    ),
  'renewal, by webhook': async () => {
    const payload = JSON.stringify(invoicePaid());
    const secret = process.env.SVC_STRIPE_WEBHOOK_SECRET ?? '';
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret });
    const result = await receivePaymentEvent(payload, signature, new Date());
    if (!result.ok || !('outcome' in result.body) || result.body.outcome !== 'sale')
      throw new Error(JSON.stringify(result));
  },
  erasure: () => erase(PROGRAM, customerKey(499), new Date()),
};

const [busy, quiet, top] = [partnerCode(0), partnerCode(15), customerKey(0)];
const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
const range = (params: object) => parseDateRange({ ...params }, new Date());
const events = (filter: Parameters<typeof listEvents>[1]) => () => listEvents(PROGRAM, filter);
const overview = (params: object) => () => readOverview(PROGRAM, range(params), new Date());
const partners = (params: object, shown?: Parameters<typeof listPartners>[3]) => () =>
  listPartners(PROGRAM, range(params), new Date(), shown);
const halfAYearBack = { time: new Date(Date.now() - 180 * DAY_MS), id: 'evt_' };
const year = { from: day(365), to: day(0) };

/** What each page of the dashboard and the events API read, by page and filter. */
const reading: Record<string, () => Promise<unknown>> = {
  'overview, 7 days': overview({ range: 7 }),
  'overview, 28 days': overview({}),
  'overview, 90 days': overview({ range: 90 }),
  'overview, a year': overview(year),
  'version of the feed': () => readFeedVersion(PROGRAM),
  'events, newest': events({}),
  'events, half a year back': events({ cursor: halfAYearBack }),
  'events by kind, rare': events({ kind: 'refund' }),
  'events in test mode': events({ mode: 'test' }),
  'events of a busy partner': events({ partner: busy }),
  'events of a quiet partner': events({ partner: quiet }),
  'partner, kind and mode': events({ partner: busy, kind: 'refund', mode: 'test' }),
  'events of the busiest customer': events({ customer: top }),
  'customer, kind and mode': events({ customer: top, kind: 'refund', mode: 'live' }),
  'customer and another partner': events({ customer: top, partner: quiet }),
  'a week': events({ from: day(100), to: day(93) }),
  'a week, by partner and kind': events({ partner: busy, kind: 'sale', from: day(100), to: day(93) }),
  'events of a click': events({ click: `${PROGRAM}_clk_160` }),
  'events API, newest': () => readFeed(PROGRAM, { order: 'recorded' }, 100),
  'events API, sales': () => readFeed(PROGRAM, { order: 'recorded', kinds: feedKindsOf('sale') }, 100),
  'events API, a customer': () => readFeed(PROGRAM, { order: 'recorded', customerKey: top }, 100),
  'customers, newest': () => listCustomers(PROGRAM, {}),
  'customers, half a year back': () => listCustomers(PROGRAM, { cursor: halfAYearBack }),
  'customers, by ID': () => listCustomers(PROGRAM, { search: top }),
  'customers, by email address': () => listCustomers(PROGRAM, { search: `${top}@example.com` }),
  'customers, by one letter': () => listCustomers(PROGRAM, { search: 'c' }),
  'journey of the busiest customer': () => findJourney(PROGRAM, `${PROGRAM}_led_0`),
  'journey of a click': () => findJourney(PROGRAM, `${PROGRAM}_clk_3`),
  'partners, 7 days': partners({ range: 7 }),
  'partners, 28 days': partners({}),
  'partners, 90 days': partners({ range: 90 }),
  'partners, a year': partners(year),
  'partners, a later page': partners({}, { after: partnerCode(15) }),
  'partners, by one letter': partners({}, { search: 'p' }),
  'partners to choose from': () => listPartnerCodes(PROGRAM),
  settings: () => readSettings(PROGRAM),
};

/** Reads as a browser does that saves the file, up to a million rows. @returns a sentence */
async function exportAll(): Promise<string> {
  const before = process.memoryUsage().rss;
  const started = performance.now();
  let [rows, most] = [0, 0];
  const reader = (await exportEvents(PROGRAM, {}, 'csv')).body.getReader();
  for (let part = await reader.read(); !part.done && rows < EXPORTED_ROWS; part = await reader.read()) {
    rows += Buffer.from(part.value).toString().split('\n').length - 1;
    most = Math.max(most, process.memoryUsage().rss - before);
  }
  await reader.cancel();
  const perSecond = Math.round((rows * 1_000) / (performance.now() - started));
  return `export of ${rows} rows: ${perSecond} rows/s, memory + ${Math.round(most / 1e6)} MB`;
}

await migrate({ ...process.env });
const limits = { serverRequestsPerMinute: 1e9, browserRequestsPerMinute: 1e9, browserCeilingPerMinute: 1e9 };
const payments = { accountId: 'acct_bench', mode: 'live' } as const;
await createProgram({ id: PROGRAM, apiKey: API_KEY, name: 'Bench', partners: [], payments, ...limits });
await fill();

const work = { ...ingestion, ...reading };
process.on('message', async (name: string) => {
  if (name === 'end') {
    await closeDatabases();
    process.exit(0);
  }
  const started = performance.now();
  const said = name === 'export' ? await exportAll() : await work[name]?.();
  const milliseconds = performance.now() - started;
  process.send?.(name === 'export' ? { said } : { milliseconds });
});
process.on('disconnect', () => process.exit(1)); // the process that asks has ended
process.send?.({ names: Object.keys(work) });
