import { startTestDatabase } from './test-database';

/**
 * Two databases for the run, since an embedded one takes one statement at a time; one where TEST_DATABASE_URL names it.
 * `worker-database.ts` chooses between them.
 */
export default async function setup(): Promise<() => Promise<void>> {
  const count = process.env.TEST_DATABASE_URL ? 1 : 2;
  const databases = await Promise.all(Array.from({ length: count }, startTestDatabase));
  process.env.TEST_DATABASES = databases.map(({ url }) => url).join(' ');
  return async () => {
    await Promise.all(databases.map(({ stop }) => stop()));
  };
}
