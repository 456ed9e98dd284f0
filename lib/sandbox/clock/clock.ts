// The sandbox's time: the wall's, plus what everyone was advanced by, plus what one customer was advanced by.
import 'server-only';
import { database } from '@/prisma/client';
import type { Prisma } from '@/prisma/generated/client';

const EVERYONE = '';

/** Unix seconds on the clock of this customer (by ID), or on everyone's. */
export async function readClock(customer?: string, tx: Prisma.TransactionClient = database()): Promise<number> {
  const rows = await tx.sandboxClock.findMany({ where: { subject: { in: [EVERYONE, customer ?? EVERYONE] } } });
  const offset = rows.reduce((sum, row) => sum + Number(row.offsetSeconds), 0);
  return Math.floor(Date.now() / 1000) + offset;
}

/** Moves the clock of one customer, or everyone's, without letting anything happen in between: see advance-clock.ts. */
export async function moveClock(
  seconds: number,
  customer = EVERYONE,
  tx: Prisma.TransactionClient = database(),
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO sandbox_clock (subject, offset_seconds) VALUES (${customer}, ${seconds})
    ON CONFLICT (subject) DO UPDATE SET offset_seconds = sandbox_clock.offset_seconds + excluded.offset_seconds`;
}
