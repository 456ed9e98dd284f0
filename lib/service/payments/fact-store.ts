import 'server-only';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import type { PaymentFact } from './payment';

// The facts from a payment account's events, stored so that a payment can be decided from all of them, whatever their order.
// No payload is stored: only the fields of `PaymentFact`.

/** Facts of different accounts or modes are never combined. The empty string means the endpoint's own account. */
export type FactScope = { accountIds: string[]; livemode: boolean };

/** The part of Prisma's client that a transaction has too. */
export type Client = Pick<Prisma.TransactionClient, '$queryRaw' | '$executeRaw'>;

type FactRow = {
  id: string;
  kind: string;
  rank: 0 | 1;
  payment_intent_id: string | null;
  invoice_id: string | null;
  occurred_at: Date;
  details: object;
};

/** Stores a fact. A repeat, or a fact that arrives too late to matter, changes nothing. */
export async function keepFact(fact: PaymentFact, accountId: string, livemode: boolean, now: Date): Promise<void> {
  const { id, kind, rank, paymentIntentId, invoiceId, occurredAt, ...details } = fact;
  await database().$executeRaw`
    INSERT INTO service_payment_facts AS f (account_id, livemode, kind, id, rank, payment_intent_id, invoice_id, details,
      occurred_at, created_at)
    VALUES (${accountId}, ${livemode}, ${kind}, ${id}, ${rank}, ${paymentIntentId}, ${invoiceId}, ${details}::jsonb,
      ${occurredAt}, ${now})
    ON CONFLICT (account_id, livemode, kind, id) DO UPDATE SET rank = excluded.rank, details = excluded.details,
      payment_intent_id = coalesce(excluded.payment_intent_id, f.payment_intent_id),
      invoice_id = coalesce(excluded.invoice_id, f.invoice_id), occurred_at = excluded.occurred_at,
      created_at = excluded.created_at
    WHERE f.rank < excluded.rank
      -- A dispute closes more than once: what was lost can be won on appeal.
      OR (f.kind = 'dispute' AND f.rank = excluded.rank AND f.occurred_at < excluded.occurred_at)
      -- Later events of a failed refund repeat the failure: the first one has the right time.
      OR (f.kind = 'refund_failed' AND f.occurred_at > excluded.occurred_at)`;
}

/**
 * All facts of the payments with one of these keys, found through PaymentIntents and invoices. Arrays: for a recursive query
 * PostgreSQL estimates hundreds of keys, and would scan the table.
 */
export async function loadFacts({ accountIds, livemode }: FactScope, keys: string[], client: Client = database()) {
  const inScope = Prisma.sql`f.account_id = ANY(${accountIds}) AND f.livemode = ${livemode}`;
  const rows = await client.$queryRaw<FactRow[]>`
    WITH RECURSIVE keys AS (
      SELECT unnest(${keys}::text[]) AS key
      UNION
      SELECT named.key FROM keys, LATERAL (
        SELECT payment_intent_id, invoice_id FROM service_payment_facts f WHERE f.payment_intent_id = keys.key AND ${inScope}
        UNION ALL
        SELECT payment_intent_id, invoice_id FROM service_payment_facts f WHERE f.invoice_id = keys.key AND ${inScope}
      ) found, LATERAL (VALUES (found.payment_intent_id), (found.invoice_id)) AS named (key)
      WHERE named.key IS NOT NULL
    )
    SELECT f.id, f.kind, f.rank, f.payment_intent_id, f.invoice_id, f.occurred_at, f.details
    FROM service_payment_facts f WHERE f.payment_intent_id = ANY(ARRAY(SELECT key FROM keys)) AND ${inScope}
    UNION
    SELECT f.id, f.kind, f.rank, f.payment_intent_id, f.invoice_id, f.occurred_at, f.details
    FROM service_payment_facts f WHERE f.invoice_id = ANY(ARRAY(SELECT key FROM keys)) AND ${inScope}
    ORDER BY kind, id`;
  return rows.map(toFact);
}

const toFact = ({ id, kind, rank, payment_intent_id, invoice_id, occurred_at, details }: FactRow) =>
  ({
    ...details,
    id,
    kind,
    rank,
    paymentIntentId: payment_intent_id,
    invoiceId: invoice_id,
    occurredAt: occurred_at,
  }) as PaymentFact; // written by `keepFact` only
