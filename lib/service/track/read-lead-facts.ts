import 'server-only';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import type { LeadFacts } from '../domain/lead.ts';

/** What the database knows of a click and a customer, one row; each part is null where there is none. */
export type LeadRow = Pick<LeadFacts, 'policy' | 'click' | 'provisional'> & {
  click_id: string | null;
  partner_id: string | null;
  partner_code: string | null;
  lead_id: string | null;
  lead_click_id: string | null;
  lead_partner_id: string | null;
  lead_partner_code: string | null;
};

/** What a lead call or a payment names, and when. */
export type LeadSubject = { clickId: string | null; customerKey: string | null; test: boolean; now: Date };

const { empty, sql } = Prisma;

/** The columns of a `LeadRow`, from the tables of `joinLeadFacts`. A click that is out of its window is an unknown click. */
export const leadColumns = ({ clickId, now }: { clickId: Prisma.Sql; now: Prisma.Sql }): Prisma.Sql => sql`
  p.lead_auth_policy AS policy,
  CASE WHEN c.created_at > ${now} - p.attribution_window_days * interval '24 hours' THEN 'valid'
    WHEN ${clickId} IS NULL THEN 'none' ELSE 'unknown' END AS click,
  CASE WHEN v.click_id IS NULL THEN 'none' WHEN v.settled_at IS NULL THEN 'waiting' ELSE 'settled' END AS provisional,
  c.id AS click_id, ca.id AS partner_id, ca.code AS partner_code,
  l.id AS lead_id, l.click_id AS lead_click_id, la.id AS lead_partner_id, la.code AS lead_partner_code`;

/**
 * Joins the click and the customer's lead to a program `p`. The provisional lead is joined by its own columns and not by
 * `c.id`: PostgreSQL 18 would take the constant that `c.id` is compared with through the outer join, and find the
 * provisional lead of another program's click.
 */
export const joinLeadFacts = (subject: Record<'clickId' | 'customerKey' | 'test', Prisma.Sql>): Prisma.Sql => sql`
  LEFT JOIN service_clicks c ON c.id = ${subject.clickId} AND c.program_id = p.id
  LEFT JOIN service_partners ca ON ca.id = c.partner_id
  LEFT JOIN service_provisional_leads v ON v.click_id = ${subject.clickId} AND v.program_id = p.id
  LEFT JOIN service_leads l
    ON l.program_id = p.id AND l.test = ${subject.test} AND l.customer_key = ${subject.customerKey}
  LEFT JOIN service_partners la ON la.id = l.partner_id`;

/**
 * Reads the row from a `program` that `withProgram` defines.
 * @param extra further columns and joins, for what `withProgram` defines besides
 */
export async function readLeadRow<Extra extends object>(
  withProgram: Prisma.Sql,
  { clickId, customerKey, test, now }: LeadSubject,
  extra: { columns: Prisma.Sql; joins: Prisma.Sql } = { columns: empty, joins: empty },
): Promise<LeadRow & Extra> {
  const given = {
    clickId: sql`${clickId}::text`,
    customerKey: sql`${customerKey}`,
    test: sql`${test}`,
    now: sql`${now}::timestamptz`,
  };
  const [row] = await database().$queryRaw<Array<LeadRow & Extra>>`
    WITH ${withProgram}
    SELECT ${leadColumns(given)} ${extra.columns}
    FROM (SELECT 1) AS one LEFT JOIN program p ON true ${joinLeadFacts(given)} ${extra.joins}`;
  if (!row) throw new Error('The lead statement always yields a row.');
  return row;
}

/** The facts that `decideLead` decides on. */
export const leadFacts = (
  row: LeadRow,
  caller: LeadFacts['caller'],
  { test }: Pick<LeadSubject, 'test'>,
): LeadFacts => ({
  caller,
  policy: row.policy,
  click: row.click,
  provisional: row.provisional,
  isCustomerKnown: row.lead_id !== null,
  test,
});
