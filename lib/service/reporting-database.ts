import 'server-only';
import { openDatabase } from '@/prisma/client';
import type { PrismaClient } from '@/prisma/generated/client';

/** For the dashboard, exports and the events API: on connections of their own, reading never makes ingestion wait. */
export const reportingDatabase = (): PrismaClient => openDatabase('reporting', { maxConnections: 4 }).client;
