import 'server-only';
import { reportingPool } from '../reporting-database';

/**
 * Changes with every new entry of a program's feed; costs one short index read. It is made from several of the newest entries,
 * because of two that are recorded at once, the older may be committed last, and because a payment's later events correct its entry.
 */
export async function readFeedVersion(programId: string): Promise<string> {
  const { rows } = await reportingPool().query<{ version: string | null }>({ text: NEWEST, values: [programId] });
  return rows[0]?.version ?? 'empty';
}

const NEWEST = `
  SELECT md5(string_agg(newest::text, ' ')) AS version
  FROM (
    SELECT id, kind, transaction_id, amount_cents, currency, reason, occurred_at FROM service_events
    WHERE program_id = $1 ORDER BY created_at DESC, id DESC LIMIT 20
  ) AS newest`;
