// The database client that the integration uses. Change in your app: these two lines, so that it shares your client and its pool.
import 'server-only';

export { database } from '@/prisma/client';
export { Prisma } from '@/prisma/generated/client';
