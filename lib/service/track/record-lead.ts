import 'server-only';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import { decideLead } from '../domain/lead.ts';
import { refuse } from '../errors.ts';
import type { Answer } from '../http/answer.ts';
import type { Caller } from '../http/caller.ts';
import { createId } from '../ids.ts';
import type { LeadBody } from '../schemas.ts';
import { addToDailyCounts, addToFeed, programAndCalls } from '../sql.ts';
import { type CallerRow, checkCaller } from './check-caller.ts';
import { type LeadRow, type LeadSubject, leadFacts, readLeadRow } from './read-lead-facts.ts';
import { settleLead } from './settle-lead.ts';

const ATTEMPTS = 3;

/** §3 and §4: a lead call, of a server with the program API key or of a browser without one. */
export async function recordLead(body: LeadBody, caller: Caller): Promise<Answer> {
  const { mode } = caller.credentials;
  const test = body.additional_data?.test_mode === true;
  const named = body.program_id ?? body.additional_data?.program_id ?? null;
  if (test && mode === 'browser') return refuse('missing_api_key', 'A test lead needs the program API key.');
  if (!named && (test || mode === 'browser')) return refuse('invalid_body', 'program_id: Required.');
  const subject: LeadSubject = { clickId: body.click_id ?? null, customerKey: body.customer_key, test };

  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const row = await readLeadRow<CallerRow>(programAndCalls(caller, named), subject, {
      columns: Prisma.sql`, p.id AS program_id, p.api_key_hash, calls.too_many`,
      joins: Prisma.sql`LEFT JOIN calls ON true`,
    });
    const refusal = checkCaller(caller, row);
    if (refusal) return refusal;
    const programId = row.program_id ?? '';
    if (named && named !== programId) return refuse('program_mismatch');

    const facts = leadFacts(row, mode, subject, caller.now);
    const decision = decideLead(facts);
    switch (decision.outcome) {
      case 'reject':
        return refuse(decision.code);
      case 'unchanged':
        return settledAnswer(row.lead_id ?? '', 'This lead is settled already. Nothing changed.');
      case 'provisional':
        if (decision.record) await insertProvisionalLead(row, programId, caller.now);
        return PROVISIONAL;
      case 'settle': {
        const clickId = facts.click === 'valid' ? row.click_id : null;
        const leadId = await insertSettledLead({ body, row, programId, clickId, test, mode, now: caller.now });
        if (leadId) return settledAnswer(leadId, test ? 'Test lead settled.' : 'Lead settled.');
        break; // another call settled this customer's lead meanwhile: decide again on what it left
      }
      default:
        return decision satisfies never;
    }
  }
  throw new Error('A lead kept changing while it was decided.');
}

const settledAnswer = (leadId: string, message: string): Answer => ({
  ok: true,
  body: { success: true, lead_id: leadId, message },
});

const PROVISIONAL: Answer = {
  ok: true,
  body: {
    success: true,
    provisional: true,
    message: 'Lead stored as provisional. Your server settles it with the API key.',
  },
};

// §3: "The user ID is not saved." It is not even passed on to here.
async function insertProvisionalLead(row: LeadRow, programId: string, now: Date): Promise<void> {
  const { sql } = Prisma;
  await database().$executeRaw`
    WITH provisional AS (
      INSERT INTO service_provisional_leads (click_id, program_id, partner_id, created_at)
      VALUES (${row.click_id}, ${programId}, ${row.partner_id}, ${now})
      ON CONFLICT (click_id) DO NOTHING
      RETURNING *
    ),
    feed AS (${addToFeed(sql`FROM provisional`, sql`program_id`, {
      kind: 'provisional',
      now,
      clickId: sql`click_id`,
      partnerCode: sql`${row.partner_code}`,
    })})
    ${addToDailyCounts({ programId: sql`program_id`, partnerCode: sql`${row.partner_code}`, now }, { provisional: sql`1` }, sql`FROM provisional`)}`;
}

type NewLead = {
  body: LeadBody;
  row: LeadRow;
  programId: string;
  clickId: string | null;
  test: boolean;
  mode: 'server' | 'browser';
  now: Date;
};

/** The new lead's ID, or null where this customer has a lead by now. */
async function insertSettledLead({ body, row, programId, clickId, test, mode, now }: NewLead): Promise<string | null> {
  const { sql } = Prisma;
  const partnerCode = clickId ? row.partner_code : null;
  const lead = settleLead({
    leadId: createId('led'),
    programId,
    test,
    customerKey: body.customer_key,
    clickId,
    partnerId: clickId ? row.partner_id : null,
    partnerCode,
    email: body.email ?? null,
    settledBy: mode,
    now,
  });
  const [settled] = await database().$queryRaw<Array<{ id: string }>>`
    WITH ${lead},
    daily AS (${addToDailyCounts(
      { programId: sql`program_id`, partnerCode: sql`${partnerCode}`, now },
      { leads: sql`1`, provisional_settled: sql`(SELECT count(*) FROM closed)` },
      sql`FROM lead WHERE NOT test`,
    )})
    SELECT id FROM lead`;
  return settled?.id ?? null;
}
