// The emulators' time: the wall clock, plus what everyone was advanced by, plus what one customer was advanced by.
import type { Sql } from './database';

const EVERYONE = '';

/** Unix seconds on the clock of this customer (by ID), or on everyone's. */
export async function readClock(sql: Sql, customer: string = EVERYONE): Promise<number> {
  const [row] = await sql<{ offset: number }>(
    'SELECT coalesce(sum(offset_seconds), 0)::float8 AS offset FROM clock WHERE subject = ANY($1::text[])',
    [[EVERYONE, customer]],
  );
  return Math.floor(Date.now() / 1000) + (row?.offset ?? 0);
}

/** Moves the clock of one customer, or everyone's. The provider runs what is due on the way. */
export async function moveClock(sql: Sql, seconds: number, customer: string = EVERYONE): Promise<void> {
  await sql(
    `INSERT INTO clock (subject, offset_seconds) VALUES ($1, $2)
     ON CONFLICT (subject) DO UPDATE SET offset_seconds = clock.offset_seconds + excluded.offset_seconds`,
    [customer, seconds],
  );
}

/**
 * Advances a clock by `months` calendar months: from the last day of a month to the last day of another. Step by step, 31
 * January leads to 28 February, 31 March and 30 April, so each step passes one monthly renewal, whatever its day.
 */
export function stepMonths(now: number, months: number): number {
  const isLastDay = new Date((now + 86_400) * 1000).getUTCDate() === 1;
  return addMonths(now, months, isLastDay ? 31 : undefined);
}

/** `months` calendar months after `start` (Unix seconds): 31 January leads to the last day of February. */
export function addMonths(start: number, months: number, anchorDay = new Date(start * 1000).getUTCDate()): number {
  const end = new Date(start * 1000);
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(anchorDay, lastDay));
  return Math.floor(end.getTime() / 1000);
}
