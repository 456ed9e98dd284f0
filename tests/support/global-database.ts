import type { TestProject } from 'vitest/node';
import { startTestDatabase } from './test-database';

declare module 'vitest' {
  interface ProvidedContext {
    databases: string[];
  }
}

/** Two databases for the run, since an embedded one takes one statement at a time. `worker-database.ts` chooses between them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const databases = await Promise.all([startTestDatabase(), startTestDatabase()]);
  project.provide(
    'databases',
    databases.map(({ url }) => url),
  );
  return async () => {
    await Promise.all(databases.map(({ stop }) => stop()));
  };
}
