import 'server-only';
import { createHash } from 'node:crypto';

/** Where a page of a list ends: the sort key of its last entry. Lists are newest first, so the next page is older. */
export type Position = { time: Date; id: string };

/** Years have four digits. */
const LATEST = Date.UTC(9999, 0);
const CHECK_LENGTH = 8;
const check = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, CHECK_LENGTH);

/** A position as an opaque string. It grants no access: every page is read for the caller's program. */
export function writeCursor({ time, id }: Position): string {
  const text = `${time.getTime()}.${id}`;
  return Buffer.from(`${check(text)}${text}`).toString('base64url');
}

/** A page of rows that were read with one more than fits, and the cursor of the next page. */
export function toPage<Row>(
  rows: Row[],
  limit: number,
  positionOf: (row: Row) => Position,
): { rows: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { rows: page, nextCursor: rows.length > limit && last ? writeCursor(positionOf(last)) : null };
}

/** The position, or null for a cursor that `writeCursor` did not write: base64url decoding ignores invalid characters. */
export function readCursor(cursor: unknown): Position | null {
  if (typeof cursor !== 'string') return null;
  const text = Buffer.from(cursor, 'base64url').toString('utf8').slice(CHECK_LENGTH);
  const [, milliseconds, id] = /^(\d{1,15})\.(\w{1,64})$/.exec(text) ?? [];
  if (!milliseconds || !id || Number(milliseconds) > LATEST) return null;
  const position = { time: new Date(Number(milliseconds)), id };
  return writeCursor(position) === cursor ? position : null;
}
