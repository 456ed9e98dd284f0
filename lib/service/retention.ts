import 'server-only';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import { refuse } from './errors';
import type { EndpointResult } from './http/respond';
import { checkScheduler } from './http/scheduler';
import { codeOf, log } from './log';

/** How long records are kept, in days (docs/decisions/0010). Leads, sales and totals stay, because payouts depend on them. */
export const RETENTION_DAYS = {
  /** Longer than the longest attribution window, 365 days. A provisional lead lasts as long as its click. */
  clicks: 400,
  /** The feed, and what payment events said: longer than any refund or dispute takes. */
  events: 730,
  paymentFacts: 730,
};

const DAY_MS = 86_400_000;
/** A statement may take 5 s, also on a large table that is not in memory. */
const BATCH = 1_000;
/** How long a run may take: in a long-running process, and for a scheduler, whose function may be stopped after a minute. */
const LIMIT_MS = { process: 3_600_000, scheduler: 50_000 };

const { sql } = Prisma;

/** How many rows of each table were deleted or cleared, whether the run is complete, and the tables that failed. */
type Pruned = { deleted: Record<string, number>; done: boolean; failed: string[] };

/**
 * Deletes records past their retention, in batches, so that no statement blocks others for long. The tables take turns, so that a
 * large one leaves time for the others; one that fails is logged and left to the next run. Safe to repeat, and to run twice at once.
 * @param hasTime asked before each batch; the next run continues where this one stops
 */
export async function pruneRecords(
  now: Date,
  { batch = BATCH, hasTime = timeFor(LIMIT_MS.process) } = {},
): Promise<Pruned> {
  const open = new Map(Object.entries(overdue(now, batch)));
  const deleted = Object.fromEntries([...open.keys()].map((table) => [table, 0]));
  const failed: string[] = [];
  while (open.size > 0) {
    for (const [table, statement] of open) {
      // URLs are cleared after all unused clicks are deleted, so that no batch has to read past those.
      if (table === 'clickUrls' && open.has('clicks')) continue;
      if (!hasTime()) return { deleted, done: false, failed };
      const changed = await database()
        .$executeRaw(statement)
        .catch((error: Error) => {
          log.error('retention: a table failed', { table, error: error.name, code: codeOf(error) });
          failed.push(table);
          return 0;
        });
      deleted[table] = (deleted[table] ?? 0) + changed;
      if (changed < batch) open.delete(table);
    }
  }
  return { deleted, done: failed.length === 0, failed };
}

function timeFor(limitMs: number): () => boolean {
  const end = performance.now() + limitMs;
  return () => performance.now() < end;
}

/**
 * The statements that each delete a batch, by table. Each skips rows that another run is deleting: if it waited for them, they would
 * be gone, and it would mistake a short batch for the last one.
 */
function overdue(now: Date, batch: number): Record<string, Prisma.Sql> {
  const before = (age: number) => new Date(now.getTime() - age * DAY_MS);
  const days = RETENTION_DAYS;
  const next = sql`LIMIT ${batch} FOR UPDATE SKIP LOCKED`;
  // A click that led to a lead or a sale stays as proof of its attribution, without its URLs. Clicks without URLs were handled by
  // earlier runs.
  const clicks = (isKept: Prisma.Sql) => sql`
    SELECT c.id FROM service_programs p, LATERAL (
      SELECT id FROM service_clicks c
      WHERE c.program_id = p.id AND c.created_at < ${before(days.clicks)} AND c.affiliate_url <> '' AND ${isKept} (
        EXISTS (SELECT FROM service_leads l WHERE l.click_id = c.id)
        OR EXISTS (SELECT FROM service_sales s WHERE s.click_id = c.id))
      ORDER BY c.created_at ${next}) c
    LIMIT ${batch}`;
  return {
    clicks: sql`DELETE FROM service_clicks WHERE id IN (${clicks(sql`NOT`)})`,
    clickUrls: sql`
      UPDATE service_clicks SET affiliate_url = '', page_url = NULL, referrer_url = NULL
      WHERE id IN (${clicks(Prisma.empty)})`,
    events: sql`
      DELETE FROM service_events WHERE id IN (
        SELECT e.id FROM service_programs p, LATERAL (
          SELECT id FROM service_events e
          WHERE e.program_id = p.id AND e.created_at < ${before(days.events)}
          ORDER BY e.created_at, e.id ${next}) e
        LIMIT ${batch})`,
    unattributedPayments: sql`
      DELETE FROM service_unattributed_payments WHERE ctid IN (
        SELECT ctid FROM service_unattributed_payments WHERE created_at < ${before(days.events)} ${next})`,
    paymentFacts: sql`
      DELETE FROM service_payment_facts WHERE ctid IN (
        SELECT ctid FROM service_payment_facts WHERE created_at < ${before(days.paymentFacts)} ${next})`,
    sessions: sql`
      DELETE FROM service_dashboard_sessions WHERE hash IN (
        SELECT hash FROM service_dashboard_sessions WHERE expires_at <= ${now} ${next})`,
    rateLimits: sql`
      DELETE FROM service_rate_limits WHERE bucket IN (
        SELECT bucket FROM service_rate_limits WHERE window_start < ${new Date(now.getTime() - 600_000)} ${next})`,
  };
}

/**
 * Prunes soon after the start and then once a day. The first run is at a random time, so that processes that start together do not
 * prune together. Serverless: use the cron route.
 */
export function pruneOnInterval({
  prune = pruneRecords,
  firstRunMs = 60_000 * (1 + 9 * Math.random()),
  intervalMs = DAY_MS,
} = {}): void {
  const run = () =>
    prune(new Date())
      .then(({ deleted, done }) => log.info('retention', { ...deleted, done }))
      .catch((error: Error) => log.error('retention failed', { error: error.name }))
      .finally(() => setTimeout(run, intervalMs).unref());
  setTimeout(run, firstRunMs).unref();
}

/** GET /api/cron/retention, for your scheduler: `Authorization: Bearer <CRON_SECRET>`. Without a secret, no request is accepted. */
export async function runRetention(request: Request, now: Date): Promise<EndpointResult> {
  const refusal = checkScheduler(request);
  if (refusal) return refusal;
  const { failed, ...body } = await pruneRecords(now, { hasTime: timeFor(LIMIT_MS.scheduler) });
  if (failed.length === 0) return { ok: true, body };
  const sentence = `The log says why these tables failed: ${failed.join(', ')}. Call this route again.`;
  return refuse('store_unavailable', sentence);
}
