import 'server-only';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import { isWithinWindow } from '../domain/click.ts';
import type { LeadFacts } from '../domain/lead.ts';
import type { LeadAuthPolicy } from '../domain/program.ts';

/** What the database knows of a click and a customer, one row; each part is null where there is none. */
export type LeadRow = {
  lead_auth_policy: LeadAuthPolicy;
  attribution_window_days: number;
  click_id: string | null;
  clicked_at: Date | null;
  partner_id: string | null;
  partner_code: string | null;
  provisional_at: Date | null;
  provisional_settled_at: Date | null;
  lead_id: string | null;
  lead_click_id: string | null;
  lead_partner_id: string | null;
  lead_partner_code: string | null;
};

export type LeadSubject = { clickId: string | null; customerKey: string | null; test: boolean };

const { empty } = Prisma;

/**
 * Reads the row from a `program` that `withProgram` defines. The provisional lead is joined by its own columns and not
 * by `c.id`: PostgreSQL 18 would take the constant that `c.id` is compared with through the outer join, and find the
 * provisional lead of another program's click.
 * @param extra further columns and joins, for what `withProgram` defines besides
 */
export async function readLeadRow<Extra extends object>(
  withProgram: Prisma.Sql,
  subject: LeadSubject,
  extra: { columns: Prisma.Sql; joins: Prisma.Sql } = { columns: empty, joins: empty },
): Promise<LeadRow & Extra> {
  const [row] = await database().$queryRaw<Array<LeadRow & Extra>>`
    WITH ${withProgram}
    SELECT p.lead_auth_policy, p.attribution_window_days,
      c.id AS click_id, c.created_at AS clicked_at, ca.id AS partner_id, ca.code AS partner_code,
      v.created_at AS provisional_at, v.settled_at AS provisional_settled_at,
      l.id AS lead_id, l.click_id AS lead_click_id, la.id AS lead_partner_id, la.code AS lead_partner_code
      ${extra.columns}
    FROM (SELECT 1) AS one
      LEFT JOIN program p ON true
      LEFT JOIN service_clicks c ON c.id = ${subject.clickId} AND c.program_id = p.id
      LEFT JOIN service_partners ca ON ca.id = c.partner_id
      LEFT JOIN service_provisional_leads v ON v.click_id = ${subject.clickId} AND v.program_id = p.id
      LEFT JOIN service_leads l
        ON l.program_id = p.id AND l.test = ${subject.test} AND l.customer_key = ${subject.customerKey}
      LEFT JOIN service_partners la ON la.id = l.partner_id
      ${extra.joins}`;
  if (!row) throw new Error('The lead statement always yields a row.');
  return row;
}

/** The facts that `decideLead` decides on. */
export function leadFacts(row: LeadRow, caller: LeadFacts['caller'], subject: LeadSubject, now: Date): LeadFacts {
  const isValid = row.clicked_at !== null && isWithinWindow(row.clicked_at, row.attribution_window_days, now);
  const isWaiting = row.provisional_at !== null && row.provisional_settled_at === null;
  return {
    caller,
    policy: row.lead_auth_policy,
    click: isValid ? 'valid' : subject.clickId ? 'unknown' : 'none',
    provisional: isWaiting ? 'waiting' : row.provisional_at ? 'settled' : 'none',
    isCustomerKnown: row.lead_id !== null,
    test: subject.test,
  };
}
