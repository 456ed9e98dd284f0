import 'server-only';
import { guard, respond } from './http/respond';
import { checkScheduler } from './http/scheduler';
import { reportingDatabase } from './reporting-database';

type ServiceMetrics = {
  /** The longest time between a payment event and its webhook in the last hour; null if none arrived. */
  paymentWebhookLagSeconds: number | null;
  /** Payments attributed to no partner whose event arrived today (UTC). */
  unattributedToday: number;
};

/** Read from the database, so that every process reports the same values. */
export async function readServiceMetrics(now: Date): Promise<ServiceMetrics> {
  const [row] = await reportingDatabase().$queryRaw<ServiceMetrics[]>`
    SELECT
      (SELECT max(greatest(0, extract(epoch FROM created_at - occurred_at)))::float FROM service_payment_facts
        WHERE created_at BETWEEN ${now}::timestamptz - interval '1 hour' AND ${now}::timestamptz) AS "paymentWebhookLagSeconds",
      -- By program, so that each uses the index.
      (SELECT coalesce(sum(
          (SELECT count(*) FROM service_events e WHERE e.program_id = p.id AND e.kind = 'not_attributed' AND NOT e.test
            AND e.created_at BETWEEN date_trunc('day', ${now}::timestamptz, 'UTC') AND ${now}::timestamptz)
        ), 0)::int FROM service_programs p) AS "unattributedToday"`;
  if (!row) throw new Error('The statement always returns a row.');
  return row;
}

/** The metrics in the text format of Prometheus. */
const formatServiceMetrics = ({ paymentWebhookLagSeconds, unattributedToday }: ServiceMetrics): string =>
  gauge(
    'payment_webhook_lag_seconds',
    'The longest time between a payment event and its webhook.',
    paymentWebhookLagSeconds,
  ) +
  gauge(
    'unattributed_payments_today',
    'Payments attributed to no partner whose event arrived today.',
    unattributedToday,
  );

/** Left out if there is no value. */
const gauge = (name: string, help: string, value: number | null) =>
  value === null ? '' : `# HELP service_${name} ${help}\n# TYPE service_${name} gauge\nservice_${name} ${value}\n`;

/** GET /api/metrics/service, for a scraper: `Authorization: Bearer <CRON_SECRET>`. */
export async function respondWithMetrics(request: Request, now: Date): Promise<Response> {
  const refusal = checkScheduler(request);
  if (refusal) return respond(refusal);
  const text = await guard(async () => formatServiceMetrics(await readServiceMetrics(now)));
  if (typeof text !== 'string') return respond(text);
  const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(text, { headers });
}
