// npm run bench:scale -- 10000 100000 1000000 [--pglite]: what the dashboard, the events API and ingestion take on a program
// that has that many events, each size in a database of its own, on PostgreSQL or on the embedded one.
import { Client } from 'pg';
import { hashSecret } from '../../lib/service/api-key.ts';
import { createProgram } from '../../lib/service/create-program.ts';
import { listCustomers } from '../../lib/service/dashboard/customer-queries.ts';
import { parseDateRange } from '../../lib/service/dashboard/date-range.ts';
import { listEvents } from '../../lib/service/dashboard/event-queries.ts';
import { exportEvents } from '../../lib/service/dashboard/export-events.ts';
import { readFeedVersion } from '../../lib/service/dashboard/feed-version.ts';
import { findJourney } from '../../lib/service/dashboard/journey-queries.ts';
import { readOverview } from '../../lib/service/dashboard/overview-queries.ts';
import { listPartners } from '../../lib/service/dashboard/partner-queries.ts';
import { feedKindsOf } from '../../lib/service/events/kinds.ts';
import { readFeed } from '../../lib/service/events/read-feed.ts';
import type { Caller } from '../../lib/service/http/caller.ts';
import { recordSale } from '../../lib/service/payments/record-sale.ts';
import { clickBody, leadBody, saleBody } from '../../lib/service/schemas.ts';
import { recordClick } from '../../lib/service/track/record-click.ts';
import { recordLead } from '../../lib/service/track/record-lead.ts';
import { closeDatabases } from '../../prisma/client.ts';
import { startDatabase } from '../database/start.mjs';
import { startPostgres } from '../postgres.mjs';
import { migrate } from '../stack.mjs';
import { customerKey, fillWithTraffic, partnerCode } from './traffic.mjs';

const RUNS = 31;
const EXPORTED_ROWS = 1_000_000;
const DAY_MS = 86_400_000;

/** Of repeated runs the fast ones say what the work takes; the slow ones, what else the machine did. */
const lowDecile = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 10)] ?? Number.NaN;

/** Fills without checks of references, and makes the indexes afterwards: what is measured comes later. */
async function fill(url: string, programId: string, events: number): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query("SET TIME ZONE 'UTC'; SET session_replication_role = replica; SET synchronous_commit = off");
  const { rows: indexes } = await client.query<{ indexname: string; indexdef: string }>(
    `SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'service_events' AND indexname NOT LIKE '%_pkey'`,
  );
  for (const { indexname } of indexes) await client.query(`DROP INDEX ${indexname}`);
  await fillWithTraffic(client, programId, events);
  for (const { indexdef } of indexes) await client.query(indexdef);
  await client.query('ANALYZE');
  await client.end();
}

const ok = <Answer extends { ok: boolean }>(answer: Answer): Answer => {
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  return answer;
};

