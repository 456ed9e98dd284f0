import 'server-only';
import { randomBytes } from 'node:crypto';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import { type Provider, sandboxedProviders } from '../env';
import { readSetting } from '../settings/settings';

/** Longer than any attempt takes; a claim that outlives it belongs to a process that has died. */
const LEASE_SECONDS = 30;

export type SecretName = 'CLERK_WEBHOOK_SIGNING_SECRET' | 'STRIPE_WEBHOOK_SECRET' | 'SVC_STRIPE_WEBHOOK_SECRET';

export type DeliveryInput = {
  provider: Provider;
  url: string;
  /** The provider's ID of the event or message: the same on every attempt. */
  eventId: string;
  eventType: string;
  /** What is sent, byte for byte. */
  body: string;
  /** Whose event it is: an e-mail address where there is one. Order is kept within a subject. */
  subject: string;
} & ({ secretName: SecretName } | { secret: string });

export type ClaimedDelivery = {
  id: string;
  provider: Provider;
  url: string;
  secretName: SecretName | null;
  secret: string | null;
  eventId: string;
  body: string;
  attemptCount: number;
  isDuplicated: boolean;
};

export type AttemptRecord = {
  requestHeaders: Record<string, string>;
  answerStatus: number | null;
  answerBody: string | null;
  error: string | null;
  durationMs: number;
  attemptedAt: Date;
};

/**
 * Puts an event in line for one endpoint. Pass the transaction that changes the state the event tells of, so that
 * neither is ever without the other.
 */
export async function enqueueDelivery(
  input: DeliveryInput,
  tx: Prisma.TransactionClient = database(),
): Promise<{ id: string }> {
  const [id = ''] = await enqueueDeliveries([input], tx);
  return { id };
}

/** Several at once, in this order. */
export async function enqueueDeliveries(inputs: DeliveryInput[], tx: Prisma.TransactionClient): Promise<string[]> {
  const delays = new Map<string, number>();
  for (const subject of new Set(inputs.map((input) => input.subject))) {
    delays.set(subject, Number(await readSetting('deliveries.delay_seconds', subject, tx)));
  }
  const rows = inputs.map((input) => ({
    id: `dlv_${randomBytes(12).toString('hex')}`,
    ...input,
    nextAttemptAt: new Date(Date.now() + (delays.get(input.subject) ?? 0) * 1000),
  }));
  await tx.sandboxDelivery.createMany({ data: rows });
  return rows.map(({ id }) => id);
}

/**
 * Takes the next delivery that is due, or none. Several may ask at once: each gets another one. In order means that an
 * endpoint gets a subject's events one after the other; one that waits for its next attempt holds nobody up.
 * What is left over from a provider that is real by now stays where it is: its secrets are the real ones.
 * @param subjects only theirs; null for everyone's
 */
export async function claimDelivery(subjects: string[] | null): Promise<ClaimedDelivery | null> {
  const rows = await database().$queryRaw<ClaimedDelivery[]>`
    WITH next AS (
      SELECT d.id, m.mode
      FROM sandbox_delivery d
      CROSS JOIN LATERAL (
        SELECT coalesce(
          (SELECT value FROM sandbox_setting s WHERE s.name = 'deliveries.mode' AND s.subject IN (d.subject, '')
           ORDER BY s.subject DESC LIMIT 1), 'ordered') AS mode
      ) m
      WHERE d.status = 'pending' AND d.next_attempt_at <= now()
        AND (d.leased_until IS NULL OR d.leased_until < now())
        AND d.provider = ANY(${sandboxedProviders()})
        AND ${subjects ? Prisma.sql`d.subject = ANY(${subjects})` : Prisma.sql`true`}
        AND (m.mode = 'shuffled' OR NOT EXISTS (
          SELECT 1 FROM sandbox_delivery e
          WHERE e.url = d.url AND e.subject = d.subject AND e.sequence < d.sequence AND e.status = 'pending'
            AND (e.next_attempt_at <= now() OR e.leased_until > now())
        ))
      ORDER BY CASE WHEN m.mode = 'shuffled' THEN random() END NULLS FIRST, d.sequence
      LIMIT 1
      FOR UPDATE OF d SKIP LOCKED
    )
    UPDATE sandbox_delivery d
    SET leased_until = now() + make_interval(secs => ${LEASE_SECONDS}), attempt_count = attempt_count + 1
    FROM next WHERE d.id = next.id
    RETURNING d.id, d.provider, d.url, d.secret_name AS "secretName", d.secret, d.event_id AS "eventId", d.body,
      d.attempt_count AS "attemptCount", next.mode = 'duplicated' AS "isDuplicated"`;
  return rows[0] ?? null;
}

