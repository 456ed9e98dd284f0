import 'server-only';
import { Prisma } from '@/prisma/generated/client';
import { readPartnerCode } from '../domain/click';
import { refuse } from '../errors';
import type { Caller } from '../http/caller';
import { type CallerRow, checkCaller } from '../http/check-caller';
import type { EndpointResult } from '../http/respond';
import { createId } from '../ids';
import type { ClickBody } from '../schemas';
import { addToDailyCounts, addToFeed, programAndCalls } from '../sql';
import { run, statement } from '../statement';

type Row = CallerRow & {
  click_id: string | null;
  partner_code: string | null;
  cookie_window_days: number;
};

/** §1, click capture: a click for a visitor who arrives with `aff`. Needs no API key; one that is sent is ignored. */
export async function recordClick(body: ClickBody, caller: Caller): Promise<EndpointResult> {
  const link = readPartnerCode(body.affiliate_url);
  if (!link.ok) return refuse(link.code);
  const values = {
    ...body,
    partner_code: link.code,
    address: caller.address,
    click_id: createId('clk'),
    event_id: createId('evt'),
    now: caller.now.toISOString(),
  };
  const [row] = await run<[Row]>('browser', insertClick(values));
  const checked = checkCaller(caller, row);
  if (!checked.ok) return checked;
  const { click_id, partner_code, cookie_window_days } = row;
  if (click_id !== null) return { ok: true, body: { success: true, click_id, partner_code, cookie_window_days } };
  return partner_code === null ? refuse('unknown_partner') : { ok: true, body: { success: false } };
}

const { sql } = Prisma;

/** An inactive link or a paused program makes no click (docs/decisions/0006). */
const insertClick = statement(
  'click',
  {
    program_id: 'text',
    partner_code: 'text',
    address: 'text',
    affiliate_url: 'text',
    page_url: 'text?',
    referrer_url: 'text?',
    existing_click_id: 'text?',
    click_id: 'text',
    event_id: 'text',
    now: 'timestamptz',
  },
  (given) => sql`
    WITH ${programAndCalls({ mode: 'browser', subject: given.program_id, address: given.address, now: given.now })},
    partner AS (
      SELECT a.* FROM service_partners a JOIN program p ON p.id = a.program_id WHERE a.code = ${given.partner_code}
    ),
    click AS (
      INSERT INTO service_clicks (id, program_id, partner_id, affiliate_url, page_url, referrer_url, existing_click_id,
        created_at)
      SELECT ${given.click_id}, p.id, a.id, ${given.affiliate_url}, ${given.page_url}, ${given.referrer_url},
        ${given.existing_click_id}, ${given.now}
      FROM program p, partner a, calls c
      WHERE a.active AND NOT p.paused AND NOT c.too_many
      RETURNING id, program_id
    ),
    feed AS (${addToFeed(sql`FROM click, partner`, sql`click.program_id`, {
      kind: 'click',
      id: given.event_id,
      now: given.now,
      clickId: sql`click.id`,
      partnerCode: sql`partner.code`,
    })}),
    daily AS (${addToDailyCounts(
      { programId: sql`click.program_id`, partnerCode: sql`partner.code`, now: given.now },
      { clicks: sql`1` },
      sql`FROM click, partner`,
    )})
    SELECT p.id AS program_id, p.api_key_hash, c.too_many, p.cookie_window_days, a.code AS partner_code,
      click.id AS click_id
    FROM (SELECT 1) AS one LEFT JOIN program p ON true LEFT JOIN calls c ON true LEFT JOIN partner a ON true
      LEFT JOIN click ON true`,
);