function workload(programId: string, apiKey: string): Record<string, () => Promise<unknown>> {
  const server = (): Caller => ({
    credentials: { mode: 'server', keyHash: hashSecret(apiKey) },
    address: 'b',
    now: new Date(),
  });
  const browser = (): Caller => ({ credentials: { mode: 'browser' }, address: 'b', now: new Date() });
  const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
  const far = { createdAt: new Date(Date.now() - 180 * DAY_MS), id: 'evt_' };
  const [busy, rare, top] = [partnerCode(0), partnerCode(15), customerKey(0)];
  const events = (filter: Parameters<typeof listEvents>[1]) => () => listEvents(programId, filter);
  const lastClick = `${programId}_clk_160`;
  const range = (params: object) => parseDateRange({ ...params }, new Date());
  let made = 0;
  const unique = () => `new_${++made}`;
  return {
    click: async () =>
      ok(
        await recordClick(
          clickBody.parse({ program_id: programId, affiliate_url: `https://shop.example/?aff=${busy}` }),
          browser(),
        ),
      ),
    lead: async () =>
      ok(
        await recordLead(
          leadBody.parse({ customer_key: unique(), additional_data: { test_mode: true, program_id: programId } }),
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
    'overview, 28 days': () => readOverview(programId, range({}), new Date()),
    'overview, 90 days': () => readOverview(programId, range({ range: 90 }), new Date()),
    'version of the feed': () => readFeedVersion(programId),
    'events, newest': events({}),
    'events, half a year back': events({ cursor: far }),
    'events by kind, rare': events({ kind: 'refund' }),
    'events in test mode': events({ mode: 'test' }),
    'events of a busy partner': events({ partner: busy }),
    'events of a quiet partner': events({ partner: rare }),
    'partner, kind and mode': events({ partner: busy, kind: 'refund', mode: 'test' }),
    'events of the busiest customer': events({ customer: top }),
    'customer, kind and mode': events({ customer: top, kind: 'refund', mode: 'live' }),
    'customer and another partner': events({ customer: top, partner: rare }),
    'a week, by partner and kind': events({ partner: busy, kind: 'sale', from: day(100), to: day(93) }),
    'events of a click': events({ click: lastClick }),
    'events API, sales': () => readFeed(programId, { kinds: feedKindsOf('sale') }, 100),
    'events API, a customer': () => readFeed(programId, { customerKey: top }, 100),
    'customers, newest': () => listCustomers(programId, {}),
    'customers, by ID': () => listCustomers(programId, { search: top }),
    'customers, by email address': () => listCustomers(programId, { search: `${top}@example.com` }),
    'customers, by one letter': () => listCustomers(programId, { search: 'c' }),
    'journey of the busiest customer': () => findJourney(programId, `${programId}_led_0`),
    'partners, 28 days': () => listPartners(programId, range({})),
    'partners, 90 days': () => listPartners(programId, range({ range: 90 })),
  };
}

async function exportAll(programId: string): Promise<string> {
  const before = process.memoryUsage().rss;
  const started = performance.now();
  let [rows, most] = [0, 0];
  const reader = exportEvents(programId, {}, 'csv').body.getReader();
  for (let part = await reader.read(); !part.done && rows < EXPORTED_ROWS; part = await reader.read()) {
    rows += Buffer.from(part.value).toString().split('\n').length - 1;
    most = Math.max(most, process.memoryUsage().rss - before);
  }
  await reader.cancel();
  const perSecond = Math.round((rows * 1_000) / (performance.now() - started));
  return `${rows} rows, ${perSecond} rows/s, memory + ${Math.round(most / 1e6)} MB`;
}

async function measure(events: number, usesPglite: boolean): Promise<Record<string, number>> {
  const server = await (usesPglite ? startDatabase('memory://') : startPostgres());
  try {
    await migrate({ ...process.env, DATABASE_URL: server.url });
    process.env.DATABASE_URL = server.url;
    const limits = { serverRequestsPerMinute: 1e9, browserRequestsPerMinute: 1e9 };
    const { programId, apiKey } = await createProgram({ name: 'Bench', partners: [], ...limits });
    await fill(server.url, programId, events);
    const times: Record<string, number> = {};
    for (const [name, work] of Object.entries(workload(programId, apiKey))) {
      const runs: number[] = [];
      for (let run = 0; run < RUNS + 5; run++) {
        const started = performance.now();
        await work();
        if (run >= 5) runs.push(performance.now() - started); // the first ones warm up
      }
      times[name] = Number(lowDecile(runs).toFixed(2));
    }
    console.log(`export of ${events} events: ${await exportAll(programId)}`);
    return times;
  } finally {
    await closeDatabases();
    await server.stop();
  }
}

const usesPglite = process.argv.includes('--pglite');
const sizes = process.argv
  .slice(2)
  .map(Number)
  .filter((size) => size > 0);
const columns: Array<Record<string, number>> = [];
for (const size of sizes) columns.push(await measure(size, usesPglite));
console.log(
  `\nMilliseconds, the fastest tenth of ${RUNS} runs, ${usesPglite ? 'PGlite' : 'PostgreSQL'}, by events in the program`,
);
console.table(
  Object.fromEntries(
    Object.keys(columns[0] ?? {}).map((name) => {
      const times = columns.map((column) => column[name] ?? Number.NaN);
      const growth = (times.at(-1) ?? Number.NaN) / (times[0] ?? Number.NaN);
      return [
        name,
        {
          ...Object.fromEntries(sizes.map((size, index) => [size, times[index]])),
          'last ÷ first': Number(growth.toFixed(2)),
        },
      ];
    }),
  ),
);
process.exit(0);
