import 'server-only';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import { createId } from '../ids';
import { type HistoryProgram, planHistory } from './plan-history';

const { sql, raw } = Prisma;

/**
 * Writes the history of a demo program, with one statement per table, because the first start waits for it. A program that already
 * has events is left unchanged.
 */
export async function writeHistory(program: HistoryProgram, now: Date): Promise<void> {
  const { programId, isBrowserAllowed } = program;
  if (await database().trackingEvent.findFirst({ where: { programId }, select: { id: true } })) return;
  const { partners, clicks, provisional, leads, sales, events } = planHistory(program, now);
  const unattributed = events.filter(({ kind }) => kind === 'not_attributed');
  const settledBy = isBrowserAllowed ? 'browser' : 'server';
  await database().$transaction(async (tx) => {
    await tx.partner.createMany({
      data: partners.map((partner) => ({ id: createId('par'), programId, ...partner })),
      skipDuplicates: true,
    });
    const insert = (table: string, columns: string, select: string, rows: Array<{ partner: string | null }>) => {
      const withPartner = rows.map((row) => ({ ...row, partner_id: row.partner }));
      return tx.$executeRaw`
        INSERT INTO ${raw(`service_${table}`)} (program_id, ${raw(columns)})
        SELECT ${programId}, ${raw(select)}
        FROM jsonb_populate_recordset(NULL::${raw(`service_${table}`)}, ${JSON.stringify(withPartner)}::jsonb) AS r
          LEFT JOIN service_partners p ON p.program_id = ${programId} AND p.code = r.partner_id`;
    };
    await insert(
      'clicks',
      'id, partner_id, affiliate_url, page_url, referrer_url, created_at',
      'r.id, p.id, r.page_url, r.page_url, r.referrer_url, r.created_at',
      clicks,
    );
    await insert(
      'provisional_leads',
      'click_id, partner_id, created_at, settled_at',
      'r.click_id, p.id, r.created_at, r.settled_at',
      provisional,
    );
    await insert(
      'leads',
      'id, test, customer_key, click_id, partner_id, email, settled_by, created_at',
      `r.id, r.test, r.customer_key, r.click_id, p.id, r.email, '${settledBy}', r.created_at`,
      leads,
    );
    await insert(
      'sales',
      `id, test, transaction_id, customer_key, click_id, partner_id, amount_cents, refunded_cents, currency,
        subscription_id, is_recurring, source, payment_account_id, payment_mode, occurred_at, created_at`,
      `r.id, r.test, r.transaction_id, r.customer_key, r.click_id, p.id, r.amount_cents, r.refunded_cents, r.currency,
        r.subscription_id, r.is_recurring, 'payment', 'acct_demo', 'test', r.created_at, r.created_at`,
      sales,
    );
    await tx.$executeRaw`
      INSERT INTO service_events (program_id, id, kind, test, click_id, partner_code, customer_key, transaction_id,
        amount_cents, currency, reason, occurred_at, created_at)
      SELECT ${programId}, id, kind, test, click_id, partner_code, customer_key, transaction_id, amount_cents, currency,
        reason, created_at, created_at
      FROM jsonb_populate_recordset(NULL::service_events, ${JSON.stringify(events)}::jsonb)`;
    await tx.unattributedPayment.createMany({
      data: unattributed.map(({ transaction_id, reason, created_at }) => ({
        programId,
        transactionId: transaction_id ?? '',
        reason: reason ?? '',
        createdAt: created_at,
      })),
    });
    await tx.$executeRaw(dailyCounts(programId));
    await tx.$executeRaw(dailyAmounts(programId));
  });
}

// The totals, as ingestion would have written them.

const dailyCounts = (programId: string) => sql`
  INSERT INTO service_daily_counts (program_id, day, partner_code, clicks, provisional, provisional_settled, leads, sales,
    renewals, refunds, unattributed)
  SELECT e.program_id, (e.created_at AT TIME ZONE 'UTC')::date, coalesce(e.partner_code, ''),
    count(*) FILTER (WHERE kind = 'click'), count(*) FILTER (WHERE kind = 'provisional'),
    count(*) FILTER (WHERE kind = 'lead' AND p.settled_at IS NOT NULL), count(*) FILTER (WHERE kind = 'lead'),
    count(*) FILTER (WHERE kind IN ('sale', 'renewal')), count(*) FILTER (WHERE kind = 'renewal'),
    count(*) FILTER (WHERE kind = 'refund'), count(*) FILTER (WHERE kind = 'not_attributed')
  FROM service_events e LEFT JOIN service_provisional_leads p ON p.click_id = e.click_id
  WHERE e.program_id = ${programId} AND NOT e.test GROUP BY 1, 2, 3`;

const dailyAmounts = (programId: string) => sql`
  INSERT INTO service_daily_amounts (program_id, day, partner_code, currency, sales_cents, refunded_cents)
  SELECT program_id, (created_at AT TIME ZONE 'UTC')::date, coalesce(partner_code, ''), currency,
    coalesce(sum(amount_cents) FILTER (WHERE kind IN ('sale', 'renewal')), 0),
    coalesce(sum(amount_cents) FILTER (WHERE kind = 'refund'), 0)
  FROM service_events
  WHERE program_id = ${programId} AND NOT test AND kind IN ('sale', 'renewal', 'refund') GROUP BY 1, 2, 3, 4`;
