// What an operator watches: how long reports wait, how many need attention, how late webhooks arrive. Read from the database, so
// every process reports the same values; docs/operations.md says what to do for each alarm.
import 'server-only';
import { database, type Prisma } from './database';
import { UNKNOWN_CLICK } from './outbox/policy';

export type Metrics = {
  /** How long the oldest pending report has waited; 0 if none is pending. */
  outboxAgeSeconds: number;
  pending: number;
  /** Dead letters that need an operator: all but `unknownClicks`. */
  deadLetters: number;
  /** Dead letters whose click ID the service does not know. */
  unknownClicks: number;
  /** The longest time between an event and its webhook in the last hour; null if none arrived. */
  webhookLagSeconds: number | null;
  /** How far back the next reconciliation looks, which grows while none is called; null before the first one has ended. */
  reconcileAgeSeconds: number | null;
};

const HOUR_MS = 3_600_000;

type Reader = Pick<Prisma.TransactionClient, '$queryRaw'>;

/** The current metrics. @param db a transaction, for a consistent view */
export async function readMetrics(now: Date, db: Reader = database()): Promise<Metrics> {
  const [row] = await db.$queryRaw<Metrics[]>`
    SELECT
      coalesce(extract(epoch FROM ${now}::timestamp - min(queued_at) FILTER (WHERE state = 'pending')), 0)::float
        AS "outboxAgeSeconds",
      (count(*) FILTER (WHERE state = 'pending'))::int AS pending,
      (count(*) FILTER (WHERE state = 'dead' AND last_reason IS DISTINCT FROM ${UNKNOWN_CLICK}))::int AS "deadLetters",
      (count(*) FILTER (WHERE state = 'dead' AND last_reason = ${UNKNOWN_CLICK}))::int AS "unknownClicks",
      (SELECT max(greatest(0, extract(epoch FROM queued_at - occurred_at)))::float FROM shop_outbox
        WHERE occurred_at IS NOT NULL AND queued_at BETWEEN ${new Date(now.getTime() - HOUR_MS)}::timestamp AND ${now}::timestamp) AS "webhookLagSeconds",
      (SELECT extract(epoch FROM ${now}::timestamp - at)::float FROM shop_checkpoints WHERE name = 'reconcile')
        AS "reconcileAgeSeconds"
    FROM shop_outbox WHERE state IN ('pending', 'dead')`;
  if (!row) throw new Error('An aggregate always returns a row.');
  return { ...row, outboxAgeSeconds: Math.max(0, row.outboxAgeSeconds) }; // two hosts' clocks may differ
}

/** The metrics in the text format of Prometheus. */
export const formatMetrics = (metrics: Metrics): string =>
  gauge(
    'outbox_oldest_pending_age_seconds',
    'How long the oldest undelivered report has waited.',
    metrics.outboxAgeSeconds,
  ) +
  gauge('outbox_pending', 'Reports that are not delivered yet.', metrics.pending) +
  gauge('outbox_dead_letters', 'Reports that were given up and need an operator.', metrics.deadLetters) +
  gauge('outbox_unknown_clicks', 'Leads that were given up because their click ID is unknown.', metrics.unknownClicks) +
  gauge('identity_webhook_lag_seconds', 'The longest webhook delay in the last hour.', metrics.webhookLagSeconds) +
  gauge('reconcile_age_seconds', 'How far back the next reconciliation looks.', metrics.reconcileAgeSeconds);

/** Left out if there is no value. */
const gauge = (name: string, help: string, value: number | null) =>
  value === null ? '' : `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`;
