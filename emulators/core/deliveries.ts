// Webhooks: written in the transaction of the change they report, then sent at least once over real HTTP with genuine
// signatures, and kept with every attempt.
import { setTimeout as delay } from 'node:timers/promises';
import { Changes } from './changes';
import type { Database, Sql } from './database';
import { DELIVERY_MODES, readFault } from './faults';
import { describeError } from './format';
import { createId } from './ids';
import { type Provider, signDelivery } from './signature';

const CONCURRENCY = 4;
/** How long each provider waits for a response; Clerk's webhooks are sent by Svix. */
const TIMEOUT_MS: Record<Provider, number> = { clerk: 15_000, stripe: 10_000 };
const POLL_MS = 20;
const LONGEST_SLEEP_MS = 60_000;
const KEPT_RESPONSE_LENGTH = 2_000;
/** Longer than any attempt takes; a claim that outlives it belongs to a dead process. */
const LEASE_SECONDS = 30;
/** Seconds to wait after each failed attempt. The providers continue for days, the emulators for about an hour. */
const RETRY_AFTER_SECONDS = [1, 3, 10, 30, 120, 600, 3600];

export type NewDelivery = {
  provider: Provider;
  url: string;
  secret: string;
  /** The provider's ID of the event or message: the same on every attempt. */
  eventId: string;
  eventType: string;
  /** What is sent, byte for byte. */
  body: string;
  /** Who the event is about: an email address if there is one. Order is kept within a subject. */
  subject: string;
  /** When it happened on the emulators' clock, in Unix seconds. */
  occurredAt: number;
};

export type Attempt = {
  attempted_at: string;
  duration_ms: number;
  request_headers: Record<string, string>;
  response_status: number | null;
  response_body: string | null;
  error: string | null;
};

export type Delivery = {
  id: string;
  provider: Provider;
  url: string;
  event_id: string;
  event_type: string;
  subject: string;
  status: 'pending' | 'delivered' | 'failed';
  body: string;
  occurred_at: string;
  created_at: string;
  next_attempt_at: string | null;
  attempts: Attempt[];
};

type Claimed = {
  id: string;
  provider: Provider;
  url: string;
  secret: string;
  eventId: string;
  body: string;
  attemptCount: number;
  /** When the lease ends, which also identifies the claim: each one sets a new time. */
  lease: string;
  isDuplicated: boolean;
};

/** Enqueues events for their endpoints, in this order. Pass the transaction of the change that they report. */
export async function enqueueDeliveries(sql: Sql, deliveries: NewDelivery[]): Promise<void> {
  const delays = new Map<string, number>();
  for (const subject of new Set(deliveries.map((delivery) => delivery.subject))) {
    delays.set(subject, Number((await readFault(sql, 'delay_seconds', subject)) ?? 0));
  }
  for (const { provider, url, secret, eventId, eventType, body, subject, occurredAt } of deliveries) {
    const delaySeconds = delays.get(subject) ?? 0;
    await sql(
      `INSERT INTO delivery (id, provider, url, secret, event_id, event_type, body, subject, occurred_at, next_attempt_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, to_timestamp($9), now() + make_interval(secs => $10))`,
      [createId('dlv', 24), provider, url, secret, eventId, eventType, body, subject, occurredAt, delaySeconds],
    );
  }
}

/** Gives up what is pending for the endpoint with this secret. Pass the transaction that ends the endpoint. */
export async function cancelDeliveries(sql: Sql, secret: string): Promise<void> {
  await sql(`UPDATE delivery SET status = 'failed' WHERE secret = $1 AND status = 'pending'`, [secret]);
}

/** Where an instance sends events, and the secret that signs them there. */
export type DeliveryTarget = Pick<NewDelivery, 'provider' | 'url' | 'secret'>;

/**
 * Redirects deliveries that another instance enqueued to this instance's targets: to the same endpoint, identified by its
 * secret, else to the one at that address or path, because the apps' origins differ. Other deliveries are removed, even
 * sent ones: they could be sent again.
 */
export async function redirectDeliveries(sql: Sql, targets: DeliveryTarget[]): Promise<void> {
  const known = await sql<DeliveryTarget>('SELECT DISTINCT provider, url, secret FROM delivery');
  for (const { provider, url, secret } of known) {
    const own = targets.filter((target) => target.provider === provider);
    const target =
      own.find((target) => target.secret === secret) ??
      own.find((target) => target.url === url) ??
      own.find((target) => pathOf(target.url) === pathOf(url));
    const place = 'provider = $1 AND url = $2 AND secret = $3';
    const from = [provider, url, secret];
    if (!target) await sql(`DELETE FROM delivery WHERE ${place}`, from);
    else await sql(`UPDATE delivery SET url = $4, secret = $5 WHERE ${place}`, [...from, target.url, target.secret]);
  }
}

