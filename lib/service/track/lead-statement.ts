import 'server-only';
import { Prisma } from '@/prisma/generated/client';
import { decideLead, type LeadFacts } from '../domain/lead';
import { LEAD_AUTH_POLICIES } from '../domain/program';
import type { CallerRow } from '../http/check-caller';
import { addToDailyCounts, addToFeed, programAndCalls } from '../sql';
import { statement } from '../statement';
import { joinLeadFacts, type LeadFactsRow, leadColumns } from './lead-facts';
import { settleLead } from './settle-lead';

// A lead call is one statement: it reads the facts, looks up what `decideLead` decides for them, and writes that.

export type LeadStatementRow = CallerRow & LeadFactsRow & { settled_id: string | null };

const { sql, join, raw, empty } = Prisma;

const TYPES = {
  /** The hash of the API key, or the program that a browser names. */
  subject: 'text?',
  address: 'text',
  named_program_id: 'text?',
  click_id: 'text?',
  customer_key: 'text',
  email: 'text?',
  lead_id: 'text',
  event_id: 'text',
  now: 'timestamptz',
} as const;

// `decideLead` is evaluated for every state when the statement is built, so the rule is in one place.

const CLICKS = ['none', 'unknown', 'valid'] as const satisfies ReadonlyArray<LeadFacts['click']>;
const PROVISIONALS = ['none', 'waiting', 'settled'] as const satisfies ReadonlyArray<LeadFacts['provisional']>;

type State = Pick<LeadFacts, 'policy' | 'click' | 'provisional' | 'isCustomerKnown'>;

const STATES: State[] = LEAD_AUTH_POLICIES.flatMap((policy) =>
  CLICKS.flatMap((click) =>
    PROVISIONALS.flatMap((provisional) =>
      [true, false].map((isCustomerKnown) => ({ policy, click, provisional, isCustomerKnown })),
    ),
  ),
);

/** The states for which `decideLead` records this outcome. */
function statesThat(outcome: 'settle' | 'provisional', caller: 'server' | 'browser', test: boolean): State[] {
  return STATES.filter((state) => {
    const decision = decideLead({ ...state, caller, test });
    return decision.outcome === outcome && !(decision.outcome === 'provisional' && !decision.record);
  });
}

function isOneOf(states: State[]): Prisma.Sql {
  const rows = states.map(
    ({ policy, click, provisional, isCustomerKnown }) =>
      sql`(${raw(`'${policy}', '${click}', '${provisional}', ${isCustomerKnown}`)})`,
  );
  return sql`(f.policy, f.click, f.provisional, f.lead_id IS NOT NULL) IN (${join(rows)})`;
}

/** Reads the facts, and writes what `decideLead` decides for them. */
function leadStatement(name: string, mode: 'server' | 'browser', test: boolean) {
  return statement(name, TYPES, (given) => {
    const { now } = given;
    const subject = { clickId: given.click_id, customerKey: given.customer_key, test: raw(String(test)), now };
    const ofClick = (column: string) => sql`CASE WHEN f.click = 'valid' THEN ${raw(column)} END`;
    const lead = settleLead({
      leadId: given.lead_id,
      programId: sql`f.program_id`,
      test: subject.test,
      customerKey: given.customer_key,
      clickId: ofClick('f.click_id'),
      partnerId: ofClick('f.partner_id'),
      partnerCode: sql`(SELECT ${ofClick('f.partner_code')} FROM facts f)`,
      email: given.email,
      settledBy: mode,
      now,
      from: sql`FROM facts f WHERE ${isOneOf(statesThat('settle', mode, test))}`,
      eventId: given.event_id,
    });
    const counts = {
      leads: sql`(SELECT count(*) FROM lead)`,
      provisional_settled: sql`(SELECT count(*) FROM closed)`,
      ...(mode === 'browser' && { provisional: sql`(SELECT count(*) FROM provisional)` }),
    };
    const isCounted =
      mode === 'browser'
        ? sql`EXISTS (SELECT FROM lead) OR EXISTS (SELECT FROM provisional)`
        : sql`EXISTS (SELECT FROM lead)`;
    const totals = { programId: sql`f.program_id`, partnerCode: ofClick('f.partner_code'), now };
    return sql`
      WITH ${programAndCalls({ mode, subject: given.subject, address: given.address, now })},
      facts AS MATERIALIZED (
        SELECT p.id AS program_id, ${leadColumns(subject)}
        FROM program p CROSS JOIN calls ${joinLeadFacts(subject)}
        WHERE NOT calls.too_many AND p.id = coalesce(${given.named_program_id}, p.id)
      ),
      ${lead}
      ${mode === 'browser' ? sql`, ${provisionalLead(given)}` : empty}
      ${test ? empty : sql`, daily AS (${addToDailyCounts(totals, counts, sql`FROM facts f WHERE ${isCounted}`)})`}
      SELECT p.id AS program_id, p.api_key_hash, calls.too_many, f.policy, f.click, f.provisional, f.lead_id,
        lead.id AS settled_id
      FROM (SELECT 1) AS one LEFT JOIN program p ON true LEFT JOIN calls ON true LEFT JOIN facts f ON true
        LEFT JOIN lead ON true`;
  });
}

// §3: "The user ID is not saved."
const provisionalLead = (given: Record<'event_id' | 'now', Prisma.Sql>): Prisma.Sql => sql`
  provisional AS (
    INSERT INTO service_provisional_leads (click_id, program_id, partner_id, created_at)
    SELECT f.click_id, f.program_id, f.partner_id, ${given.now} FROM facts f
    WHERE ${isOneOf(statesThat('provisional', 'browser', false))}
    ON CONFLICT (click_id) DO NOTHING
    RETURNING *
  ),
  provisional_feed AS (${addToFeed(sql`FROM provisional v, facts f`, sql`v.program_id`, {
    kind: 'provisional',
    id: given.event_id,
    now: given.now,
    clickId: sql`v.click_id`,
    partnerCode: sql`f.partner_code`,
  })})`;

export const serverLead = leadStatement('lead', 'server', false);
export const testLead = leadStatement('test_lead', 'server', true);
export const browserLead = leadStatement('browser_lead', 'browser', false);
