// For tests: databases that test files reuse one after the other. Opening one takes a second of CPU time, emptying one takes
// milliseconds, and files share their worker's modules.
import { Database, IN_MEMORY } from '../database';

const spare: Database[] = [];

/** An empty database in memory. It keeps the secrets of the instance before, as a reset does: an RSA key takes long to make. */
export async function takeDatabase(): Promise<Database> {
  const database = spare.pop() ?? (await Database.open(IN_MEMORY, { owner: 'the tests' }));
  await database.change(async (sql) => {
    const tables = await sql<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'secret'",
    );
    await sql(`TRUNCATE ${tables.map(({ name }) => name).join(', ')} RESTART IDENTITY`);
    await sql("DELETE FROM secret WHERE name NOT IN ('schema', 'instance')");
  });
  return database;
}

/** Makes it available to the next file. Stop everything that writes to it first. */
export const giveBackDatabase = (database: Database): void => {
  spare.push(database);
};