const pathOf = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** When to try again after `attemptCount` failed attempts, or null when it is time to give up. */
export function decideNextAttempt(attemptCount: number, now: Date): Date | null {
  const seconds = RETRY_AFTER_SECONDS[attemptCount - 1];
  return seconds === undefined ? null : new Date(now.getTime() + seconds * 1000);
}

/** How the delivery `d` is made: by its subject's fault or everyone's. */
const MODE = `coalesce((SELECT value FROM fault f WHERE f.name = 'mode' AND f.subject IN (d.subject, '')
  ORDER BY f.subject DESC LIMIT 1), '${DELIVERY_MODES[0]}')`;

/** Sends what is enqueued: at once when woken, and later what has to be retried. */
export class Deliveries {
  private timer: NodeJS.Timeout | undefined;
  /** Announced whenever deliveries may have been added or attempted. */
  readonly changes = new Changes();
  /** How many workers drain what is due. */
  private active = 0;
  /** How much work of any kind is running: everything here that queries the database. */
  private underWay = 0;
  private isStopped = false;

  constructor(private readonly database: Database) {}

  /** Looks for deliveries that are due. Call it after each change that may have enqueued some. */
  wake(): void {
    if (this.isStopped) return;
    this.changes.announce();
    this.check();
  }

  private check(): void {
    clearTimeout(this.timer);
    if (!this.isStopped) void this.count(() => this.look()).catch(report);
  }

  /** Most wakes find nothing due, and checking that costs less than claiming the next delivery. */
  private async look(): Promise<void> {
    const wait = await this.readWait();
    if (wait === null) return;
    if (wait <= 0) this.startDraining();
    else if (this.active === 0) this.wakeIn(wait);
  }

  /** Starts a worker. One that finds a delivery starts the next one. */
  private startDraining(): void {
    if (this.isStopped || this.active >= CONCURRENCY) return;
    this.active += 1;
    void this.count(() => this.work()).catch(report);
  }

  private async work(): Promise<void> {
    await this.drain(null).catch(report);
    this.active -= 1;
    if (this.active === 0) await this.sleep();
  }

  /**
   * Delivers until each of these events has been attempted at every endpoint, or the time is up. Stripe's Checkout does
   * so before it redirects the customer.
   */
  deliverNow(eventIds: string[], { timeoutMs }: { timeoutMs: number }): Promise<void> {
    return this.count(() => this.attemptNow(eventIds, timeoutMs));
  }

