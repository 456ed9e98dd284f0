import 'server-only';
import { database } from '@/prisma/client';
import { refuse } from './errors.ts';
import type { Caller } from './http/caller.ts';
import { type CallerRow, checkCaller } from './http/check-caller.ts';
import type { EndpointResult } from './http/respond.ts';
import { programAndCalls, serverSql } from './sql.ts';

/** How many replaced clicks are followed. Browsers name the click to replace, so a chain of any length can be made. */
const MAX_REPLACED = 100;
/** In place of a click's URL. Not empty: retention has handled those, and still deletes this click if it led to nothing. */
const ERASED_URL = 'erased';

/**
 * Removes a customer's email from the leads of the API key's program, live and test, and the URLs of the clicks that the leads and
 * the customer's payments name, and of the clicks that those replaced. Attribution and amounts stay.
 * Our extension (docs/decisions/0010). Safe to repeat, also for an unknown customer.
 */
export async function eraseEmail({ customer_key }: { customer_key: string }, caller: Caller): Promise<EndpointResult> {
  const { credentials, now } = caller;
  if (credentials.mode === 'browser') return refuse('missing_api_key');
  const [row] = await database().$queryRaw<Array<CallerRow & { erased: number }>>`
    WITH RECURSIVE ${programAndCalls(serverSql({ keyHash: credentials.keyHash, now }))},
    lead AS (
      SELECT l.id, l.click_id, l.email IS NOT NULL AS has_email
      FROM service_leads l, program p, calls c
      WHERE l.program_id = p.id AND NOT c.too_many AND l.customer_key = ${customer_key}
    ),
    erased AS (
      UPDATE service_leads l SET email = NULL, email_erased_at = ${now}::timestamptz
      FROM lead WHERE l.id = lead.id AND lead.has_email
      RETURNING l.id
    ),
    named AS (
      SELECT click_id AS id FROM lead
      UNION
      SELECT e.click_id FROM service_events e, program p, calls c
      WHERE e.program_id = p.id AND NOT c.too_many AND e.customer_key = ${customer_key}
      UNION
      SELECT f.details->'metadata'->>'clickId' FROM service_sales s, program p, calls c, service_payment_facts f
      WHERE s.program_id = p.id AND NOT c.too_many AND s.customer_key = ${customer_key}
        AND (f.invoice_id = s.transaction_id OR f.payment_intent_id = s.transaction_id)
    ),
    click AS (
      SELECT id, 0 AS depth FROM named
      UNION
      SELECT k.existing_click_id, click.depth + 1
      FROM click JOIN service_clicks k ON k.id = click.id JOIN program p ON p.id = k.program_id
      WHERE click.depth < ${MAX_REPLACED}
    ),
    urls AS (
      UPDATE service_clicks k SET affiliate_url = ${ERASED_URL}, page_url = NULL, referrer_url = NULL
      FROM click, program p
      WHERE k.id = click.id AND k.program_id = p.id AND k.affiliate_url NOT IN ('', ${ERASED_URL})
    )
    SELECT p.id AS program_id, p.api_key_hash, c.too_many, (SELECT count(*)::int FROM erased) AS erased
    FROM (SELECT 1) AS one LEFT JOIN program p ON true LEFT JOIN calls c ON true`;
  if (!row) throw new Error('The erasure statement always returns a row.');
  return checkCaller(caller, row) ?? { ok: true, body: { success: true, erased: row.erased } };
}
