import 'server-only';
import { Prisma } from '@/prisma/generated/client';
import type { LeadFacts } from '../domain/lead';

/** What the database knows about a click and a customer, if the program exists. */
export type LeadFactsRow = Pick<LeadFacts, 'policy' | 'click' | 'provisional'> & { lead_id: string | null };

const { sql } = Prisma;

/**
 * The columns of a `LeadFactsRow`, and the click's own, from the tables of `joinLeadFacts`. A click outside its
 * window is an unknown click.
 */
export const leadColumns = ({ clickId, now }: { clickId: Prisma.Sql; now: Prisma.Sql }): Prisma.Sql => sql`
  p.lead_auth_policy AS policy,
  CASE WHEN c.created_at > ${now} - p.attribution_window_days * interval '24 hours' THEN 'valid'
    WHEN ${clickId} IS NULL THEN 'none' ELSE 'unknown' END AS click,
  CASE WHEN v.click_id IS NULL THEN 'none' WHEN v.settled_at IS NULL THEN 'waiting' ELSE 'settled' END AS provisional,
  c.id AS click_id, ca.id AS partner_id, ca.code AS partner_code, l.id AS lead_id`;

/**
 * Joins the click and the customer's lead to a program `p`. The provisional lead is joined by its own columns and not by
 * `c.id`: PostgreSQL 18 would push the constant that `c.id` is compared with through the outer join, and find
 * the provisional lead of another program's click.
 */
export const joinLeadFacts = (subject: Record<'clickId' | 'customerKey' | 'test', Prisma.Sql>): Prisma.Sql => sql`
  LEFT JOIN service_clicks c ON c.id = ${subject.clickId} AND c.program_id = p.id
  LEFT JOIN service_partners ca ON ca.id = c.partner_id
  LEFT JOIN service_provisional_leads v ON v.click_id = ${subject.clickId} AND v.program_id = p.id
  LEFT JOIN service_leads l
    ON l.program_id = p.id AND l.test = ${subject.test} AND l.customer_key = ${subject.customerKey}`;

/** The facts for `decideLead`. */
export const leadFacts = (row: LeadFactsRow, { caller, test }: Pick<LeadFacts, 'caller' | 'test'>): LeadFacts => ({
  caller,
  policy: row.policy,
  click: row.click,
  provisional: row.provisional,
  isCustomerKnown: row.lead_id !== null,
  test,
});
