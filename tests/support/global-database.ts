import { IN_MEMORY, startDatabase } from '../../scripts/database/start.mjs';
import { migrate } from '../../scripts/prepare-data.mjs';

/** A migrated database for the run: `TEST_DATABASE_URL` where it is set, else an embedded one in memory. */
export default async function setup(): Promise<() => Promise<void>> {
  const embedded = process.env.TEST_DATABASE_URL ? null : await startDatabase(IN_MEMORY);
  process.env.DATABASE_URL = process.env.TEST_DATABASE_URL ?? embedded?.url;
  await migrate(process.env);
  return async () => embedded?.stop();
}
