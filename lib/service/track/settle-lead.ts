import 'server-only';
import { Prisma } from '@/prisma/generated/client';
import { addToFeed } from '../sql.ts';

export type SettledLead = {
  leadId: string;
  programId: string;
  test: boolean;
  customerKey: string;
  clickId: string | null;
  partnerId: string | null;
  partnerCode: string | null;
  email: string | null;
  settledBy: 'server' | 'browser' | 'payment';
  now: Date;
};

/**
 * Common table expressions that settle a lead: `lead` yields it, or nothing where this customer has one already;
 * `closed` yields a row where a provisional lead of the click was waiting. A test lead leaves live records alone.
 */
export function settleLead(lead: SettledLead): Prisma.Sql {
  const { sql } = Prisma;
  const { now } = lead;
  return sql`
    lead AS (
      INSERT INTO service_leads (id, program_id, test, customer_key, click_id, partner_id, email, settled_by, created_at)
      VALUES (${lead.leadId}, ${lead.programId}, ${lead.test}, ${lead.customerKey}, ${lead.clickId}, ${lead.partnerId},
        ${lead.email}, ${lead.settledBy}, ${now})
      ON CONFLICT (program_id, test, customer_key) DO NOTHING
      RETURNING *
    ),
    state AS (
      INSERT INTO service_provisional_leads AS p (click_id, program_id, partner_id, created_at, settled_at)
      SELECT click_id, program_id, partner_id, created_at, created_at FROM lead WHERE NOT test AND click_id IS NOT NULL
      ON CONFLICT (click_id) DO UPDATE SET settled_at = excluded.settled_at WHERE p.settled_at IS NULL
      RETURNING xmax <> 0 AS was_waiting -- xmax is set where the row was there before
    ),
    closed AS (SELECT 1 FROM state WHERE was_waiting),
    lead_feed AS (${addToFeed(sql`FROM lead`, sql`program_id`, {
      kind: 'lead',
      now,
      test: sql`test`,
      clickId: sql`click_id`,
      partnerCode: sql`${lead.partnerCode}`,
      customerKey: sql`customer_key`,
    })})`;
}
