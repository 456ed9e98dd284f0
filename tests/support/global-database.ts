import { availableParallelism } from 'node:os';
import { startTestDatabase } from './test-database';

/**
 * A database for each core up to four, since an embedded one takes one statement at a time; one if TEST_DATABASE_URL
 * names it. `worker-database.ts` chooses between them.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const count = process.env.TEST_DATABASE_URL ? 1 : Math.min(4, availableParallelism());
  const databases = await Promise.all(Array.from({ length: count }, startTestDatabase));
  process.env.TEST_DATABASES = databases.map(({ url }) => url).join(' ');
  return async () => {
    await Promise.all(databases.map(({ stop }) => stop()));
  };
}
