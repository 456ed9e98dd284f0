import 'server-only';
import { Prisma } from '@/prisma/generated/client';
import { guard, respond } from './http/respond.ts';
import { isScheduler, refuseScheduler } from './http/scheduler.ts';
import { reportingDatabase } from './reporting-database.ts';

export type ServiceMetrics = {
  /** The longest time between a payment event and its webhook in the last hour; null where none arrived. */
  paymentWebhookLagSeconds: number | null;
  /** Payments of today (UTC) that were attributed to no partner. */
  unattributedToday: number;
};

/** Read from the database, so that every process says the same. */
export async function readServiceMetrics(now: Date): Promise<ServiceMetrics> {
  const [row] = await reportingDatabase().$queryRaw<ServiceMetrics[]>(Prisma.sql`
    SELECT
      (SELECT max(greatest(0, extract(epoch FROM created_at - occurred_at)))::float FROM service_payment_facts
        WHERE created_at BETWEEN ${now}::timestamptz - interval '1 hour' AND ${now}::timestamptz) AS "paymentWebhookLagSeconds",
      -- By program, so that each is one read of the primary key.
      (SELECT coalesce(sum(
          (SELECT coalesce(sum(unattributed), 0) FROM service_daily_counts c WHERE c.program_id = p.id AND c.day = today)
          + (SELECT coalesce(sum(unattributed), 0) FROM service_late_counts c WHERE c.program_id = p.id AND c.day = today)
        ), 0)::int
        FROM service_programs p, LATERAL (SELECT (${now}::timestamptz AT TIME ZONE 'UTC')::date AS today) AS clock
      ) AS "unattributedToday"`);
  if (!row) throw new Error('The statement always yields a row.');
  return row;
}

/** The metrics in the text format of Prometheus. */
export function formatServiceMetrics({ paymentWebhookLagSeconds: lag, unattributedToday }: ServiceMetrics): string {
  return [
    lag === null
      ? ''
      : gauge('payment_webhook_lag_seconds', 'The longest time between a payment event and its webhook.', lag),
    gauge('unattributed_payments_today', 'Payments of today that were attributed to no partner.', unattributedToday),
  ].join('');
}

const gauge = (name: string, help: string, value: number) =>
  `# HELP service_${name} ${help}\n# TYPE service_${name} gauge\nservice_${name} ${value}\n`;

/** GET /api/metrics/service, for a scraper: `Authorization: Bearer <CRON_SECRET>`. */
export async function respondWithMetrics(request: Request, now: Date): Promise<Response> {
  if (!isScheduler(request)) return respond(refuseScheduler());
  let text = '';
  const result = await guard(async () => {
    text = formatServiceMetrics(await readServiceMetrics(now));
    return { ok: true, body: {} };
  });
  if (!result.ok) return respond(result);
  const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(text, { headers });
}
