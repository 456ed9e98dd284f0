import { startTestDatabase } from './test-database';

/** Two databases for the run, since an embedded one takes one statement at a time. `worker-database.ts` chooses between them. */
export default async function setup(): Promise<() => Promise<void>> {
  const databases = await Promise.all([startTestDatabase(), startTestDatabase()]);
  process.env.TEST_DATABASES = databases.map(({ url }) => url).join(' ');
  return async () => {
    await Promise.all(databases.map(({ stop }) => stop()));
  };
}