/** Keeps what was sent and answered, and decides the delivery's future: `nextAttemptAt` null on a failure gives it up. */
export async function recordAttempts(
  id: string,
  attempts: AttemptRecord[],
  outcome: { isDelivered: boolean; nextAttemptAt: Date | null },
): Promise<void> {
  const status = outcome.isDelivered ? 'delivered' : outcome.nextAttemptAt ? 'pending' : 'failed';
  await database().sandboxDelivery.update({
    where: { id },
    data: {
      status,
      leasedUntil: null,
      ...(outcome.nextAttemptAt && { nextAttemptAt: outcome.nextAttemptAt }),
      attempts: { create: attempts },
    },
  });
}

/** Sends it again, as the provider's dashboard can: true when there is such a delivery of a provider in the sandbox. */
export async function redeliver(id: string): Promise<boolean> {
  const { count } = await database().sandboxDelivery.updateMany({
    where: { id, provider: { in: sandboxedProviders() } },
    data: { status: 'pending', attemptCount: 0, nextAttemptAt: new Date(), leasedUntil: null },
  });
  return count === 1;
}

/** When the earliest waiting delivery is due, or null. */
export async function nextDeliveryDue(): Promise<Date | null> {
  const first = await database().sandboxDelivery.findFirst({
    where: { status: 'pending', leasedUntil: null, provider: { in: sandboxedProviders() } },
    orderBy: { nextAttemptAt: 'asc' },
    select: { nextAttemptAt: true },
  });
  return first?.nextAttemptAt ?? null;
}

/** Whose these events are. */
export async function subjectsOf(eventIds: string[]): Promise<string[]> {
  const rows = await database().sandboxDelivery.findMany({
    where: { eventId: { in: eventIds } },
    distinct: ['subject'],
    select: { subject: true },
  });
  return rows.map(({ subject }) => subject);
}

/** How many of these events' deliveries have not been attempted at all. */
export async function countUnattempted(eventIds: string[]): Promise<number> {
  return database().sandboxDelivery.count({
    where: { eventId: { in: eventIds }, status: 'pending', attempts: { none: {} } },
  });
}

/** The newest deliveries with their attempts, for the control room. */
export async function listDeliveries({ limit = 50, subject }: { limit?: number; subject?: string } = {}) {
  const rows = await database().sandboxDelivery.findMany({
    ...(subject && { where: { subject } }),
    orderBy: { sequence: 'desc' },
    take: limit,
    include: { attempts: { orderBy: { id: 'asc' } } },
  });
  return rows.map((row) => ({
    id: row.id,
    provider: row.provider,
    url: row.url,
    event_id: row.eventId,
    event_type: row.eventType,
    subject: row.subject,
    status: row.status,
    body: row.body,
    created_at: row.createdAt.toISOString(),
    next_attempt_at: row.status === 'pending' ? row.nextAttemptAt.toISOString() : null,
    attempts: row.attempts.map((attempt) => ({
      attempted_at: attempt.attemptedAt.toISOString(),
      duration_ms: attempt.durationMs,
      request_headers: attempt.requestHeaders as Record<string, string>,
      answer_status: attempt.answerStatus,
      answer_body: attempt.answerBody,
      error: attempt.error,
    })),
  }));
}

export type ListedDelivery = Awaited<ReturnType<typeof listDeliveries>>[number];
