import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { onTestFinished, vi } from 'vitest';
import { clerkWebhook, click, newCustomer, sale, serverLead } from './calls';

/** What the app has acknowledged: each of these has to be stored, and once. */
export type Acknowledged = {
  clicks: Set<string>;
  leads: Set<string>;
  sales: Set<string>;
  /** The customer of each message. */
  webhooks: Map<string, string>;
};

export const nothingAcknowledged = (): Acknowledged => ({
  clicks: new Set(),
  leads: new Set(),
  sales: new Set(),
  webhooks: new Map(),
});

type Load = {
  /** Resolves when this many more calls were acknowledged. */
  progress: (calls: number) => Promise<void>;
  /** How many calls had to be repeated. */
  failures: () => number;
  stop: () => Promise<void>;
};

/**
 * A number of customers at once, one after the other; each call is repeated until it is acknowledged, as callers do. It ends with
 * the test at the latest.
 */
export function startLoad(app: string, acknowledged: Acknowledged, { parallel = 8 } = {}): Load {
  let isRunning = true;
  let failures = 0;
  let calls = 0;
  const waiting: Array<{ from: number; resolve: () => void }> = [];
  const count = () => {
    calls++;
    for (const { from, resolve } of waiting) if (calls >= from) resolve();
  };
  /** undefined if the load was stopped before there was a 2xx, or a 409, which acknowledges too. */
  const until = async <Result extends { status: number }>(send: () => Promise<Result>): Promise<Result | undefined> => {
    while (isRunning) {
      const result = await send().catch(() => null);
      if (result && (result.status === 200 || result.status === 409)) {
        count();
        return result;
      }
      failures++;
      await new Promise((resolve) => setTimeout(resolve, 20)); // the pause of a caller, not a wait for a state
    }
    return undefined;
  };
  const oneCustomer = async () => {
    const [customer, invoice] = [newCustomer(), `in_${randomUUID()}`];
    const [newUser, message] = [newCustomer(), `msg_${randomUUID()}`];
    const clickId = (await until(() => click(app)))?.body.click_id;
    if (typeof clickId !== 'string') return;
    acknowledged.clicks.add(clickId);
    if (await until(() => serverLead(app, customer, clickId))) acknowledged.leads.add(customer);
    if (await until(() => sale(app, customer, invoice))) acknowledged.sales.add(invoice);
    if (await until(() => clerkWebhook(app, { id: newUser, clickId }, message)))
      acknowledged.webhooks.set(message, newUser);
  };
  const workers = Array.from({ length: parallel }, async () => {
    while (isRunning) await oneCustomer();
  });
  const stop = async () => {
    isRunning = false;
    await Promise.all(workers);
  };
  onTestFinished(stop);
  return {
    progress: (more) => new Promise((resolve) => waiting.push({ from: calls + more, resolve })),
    failures: () => failures,
    stop,
  };
}

export type Stored = {
  missing: string[];
  doubled: string[];
  totals: Record<'clicks' | 'leads' | 'sales', number>;
  rows: Record<'clicks' | 'leads' | 'sales', number>;
};

/** What the database holds of it. */
export async function compareWithStored(databaseUrl: string, acknowledged: Acknowledged): Promise<Stored> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  // One snapshot: the outbox is still being delivered while this reads.
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const column = async (sql: string): Promise<string[]> =>
    (await client.query({ text: sql, rowMode: 'array' })).rows.flat();
  // The program of the load, live: another program, and test mode, may have the same IDs.
  const live = "program_id = 'prg_demo' AND NOT test";
  const stored = {
    clicks: await column("SELECT id FROM service_clicks WHERE program_id = 'prg_demo'"),
    leads: await column(`SELECT customer_key FROM service_leads WHERE ${live} AND customer_key IS NOT NULL`),
    sales: await column(`SELECT transaction_id FROM service_sales WHERE ${live}`),
    webhooks: await column('SELECT id FROM shop_outbox'),
  };
  const feed = await column(
    "SELECT kind || ' ' || coalesce(transaction_id, customer_key, click_id) FROM service_events WHERE kind IN ('click', 'lead', 'sale') AND " +
      live,
  );
  const [totals = { clicks: 0, leads: 0, sales: 0 }] = (
    await client.query(
      `SELECT sum(clicks)::int AS clicks, sum(leads)::int AS leads, sum(sales)::int AS sales FROM (
        SELECT program_id, clicks, leads, sales FROM service_daily_counts
        UNION ALL SELECT program_id, 0, leads, sales FROM service_late_counts) AS counts WHERE program_id = 'prg_demo'`,
    )
  ).rows;
  await client.end();
  const without = (ids: Iterable<string>, known: string[]) => {
    const set = new Set(known);
    return [...ids].filter((id) => !set.has(id));
  };
  // A webhook that finds the database down is delivered without the outbox: then its lead is what was acknowledged.
  const unstored = without(acknowledged.webhooks.keys(), stored.webhooks);
  const users = unstored.map((message) => acknowledged.webhooks.get(message) ?? message);
  return {
    missing: [
      ...(['clicks', 'leads', 'sales'] as const).flatMap((kind) => without(acknowledged[kind], stored[kind])),
      ...without(users, stored.leads),
    ],
    doubled: findDoubled(feed),
    totals,
    rows: { clicks: stored.clicks.length, leads: stored.leads.length, sales: stored.sales.length },
  };
}

/** Waits until the outbox has delivered every acknowledged webhook. @returns how many attempts each took that was stored */
export async function untilDelivered(databaseUrl: string, { webhooks }: Acknowledged): Promise<number[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const [messages, users] = [[...webhooks.keys()], [...webhooks.values()]];
  const readDelivered = async () => {
    const reports = await client.query('SELECT state, attempts FROM shop_outbox WHERE id = ANY($1)', [messages]);
    const leads = await client.query('SELECT DISTINCT customer_key FROM service_leads WHERE customer_key = ANY($1)', [
      users,
    ]);
    return reports.rows.every(({ state }) => state === 'done') && leads.rowCount === users.length && reports.rows;
  };
  try {
    // A killed process leaves a lease of half a minute, and a failed attempt waits for up to 45 s.
    const reports = await vi.waitUntil(readDelivered, { timeout: 120_000, interval: 500 });
    return reports.map(({ attempts }) => attempts);
  } finally {
    await client.end();
  }
}

const findDoubled = (ids: string[]): string[] => ids.filter((id, index) => ids.indexOf(id) !== index);
