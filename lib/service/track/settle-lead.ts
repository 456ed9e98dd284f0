import 'server-only';
import { Prisma } from '@/prisma/generated/client';
import { addToFeed } from '../sql';

type Part<T> = T | Prisma.Sql;

/** The columns of a lead to settle: values, or SQL for a prepared statement. */
type SettledLead = {
  leadId: Part<string>;
  programId: Part<string>;
  test: Part<boolean>;
  customerKey: Part<string>;
  clickId: Part<string | null>;
  partnerId: Part<string | null>;
  partnerCode: Part<string | null>;
  email: Part<string | null>;
  settledBy: 'server' | 'browser' | 'payment';
  now: Part<Date>;
  /** Of the payment that settles it. */
  occurredAt?: Date;
  /** Where columns come from, and the condition for settling at all. */
  from?: Prisma.Sql;
  eventId?: Prisma.Sql;
};

/**
 * Common table expressions that settle a lead: `lead` returns it, or nothing if this customer already has one; `closed` returns a
 * row if a provisional lead of the click was waiting. A test lead does not change live records.
 *
 * Totals have to count `closed`: PostgreSQL then locks the provisional lead before the day's row, as a browser signup does. An
 * expression that nothing reads runs after the totals, so two calls for one click could deadlock.
 */
export function settleLead({ from = Prisma.empty, eventId, now, occurredAt, ...lead }: SettledLead): Prisma.Sql {
  const { sql } = Prisma;
  return sql`
    lead AS (
      INSERT INTO service_leads (id, program_id, test, customer_key, click_id, partner_id, email, settled_by, created_at)
      SELECT ${lead.leadId}, ${lead.programId}, ${lead.test}, ${lead.customerKey}, ${lead.clickId}, ${lead.partnerId},
        ${lead.email}, ${lead.settledBy}, ${now}::timestamptz
      ${from}
      ON CONFLICT (program_id, test, customer_key) DO NOTHING
      RETURNING *
    ),
    state AS (
      INSERT INTO service_provisional_leads AS p (click_id, program_id, partner_id, created_at, settled_at)
      SELECT click_id, program_id, partner_id, created_at, created_at FROM lead WHERE NOT test AND click_id IS NOT NULL
      ON CONFLICT (click_id) DO UPDATE SET settled_at = excluded.settled_at WHERE p.settled_at IS NULL
      RETURNING xmax <> 0 AS was_waiting -- xmax is set if the row existed before
    ),
    closed AS (SELECT 1 FROM state WHERE was_waiting),
    lead_feed AS (${addToFeed(sql`FROM lead`, sql`program_id`, {
      kind: 'lead',
      now,
      ...(occurredAt && { occurredAt }),
      ...(eventId && { id: eventId }),
      test: sql`test`,
      clickId: sql`click_id`,
      partnerCode: sql`${lead.partnerCode}`,
      customerKey: sql`customer_key`,
    })})`;
}
