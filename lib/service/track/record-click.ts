import 'server-only';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import { decideClick, readPartnerCode } from '../domain/click.ts';
import { refuse } from '../errors.ts';
import type { Answer } from '../http/answer.ts';
import type { Caller } from '../http/caller.ts';
import { createId } from '../ids.ts';
import type { ClickBody } from '../schemas.ts';
import { addToDailyCounts, addToFeed, programAndCalls } from '../sql.ts';
import { type CallerRow, checkCaller } from './check-caller.ts';

type Row = CallerRow & { paused: boolean; partner_code: string | null; active: boolean; cookie_window_days: number };

/** §1, click capture: a click for a visitor who arrives with `aff`. Needs no API key; one that is sent plays no part. */
export async function recordClick(body: ClickBody, caller: Caller): Promise<Answer> {
  const link = readPartnerCode(body.affiliate_url);
  if (!link.ok) return refuse(link.code);
  const visitor: Caller = { ...caller, credentials: { mode: 'browser' } };
  const clickId = createId('clk');
  const row = await insertClick(body, visitor, link.code, clickId);
  const refusal = checkCaller(visitor, row);
  if (refusal) return refusal;
  const decision = decideClick({
    programExists: row.program_id !== null,
    programPaused: row.paused,
    partner: row.partner_code === null ? null : { active: row.active },
  });
  switch (decision.outcome) {
    case 'reject':
      return refuse(decision.code);
    case 'inactive':
      return { ok: true, body: { success: false } };
    case 'record': {
      const { partner_code, cookie_window_days } = row;
      return { ok: true, body: { success: true, click_id: clickId, partner_code, cookie_window_days } };
    }
    default:
      return decision satisfies never;
  }
}

// One round trip: the insert's condition is `decideClick`'s "record", which the answer is made from.
async function insertClick(body: ClickBody, caller: Caller, partnerCode: string, clickId: string): Promise<Row> {
  const { sql } = Prisma;
  const { now } = caller;
  const [row] = await database().$queryRaw<Row[]>`
    WITH ${programAndCalls(caller, body.program_id)},
    partner AS (
      SELECT a.* FROM service_partners a JOIN program p ON p.id = a.program_id WHERE a.code = ${partnerCode}
    ),
    click AS (
      INSERT INTO service_clicks (id, program_id, partner_id, affiliate_url, page_url, referrer_url, existing_click_id,
        created_at)
      SELECT ${clickId}, p.id, a.id, ${body.affiliate_url}, ${body.page_url}, ${body.referrer_url},
        ${body.existing_click_id}, ${now}
      FROM program p, partner a, calls c WHERE a.active AND NOT p.paused AND NOT c.too_many
      RETURNING id, program_id
    ),
    feed AS (${addToFeed(sql`FROM click, partner`, sql`click.program_id`, {
      kind: 'click',
      now,
      clickId: sql`click.id`,
      partnerCode: sql`partner.code`,
    })}),
    daily AS (${addToDailyCounts(
      { programId: sql`click.program_id`, partnerCode: sql`partner.code`, now },
      { clicks: sql`1` },
      sql`FROM click, partner`,
    )})
    SELECT p.id AS program_id, p.api_key_hash, c.too_many, p.paused, p.cookie_window_days, a.code AS partner_code, a.active
    FROM (SELECT 1) AS one LEFT JOIN program p ON true LEFT JOIN calls c ON true LEFT JOIN partner a ON true`;
  if (!row) throw new Error('The click statement always yields a row.');
  return row;
}
