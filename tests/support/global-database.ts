import { startTestDatabase } from './test-database';

/** One database for the run. */
export default async function setup(): Promise<() => Promise<void>> {
  const database = await startTestDatabase();
  process.env.DATABASE_URL = database.url;
  return database.stop;
}
