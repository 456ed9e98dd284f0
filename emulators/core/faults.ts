// Faults, for everyone or for one customer (an email address).
import type { Config } from './config';
import type { Sql } from './database';

export const DELIVERY_MODES = ['ordered', 'shuffled', 'duplicated', 'off'] as const;

export const FAULT_NAMES = [
  /** How webhooks are delivered: one of `DELIVERY_MODES`, of which `ordered` is the one without the fault. */
  'mode',
  /** Seconds by which webhooks are delayed. */
  'delay_seconds',
  /** If `true`, Checkout drops `subscription_data.metadata`, a common mistake of real integrations. */
  'drop_subscription_metadata',
  /** If `true`, the recorder responds 503 for the paths of the service that runs in the app. */
  'outage',
] as const;

export type FaultName = (typeof FAULT_NAMES)[number];

const TITLES: Record<FaultName, string | Partial<Record<string, string>>> = {
  mode: { shuffled: 'Out-of-order webhooks', duplicated: 'Duplicate webhooks', off: 'Paused webhooks' },
  delay_seconds: 'Delayed webhooks',
  drop_subscription_metadata: 'Missing subscription metadata',
  outage: 'Service outage',
};

/** The fault of one browser: a cookie that the recorder looks for. */
export const TRACKER_BLOCKED = 'Tracker blocked';

/** Whether anything of this instance applies a fault: the recorder, or an emulated provider. */
export function isApplied(name: string, { recorder, forwards = {} }: Config): boolean {
  if (name === 'outage') return Boolean(recorder?.servicePath);
  if (name === 'tracker_blocked') return Boolean(recorder?.blockedPath);
  if (name === 'drop_subscription_metadata') return !forwards.stripe;
  return !forwards.clerk || !forwards.stripe;
}

/** What a fault is called on every page. */
export function titleOf(name: FaultName, value: string): string {
  const titles = TITLES[name];
  return typeof titles === 'string' ? titles : (titles[value] ?? name);
}

const EVERYONE = '';

/** The value for the subject, else for everyone, else null. */
export async function readFault(sql: Sql, name: FaultName, subject = EVERYONE): Promise<string | null> {
  const [row] = await sql<{ value: string }>(
    'SELECT value FROM fault WHERE name = $1 AND subject = ANY($2::text[]) ORDER BY subject DESC LIMIT 1',
    [name, [EVERYONE, subject.toLowerCase()]],
  );
  return row?.value ?? null;
}

/** SQL: the IDs of the users and customers with an email address. A payment's events have the customer's ID and no address. */
export const idsOf = (email: string): string =>
  `SELECT object AS id FROM unique_value WHERE value = lower(${email})
   UNION SELECT id FROM object WHERE type = 'stripe.customer' AND lower(data->>'email') = lower(${email})`;

export type ActiveFault = { name: FaultName; subject: string; value: string };

/** Every fault that is on, for everyone and for single customers. */
export const listFaults = (sql: Sql): Promise<ActiveFault[]> =>
  sql<ActiveFault>("SELECT name, subject, value FROM fault WHERE value NOT IN ('false', 'ordered', '0') ORDER BY 1, 2");

/** Sets a fault for everyone or for one customer; null removes the setting. */
export async function writeFault(sql: Sql, name: FaultName, value: string | null, subject = EVERYONE): Promise<void> {
  const key = [name, subject.toLowerCase()];
  if (value === null) await sql('DELETE FROM fault WHERE name = $1 AND subject = $2', key);
  else {
    await sql(
      'INSERT INTO fault VALUES ($1, $2, $3) ON CONFLICT (name, subject) DO UPDATE SET value = excluded.value',
      [...key, value],
    );
  }
}
