// What the control room shows of both providers, as plain values.
import { Store as ClerkStore } from '../clerk/store';
import type { Emulator } from '../core/emulator';
import { type ActiveFault, idsOf, listFaults } from '../core/faults';
import { readAccount } from '../stripe/account';
import { findCustomers } from '../stripe/clock';
import type { ApiObject } from '../stripe/wire';
import type { Seen } from './evidence';

const NEWEST = 25;

type Counted = Omit<Seen, 'deliveries'>;

type Metadata = Record<string, unknown>;

export type ShownUser = { id: string; email: string | null; metadata: Metadata; createdAt: Date };

export type ShownCharge = {
  id: string;
  amount: number;
  refunded: number;
  currency: string;
  status: string;
  dispute: { id: string; status: string } | null;
  email: string | null;
  createdAt: Date;
};

export type ShownSubscription = {
  id: string;
  email: string | null;
  status: string;
  metadata: Record<string, string>;
  /** When it next changes by itself, on its customer's clock: a renewal, a retry, its end. */
  nextChangeAt: Date | null;
};

const CUSTOMERS = "SELECT id, data->>'email' AS email FROM object WHERE type = 'stripe.customer'";

/** The newest rows. */
export type Newest<Shown> = { rows: Shown[]; hasMore: boolean };

/** The newest users, or the one with this email address. */
export function readUsers({ database }: Emulator, email: string): Promise<Newest<ShownUser>> {
  return database.query(async (sql) => {
    const store = new ClerkStore(sql);
    const one = email ? await store.findUserByEmail(email) : null;
    const { data: users, has_more: hasMore } = email
      ? { data: one ? [one] : [], has_more: false }
      : await store.page('user', { limit: NEWEST });
    const rows = users.map(({ id, email_addresses, primary_email_address_id, unsafe_metadata, created_at }) => ({
      id,
      email: email_addresses.find((address) => address.id === primary_email_address_id)?.email_address ?? null,
      metadata: unsafe_metadata,
      createdAt: new Date(created_at),
    }));
    return { rows, hasMore };
  });
}

/** What a partial capture released: Stripe counts it as refunded, and no one was charged for it. */
const releasedAmount = ({ captured, amount, amount_captured }: ApiObject<'charge'>) =>
  captured ? amount - amount_captured : 0;

export type ShownPayments = { charges: Newest<ShownCharge>; subscriptions: Newest<ShownSubscription> };

/** The newest charges and subscriptions; those of one customer if `email` is given. */
export function readPayments(emulator: Emulator, email: string): Promise<ShownPayments> {
  return readAccount(emulator, async (store) => {
    const asked = email
      ? await store.sql<{ id: string }>(`${CUSTOMERS} AND lower(data->>'email') = $1`, [email])
      : null;
    const where = asked ? { customer: asked.map(({ id }) => id) } : {};
    const charges = await store.page('charge', { where, limit: NEWEST });
    const subscriptions = await store.page('subscription', { where, limit: NEWEST });
    const payers = [...charges.data, ...subscriptions.data].map(({ customer }) => customer);
    const rows = await store.sql<{ id: string; email: string | null }>(`${CUSTOMERS} AND id = ANY($1::text[])`, [
      payers,
    ]);
    const emails = new Map(rows.map((row) => [row.id, row.email]));
    const disputes = await store.all('dispute', { charge: charges.data.map(({ id }) => id) });
    const disputeOf = new Map(disputes.map(({ id, charge, status }) => [charge, { id, status }]));
    const due = await store.sql<{ id: string; due_at: number }>(
      'SELECT id, due_at::float8 AS due_at FROM object WHERE id = ANY($1::text[]) AND due_at IS NOT NULL',
      [subscriptions.data.map(({ id }) => id)],
    );
    const dueAt = new Map(due.map((row) => [row.id, new Date(row.due_at * 1000)]));
    return {
      charges: {
        rows: charges.data.map((charge) => ({
          id: charge.id,
          amount: charge.amount - releasedAmount(charge),
          refunded: charge.amount_refunded - releasedAmount(charge),
          currency: charge.currency,
          status: charge.status,
          dispute: disputeOf.get(charge.id) ?? null,
          email: (charge.customer && emails.get(charge.customer)) || (charge.billing_details.email ?? null),
          createdAt: new Date(charge.created * 1000),
        })),
        hasMore: charges.has_more,
      },
      subscriptions: {
        rows: subscriptions.data.map(({ id, status, metadata, customer }) => ({
          id,
          status,
          metadata,
          email: emails.get(customer) ?? null,
          nextChangeAt: dueAt.get(id) ?? null,
        })),
        hasMore: subscriptions.has_more,
      },
    };
  });
}

