import 'server-only';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';

export type Transaction = Prisma.TransactionClient;

/** All or nothing. Use only the `tx` inside: the embedded database has one session, and another query would wait. */
export const inTransaction = <T>(work: (tx: Transaction) => Promise<T>): Promise<T> => database().$transaction(work);

/** Whether a unique index has refused a row. */
export const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
