import path from 'node:path';
import { defineConfig } from 'prisma/config';
import { findOwner } from './scripts/database/lock.mjs';
import { databaseDirectory, loadEnvironment } from './scripts/local-env.mjs';
import { EMBEDDED_URL } from './scripts/schema-engine/url.mjs';

// Every `prisma` command works without the internet: docs/decisions/0003.
if (process.platform !== 'win32') {
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.resolve('scripts/schema-engine/engine.mjs');
}

/** Your database; else the embedded one, through the process that has it open, or opened for this command. */
function datasourceUrl(): string {
  const env = loadEnvironment();
  if (env.DATABASE_URL) return env.DATABASE_URL;
  const directory = databaseDirectory(env);
  return findOwner(directory)?.url ?? EMBEDDED_URL + encodeURIComponent(directory);
}

export default defineConfig({
  schema: 'prisma',
  migrations: { path: 'prisma/migrations', seed: 'tsx --conditions=react-server prisma/seed.ts' },
  datasource: { url: datasourceUrl() },
});
