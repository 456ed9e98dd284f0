import 'server-only';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import type { EndpointResult } from './http/respond.ts';
import { isScheduler, refuseScheduler } from './http/scheduler.ts';
import { log } from './log.ts';

/** How long records are kept, in days (docs/decisions/0010). Leads, sales and the totals stay: they are what is paid for. */
export const RETENTION_DAYS = {
  /** Longer than the longest attribution window, 365 days. */
  clicks: 400,
  /** The feed, and what payment events said: longer than any refund or dispute takes. */
  events: 730,
  paymentFacts: 730,
};

const DAY_MS = 86_400_000;
const BATCH = 5_000;
const BATCHES = 20;

const { sql } = Prisma;

/**
 * Deletes what is older than it is kept for, in batches, so that no statement holds others up. Safe to repeat, and to run
 * twice at once; what one run leaves is for the next.
 * @returns how many rows of each table went
 */
export async function pruneRecords(now: Date, days = RETENTION_DAYS): Promise<Record<string, number>> {
  const before = (age: number) => new Date(now.getTime() - age * DAY_MS);
  return {
    // A click that a lead or a sale came from stays, as the proof of its attribution, without its URLs.
    clicks: await inBatches(sql`
      DELETE FROM service_clicks WHERE id IN (
        SELECT c.id FROM service_programs p, LATERAL (
          SELECT id FROM service_clicks c
          WHERE c.program_id = p.id AND c.created_at < ${before(days.clicks)}
            AND NOT EXISTS (SELECT FROM service_leads l WHERE l.click_id = c.id)
            AND NOT EXISTS (SELECT FROM service_sales s WHERE s.click_id = c.id)
          ORDER BY c.created_at LIMIT ${BATCH}) c
        LIMIT ${BATCH})`),
    clickUrls: await inBatches(sql`
      UPDATE service_clicks SET affiliate_url = '', page_url = NULL, referrer_url = NULL WHERE id IN (
        SELECT c.id FROM service_programs p, LATERAL (
          SELECT id FROM service_clicks c
          WHERE c.program_id = p.id AND c.created_at < ${before(days.clicks)} AND c.affiliate_url <> ''
          ORDER BY c.created_at LIMIT ${BATCH}) c
        LIMIT ${BATCH})`),
    events: await inBatches(sql`
      DELETE FROM service_events WHERE id IN (
        SELECT e.id FROM service_programs p, LATERAL (
          SELECT id FROM service_events e
          WHERE e.program_id = p.id AND e.created_at < ${before(days.events)}
          ORDER BY e.created_at, e.id LIMIT ${BATCH}) e
        LIMIT ${BATCH})`),
    unattributedPayments: await inBatches(sql`
      DELETE FROM service_unattributed_payments WHERE ctid IN (
        SELECT ctid FROM service_unattributed_payments WHERE created_at < ${before(days.events)} LIMIT ${BATCH})`),
    paymentFacts: await inBatches(sql`
      DELETE FROM service_payment_facts WHERE ctid IN (
        SELECT ctid FROM service_payment_facts WHERE created_at < ${before(days.paymentFacts)} LIMIT ${BATCH})`),
    sessions: await inBatches(sql`
      DELETE FROM service_dashboard_sessions WHERE hash IN (
        SELECT hash FROM service_dashboard_sessions WHERE expires_at <= ${now} LIMIT ${BATCH})`),
    rateLimits: await inBatches(sql`
      DELETE FROM service_rate_limits WHERE bucket IN (
        SELECT bucket FROM service_rate_limits WHERE window_start < ${new Date(now.getTime() - 600_000)} LIMIT ${BATCH})`),
  };
}

/**
 * Runs it soon after the start and then once a day, while the process lives. Processes that start together do not run it
 * together. Serverless: call the cron route instead.
 */
export function pruneOnInterval({
  prune = pruneRecords,
  firstRunMs = 60_000 * (1 + 9 * Math.random()),
  intervalMs = DAY_MS,
} = {}): void {
  const run = () =>
    prune(new Date())
      .then((deleted) => log.info('retention', deleted))
      .catch((error: Error) => log.error('retention failed', { error: error.name }))
      .finally(() => setTimeout(run, intervalMs).unref());
  setTimeout(run, firstRunMs).unref();
}

async function inBatches(statement: Prisma.Sql): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < BATCHES; batch++) {
    const changed = await database().$executeRaw(statement);
    total += changed;
    if (changed < BATCH) break;
  }
  return total;
}

/** GET /api/cron/retention, for your scheduler: `Authorization: Bearer <CRON_SECRET>`. Without a secret no call is accepted. */
export async function runRetention(request: Request, now: Date): Promise<EndpointResult> {
  if (!isScheduler(request)) return refuseScheduler();
  return { ok: true, body: { deleted: await pruneRecords(now) } };
}