  private async attemptNow(eventIds: string[], timeoutMs: number): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    const subjects = await this.database.query((sql) =>
      sql<{ subject: string }>('SELECT DISTINCT subject FROM delivery WHERE event_id = ANY($1::text[])', [eventIds]),
    );
    const drained = this.count(() => this.drain(subjects.map(({ subject }) => subject)));
    void drained.catch(report).finally(() => this.wake()); // which may be later than this: what failed waits to be retried
    // Always a real pause: PGlite queries resolve without one, and no response would ever be read.
    while (!this.isStopped && Date.now() < deadline && (await this.isUnattempted(eventIds))) await delay(POLL_MS);
  }

  /** Stops; running work finishes first. */
  async stop(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    while (this.underWay > 0) await delay(10);
  }

  private async count<Result>(work: () => Promise<Result>): Promise<Result> {
    this.underWay += 1;
    try {
      return await work();
    } finally {
      this.underWay -= 1;
    }
  }

  /** Sends an event again, as the provider's dashboard can. @returns false if there is no such delivery */
  async redeliver(id: string): Promise<boolean> {
    const rows = await this.database.query((sql) =>
      sql(
        `UPDATE delivery SET status = 'pending', attempt_count = 0, next_attempt_at = now(), leased_until = NULL
         WHERE id = $1 RETURNING id`,
        [id],
      ),
    );
    if (rows.length === 1) this.wake();
    return rows.length === 1;
  }

  /** A delivery with its attempts, by its ID or the newest one of an event, or null. */
  async find(id: string): Promise<Delivery | null> {
    return (await this.list({ limit: 1, id }))[0] ?? null;
  }

  /** The newest deliveries with their attempts. `customer` is an email address. */
  list({
    limit = 50,
    customer,
    id,
    mentions,
    before,
  }: {
    limit?: number;
    customer?: string | undefined;
    id?: string;
    /** A text in the payload, such as an ID. */
    mentions?: string;
    /** The ID of a delivery: those that are older. */
    before?: string | undefined;
  } = {}): Promise<Delivery[]> {
    return this.database.query((sql) =>
      sql<{ delivery: Delivery }>(
        `SELECT json_build_object(
           'id', d.id, 'provider', d.provider, 'url', d.url, 'event_id', d.event_id, 'event_type', d.event_type,
           'subject', d.subject, 'status', d.status, 'body', d.body,
           'occurred_at', ${iso('d.occurred_at')}, 'created_at', ${iso('d.created_at')},
           'next_attempt_at', CASE WHEN d.status = 'pending' THEN ${iso('d.next_attempt_at')} END,
           'attempts', coalesce((
             SELECT json_agg(json_build_object(
               'attempted_at', ${iso('a.attempted_at')}, 'duration_ms', a.duration_ms,
               'request_headers', a.request_headers, 'response_status', a.response_status,
               'response_body', a.response_body, 'error', a.error) ORDER BY a.id)
             FROM delivery_attempt a WHERE a.delivery = d.id), '[]')
         ) AS delivery
         FROM delivery d WHERE ($1::text IS NULL OR d.subject = $1) AND ($3::text IS NULL OR $3 IN (d.id, d.event_id))
           AND ($4::text IS NULL OR strpos(d.body, $4) > 0)
           AND ($5::text IS NULL OR d.sequence < (SELECT sequence FROM delivery WHERE id = $5))
         ORDER BY d.sequence DESC LIMIT $2`,
        [customer?.toLowerCase() ?? null, limit, id ?? null, mentions ?? null, before ?? null],
      ).then((rows) => rows.map(({ delivery }) => delivery)),
    );
  }

  /** Changes with every delivery of a subject, or of anyone, that is added, attempted or sent again. */
  async readVersion(subject?: string): Promise<string> {
    const own = subject === undefined ? '' : 'JOIN delivery o ON o.id = a.delivery WHERE o.subject = $1';
    const [row] = await this.database.query((sql) =>
      sql<{ version: string }>(
        `SELECT concat_ws(' ', count(*), count(*) FILTER (WHERE status = 'pending'),
           (SELECT max(a.id) FROM delivery_attempt a ${own})) AS version
         FROM delivery ${subject === undefined ? '' : 'WHERE subject = $1'}`,
        subject === undefined ? [] : [subject.toLowerCase()],
      ),
    );
    return row?.version ?? '';
  }

  private async drain(subjects: string[] | null): Promise<void> {
    for (let next = await this.claim(subjects); next; next = await this.claim(subjects)) {
      if (!subjects) this.startDraining();
      await this.deliver(next);
      if (this.isStopped) return;
    }
  }

  /** What is due and was not claimed is held up, by another delivery or a fault. */
  private async sleep(): Promise<void> {
    const wait = await this.readWait();
    if (wait !== null) this.wakeIn(Math.max(wait, 250));
  }

  private wakeIn(milliseconds: number): void {
    if (this.isStopped) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), Math.min(milliseconds, LONGEST_SLEEP_MS)).unref();
  }

  /**
   * Milliseconds until the next delivery is due, or a dead process's claim expires; null if nothing is pending, or only
   * what a fault holds back: changing a fault wakes this.
   */
  private async readWait(): Promise<number | null> {
    const [row] = await this.database.query((sql) =>
      sql<{ wait: number | null }>(
        `SELECT extract(epoch FROM min(greatest(next_attempt_at, leased_until)) - now())::float8 * 1000 AS wait
         FROM delivery d WHERE status = 'pending' AND ${MODE} <> 'off'`,
      ),
    );
    return row?.wait ?? null;
  }

  private async isUnattempted(eventIds: string[]): Promise<boolean> {
    const rows = await this.database.query((sql) =>
      sql(
        `SELECT 1 FROM delivery d WHERE event_id = ANY($1::text[]) AND status = 'pending'
           AND NOT EXISTS (SELECT 1 FROM delivery_attempt a WHERE a.delivery = d.id) LIMIT 1`,
        [eventIds],
      ),
    );
    return rows.length > 0;
  }

  /**
   * Takes the next delivery that is due, or none. In order means that an endpoint gets a subject's events one after the
   * other; one that waits for its next attempt does not block the others.
   */
  private async claim(subjects: string[] | null): Promise<Claimed | null> {
    const rows = await this.database.query((sql) =>
      sql<Claimed>(
        `WITH next AS (
           SELECT d.id, m.mode FROM delivery d CROSS JOIN LATERAL (
             SELECT ${MODE} AS mode
             OFFSET 0) m -- without it, PostgreSQL plans and runs the subquery at each place where m.mode stands
           WHERE d.status = 'pending' AND d.next_attempt_at <= now() AND m.mode <> 'off'
             AND (d.leased_until IS NULL OR d.leased_until < now())
             AND ($1::text[] IS NULL OR d.subject = ANY($1))
             AND (m.mode = 'shuffled' OR NOT EXISTS (
               SELECT 1 FROM delivery e
               WHERE e.url = d.url AND e.subject = d.subject AND e.sequence < d.sequence AND e.status = 'pending'
                 AND (e.next_attempt_at <= now() OR e.leased_until > now())))
           ORDER BY CASE WHEN m.mode = 'shuffled' THEN random() END NULLS FIRST, d.sequence LIMIT 1
         )
         UPDATE delivery d
         SET leased_until = now() + make_interval(secs => ${LEASE_SECONDS}), attempt_count = attempt_count + 1
         FROM next WHERE d.id = next.id
         RETURNING d.id, d.provider, d.url, d.secret, d.event_id AS "eventId", d.body,
           d.attempt_count AS "attemptCount", d.leased_until::text AS lease, next.mode = 'duplicated' AS "isDuplicated"`,
        [subjects],
      ),
    );
    return rows[0] ?? null;
  }

  private async deliver(delivery: Claimed): Promise<void> {
    const copies = delivery.isDuplicated ? 2 : 1; // at the same moment, as a provider may
    const attempts = await Promise.all(Array.from({ length: copies }, () => attempt(delivery)));
    const isDelivered = attempts.every(
      ({ response_status: status }) => status !== null && status >= 200 && status < 300,
    );
    const nextAttempt = isDelivered ? null : decideNextAttempt(delivery.attemptCount, new Date());
    const status = isDelivered ? 'delivered' : nextAttempt ? 'pending' : 'failed';
    await this.database.change(async (sql) => {
      const kept = await sql(
        `WITH decided AS (
           UPDATE delivery SET leased_until = NULL, next_attempt_at = coalesce($3::timestamptz, next_attempt_at),
             status = CASE WHEN status = 'failed' AND $2 = 'pending' THEN status ELSE $2 END -- canceled in between
           WHERE id = $1 AND leased_until::text = $4 -- otherwise it was claimed again, and the later attempt decides
         )
         SELECT id FROM delivery WHERE id = $1`,
        [delivery.id, status, nextAttempt?.toISOString() ?? null, delivery.lease],
      );
      if (kept.length === 0) return; // a reset or an import happened in between
      for (const made of attempts) {
        await sql(
          `INSERT INTO delivery_attempt (delivery, request_headers, response_status, response_body, error, duration_ms,
             attempted_at) VALUES ($1, $2::jsonb, $3, $4, $5, $6, $7)`,
          [
            delivery.id,
            JSON.stringify(made.request_headers),
            made.response_status,
            made.response_body,
            made.error,
            made.duration_ms,
            made.attempted_at,
          ],
        );
      }
    });
    this.changes.announce();
  }
}

/** A timestamp as JSON has it. */
const iso = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

async function attempt(delivery: Claimed): Promise<Attempt> {
  const now = new Date();
  const startedAt = performance.now();
  const requestHeaders = signDelivery(delivery, now);
  const made = (result: Pick<Attempt, 'response_status' | 'response_body' | 'error'>): Attempt => ({
    ...result,
    request_headers: requestHeaders,
    attempted_at: now.toISOString(),
    duration_ms: Math.round(performance.now() - startedAt),
  });
  try {
    const response = await fetch(delivery.url, {
      method: 'POST',
      headers: requestHeaders,
      body: delivery.body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS[delivery.provider]),
    });
    const text = (await response.text()).slice(0, KEPT_RESPONSE_LENGTH).replaceAll('\u0000', '');
    return made({ response_status: response.status, response_body: text, error: null });
  } catch (error) {
    return made({ response_status: null, response_body: null, error: describeError(error) });
  }
}

function report(error: unknown): void {
  console.error('Webhooks could not be delivered.', error);
}
