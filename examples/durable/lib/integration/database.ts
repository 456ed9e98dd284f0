// The database client that the integration uses. Change in your app: these two lines, so that it shares your client and its pool.
import 'server-only';
import { prisma } from '@/lib/db';

export { Prisma } from '@/lib/generated/prisma/client';
export const database = () => prisma;
