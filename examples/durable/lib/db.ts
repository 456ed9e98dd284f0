import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/prisma/client';

const LIMITS = { connectionTimeoutMillis: 5_000, query_timeout: 5_000 };

const createClient = () =>
  new PrismaClient({ adapter: new PrismaPg({ connectionString: process.env.DATABASE_URL ?? '', ...LIMITS }) });

const store = globalThis as typeof globalThis & { prisma?: PrismaClient };
// In development every reload evaluates this file again: one client for all of them.
export const prisma = (store.prisma ??= createClient());