export type Surroundings = {
  /** Everyone's clock, or this customer's. */
  now: Date;
  faults: ActiveFault[];
  /** Email addresses to choose from, of the newest customers and users. */
  customers: string[];
};

/** How many of the newest customers and users are suggested. */
const SUGGESTED = 200;

/** What every page shows around its content. */
export function readSurroundings(emulator: Emulator, email: string): Promise<Surroundings> {
  return readAccount(emulator, async (store) => {
    const { sql } = store;
    const known = await sql<{ email: string }>(
      `SELECT DISTINCT lower(coalesce(address->>'email_address', data->>'email')) AS email
       FROM (
         SELECT data FROM object WHERE type IN ('stripe.customer', 'clerk.user') ORDER BY sequence DESC LIMIT ${SUGGESTED}
       ) AS newest LEFT JOIN jsonb_array_elements(data->'email_addresses') AS address ON true
       WHERE coalesce(address->>'email_address', data->>'email') IS NOT NULL ORDER BY email`,
    );
    const [customer] = await findCustomers(store, email);
    return {
      now: new Date((customer ? await store.timeOf(customer) : store.now) * 1000),
      faults: await listFaults(sql),
      customers: known.map((row) => row.email),
    };
  });
}

/** The object with this ID, as its provider's API has it. */
export async function readObject({ database }: Emulator, id: string): Promise<{ type: string; data: unknown } | null> {
  const [row] = await database.query((sql) =>
    sql<{ type: string; data: unknown }>('SELECT type, data FROM object WHERE id = $1 ORDER BY sequence LIMIT 1', [id]),
  );
  return row ?? null;
}

/** The objects that carry an ID, oldest first, as JSON texts. */
export async function readCarriers({ database }: Emulator, id: string): Promise<string[]> {
  const rows = await database.query((sql) =>
    sql<{ data: string }>(
      `SELECT (data || jsonb_build_object('object', coalesce(data->>'object', split_part(type, '.', 2))))::text AS data
       FROM object
       WHERE sequence <> coalesce((SELECT min(sequence) FROM object WHERE id = $1), 0)
         AND type <> 'stripe.event' AND strpos(data::text, to_json($1::text)::text) > 0
       ORDER BY sequence LIMIT 100`,
      [id],
    ),
  );
  return rows.map(({ data }) => data);
}

/** What the faults have done so far, for one customer or for all. */
export async function countEvidence({ database, trace }: Emulator, email: string): Promise<Counted> {
  const { ids, ...counted } = await database.query(async (sql) => {
    const [row] = await sql<Omit<Counted, 'refusedRequests'> & { ids: string[] }>(
      `SELECT ARRAY(${idsOf('$1')}) AS ids,
         (SELECT count(*)::int FROM delivery WHERE status = 'pending' AND $1 IN ('', subject)) AS "pendingWebhooks",
         (SELECT count(*)::int FROM object WHERE type = 'stripe.subscription' AND data->'metadata' = '{}'
            AND ($1 = '' OR customer IN (${idsOf('$1')}))) AS "subscriptionsWithoutMetadata"`,
      [email],
    );
    return row ?? { ids: [], pendingWebhooks: 0, subscriptionsWithoutMetadata: 0 };
  });
  return { ...counted, refusedRequests: await trace.countRefused(email ? [email, ...ids] : null) };
}
