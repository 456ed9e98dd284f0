import 'server-only';
import { reportingDatabase } from '../reporting-database.ts';

/**
 * Changes with every entry of a program's feed, for one short read of an index. It is made from the newest entries and
 * not from the newest alone: of two that are recorded at once, the older may be committed last.
 */
export async function readFeedVersion(programId: string): Promise<string> {
  const [row] = await reportingDatabase().$queryRaw<Array<{ version: string }>>`
    SELECT coalesce(md5(string_agg(id, ' ')), 'empty') AS version
    FROM (
      SELECT id FROM service_events WHERE program_id = ${programId} ORDER BY created_at DESC, id DESC LIMIT 20
    ) AS newest`;
  return row?.version ?? 'empty';
}
