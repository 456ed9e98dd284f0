import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startDatabase } from '../../scripts/database/start.mjs';
import { migrate } from '../../scripts/prepare-data.mjs';
import { runScript } from '../../scripts/programs.mjs';

/** A data directory of the embedded database, migrated and seeded once: each test starts from a copy. */
export default async function setup(): Promise<() => void> {
  const directory = mkdtempSync(path.join(tmpdir(), 'suite-'));
  const template = path.join(directory, 'postgres');
  const database = await startDatabase(template);
  try {
    await prepare(database.url);
  } finally {
    await database.stop();
  }
  process.env.TEMPLATE_DIRECTORY = template;
  return () => rmSync(directory, { recursive: true, force: true });
}

/** Tables and the demo programs, whose limits of requests a load test would meet. */
export async function prepare(url: string): Promise<void> {
  const env = { ...process.env, DATABASE_URL: url };
  await migrate(env);
  await runScript('prisma/seed.ts', env);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    'UPDATE service_programs SET browser_requests_per_minute = 1e6, server_requests_per_minute = 1e6, browser_ceiling_per_minute = 1e6',
  );
  await client.end();
}
