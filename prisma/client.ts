import 'server-only';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client';

const POOL_SIZE = 10;

function readDatabaseUrl(): string {
  const url = process.env.DATABASE_URL;
  if (url && /^postgres(ql)?:\/\//.test(url)) return url;
  throw new Error(
    `DATABASE_URL is ${url ? 'malformed (has to start with postgresql://)' : 'not set'}. Where to find it: your ` +
      'PostgreSQL. `npm run dev` and `npm run preview` bring one of their own where it is unset.',
  );
}

/** Throws where no client could be made, so that it stops the start and not the first request. */
export function assertDatabaseUrl(): void {
  readDatabaseUrl();
}

function createClient(): PrismaClient {
  const connectionString = readDatabaseUrl();
  // The session's time zone is UTC: with another one the adapter would store wrong instants.
  const adapter = new PrismaPg({ connectionString, max: POOL_SIZE, options: '-c TimeZone=UTC' });
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 10_000, timeout: 15_000 } });
}

const store = globalThis as typeof globalThis & { prismaClient?: PrismaClient };

/**
 * The database, connected on first use. Each room's queries import it; rows do not leave them.
 * Kept on `globalThis`, since in development every route has a module copy of its own.
 */
export function database(): PrismaClient {
  store.prismaClient ??= createClient();
  return store.prismaClient;
}
