import path from 'node:path';
import { defineConfig } from 'prisma/config';
import { findOwner } from './scripts/database/lock.mjs';
import { migrationsDirectory } from './scripts/database/migrations-of-parts.mjs'; // part: service
import { databaseDirectory, loadEnvironment } from './scripts/local-env.mjs';
import { EMBEDDED_URL } from './scripts/schema-engine/url.mjs';

// Every `prisma` command works without the internet: docs/decisions/0002.
if (process.platform !== 'win32') {
  process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.resolve('scripts/schema-engine/engine.mjs');
}

// Release commands read the same files as the build and the server, and never use the embedded database. With
// NODE_ENV=production the others read them too.
const isRelease = /\bmigrate (deploy|resolve)\b/.test(process.argv.join(' '));
const env = loadEnvironment({ dev: !isRelease && process.env.NODE_ENV !== 'production' });

/** Your database; else the embedded one, through the process that has it open, or opened for this command. */
async function datasourceUrl(): Promise<string> {
  if (env.DATABASE_URL) return env.DATABASE_URL;
  if (isRelease) {
    throw new Error(
      'DATABASE_URL is not set. Where to find it: the settings of your PostgreSQL. A local run migrates its own database.',
    );
  }
  const directory = databaseDirectory(env);
  return (await findOwner(directory))?.url ?? EMBEDDED_URL + encodeURIComponent(directory);
}

export default defineConfig({
  schema: 'prisma',
  migrations: {
    path: migrationsDirectory(env),
    seed: 'tsx --conditions=react-server prisma/seed.ts', // part: service
  },
  datasource: { url: await datasourceUrl() },
});
