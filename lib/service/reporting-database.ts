import 'server-only';
import type { Pool } from 'pg';
import { openDatabase } from '@/prisma/client';
import type { PrismaClient } from '@/prisma/generated/client';

const open = () => openDatabase('reporting', { maxConnections: 4 });

/**
 * For the dashboard's figures and lists, exports, the events API and the metrics: reading never takes a connection from
 * ingestion. It is the same database: the first reader after a day stores the day's sums here.
 */
export const reportingDatabase = (): PrismaClient => open().client;

/** The same connections without Prisma, for access and the version of the feed: every open page asks every three seconds. */
export const reportingPool = (): Pool => open().pool;
