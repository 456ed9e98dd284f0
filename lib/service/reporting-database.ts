import 'server-only';
import type { Pool } from 'pg';
import { openDatabase } from '@/prisma/client';
import type { PrismaClient } from '@/prisma/generated/client';

const open = () => openDatabase('reporting', { maxConnections: 4 });

/** For the dashboard, exports and the events API: on connections of their own, reading never makes ingestion wait. */
export const reportingDatabase = (): PrismaClient => open().client;

/** The same connections without Prisma, for what every open page asks every three seconds. */
export const reportingPool = (): Pool => open().pool;
