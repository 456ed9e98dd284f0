import 'server-only';
import { database } from '@/prisma/client';
import type { Caller } from './http/caller';
import { authenticate } from './http/check-caller';
import type { EndpointResult } from './http/respond';
import type { Client } from './payments/fact-store';

/** How many replaced clicks are followed. Browsers name the click to replace, so a chain of any length can be made. */
const MAX_REPLACED = 100;
/** In place of a click's URL. Not empty: retention has handled those, and still deletes this click if it led to nothing. */
const ERASED_URL = 'erased';

/**
 * Removes a customer's email from the leads of the API key's program, live and test, and the URLs of the clicks that the leads and
 * the customer's checkouts and payments name, and of the clicks that those replaced. Attribution and amounts stay.
 * Our extension (docs/decisions/0010). Safe to repeat, also for an unknown customer.
 */
export async function eraseEmail({ customer_key }: { customer_key: string }, caller: Caller): Promise<EndpointResult> {
  const authenticated = await authenticate(caller);
  if (!authenticated.ok) return authenticated;
  const erased = await erase(authenticated.programId, customer_key, caller.now);
  return { ok: true, body: { success: true, erased } };
}

/** @returns how many leads had an email address */
export async function erase(
  programId: string,
  customerKey: string,
  now: Date,
  client: Client = database(),
): Promise<number> {
  const [row] = await client.$queryRaw<Array<{ erased: number }>>`
    WITH RECURSIVE lead AS (
      SELECT id, click_id, email IS NOT NULL AS has_email FROM service_leads
      WHERE program_id = ${programId} AND customer_key = ${customerKey}
    ),
    erased AS (
      UPDATE service_leads l SET email = NULL, email_erased_at = ${now}::timestamptz
      FROM lead WHERE l.id = lead.id AND lead.has_email
      RETURNING l.id
    ),
    named AS (
      SELECT click_id AS id FROM lead
      UNION
      SELECT click_id FROM service_events WHERE program_id = ${programId} AND customer_key = ${customerKey}
      UNION
      SELECT f.details->'metadata'->>'clickId' FROM service_sales s, service_payment_facts f
      WHERE s.program_id = ${programId} AND s.customer_key = ${customerKey}
        AND (f.invoice_id = s.transaction_id OR f.payment_intent_id = s.transaction_id)
      UNION -- a checkout without a sale: not paid, or the start of a trial
      SELECT f.details->'metadata'->>'clickId' FROM service_payment_facts f JOIN service_programs p ON p.id = ${programId}
      WHERE f.details->'metadata'->>'customerKey' = ${customerKey} AND f.details->'metadata'->>'programId' = ${programId}
        AND f.account_id IN ('', p.payment_account_id)
    ),
    click AS (
      SELECT id, 0 AS depth FROM named
      UNION
      SELECT k.existing_click_id, click.depth + 1
      FROM click JOIN service_clicks k ON k.id = click.id
      WHERE k.program_id = ${programId} AND click.depth < ${MAX_REPLACED}
    ),
    urls AS (
      UPDATE service_clicks k SET affiliate_url = ${ERASED_URL}, page_url = NULL, referrer_url = NULL
      WHERE k.id = ANY(ARRAY(SELECT id FROM click)) AND k.program_id = ${programId} AND k.affiliate_url NOT IN ('', ${ERASED_URL})
    )
    SELECT count(*)::int AS erased FROM erased`;
  return row?.erased ?? 0;
}
