import 'server-only';
import type { Pool } from 'pg';
import { openDatabase } from '@/prisma/client';
import type { PrismaClient } from '@/prisma/generated/client';

const open = () => openDatabase('reporting', { maxConnections: 4 });

/**
 * Separate connections for the dashboard, exports, the events API and the metrics, so that reading never takes a connection from
 * ingestion. It is the same database, and not read-only: the first reader after a day stores the day's sums.
 */
export const reportingDatabase = (): PrismaClient => open().client;

/** The same connections without Prisma, for access and the feed's version, which every open page reads every three seconds. */
export const reportingPool = (): Pool => open().pool;
