import { createHash } from 'node:crypto';

/** Where a page of the feed ended: the sort key of its last entry. */
export type Position = { time: Date; id: string };

const CHECK_LENGTH = 8;
const check = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, CHECK_LENGTH);

/** A position as an opaque string. It gives no access: every page is read for the program of the API key. */
export function writeCursor({ time, id }: Position): string {
  const text = `${time.getTime()}.${id}`;
  return Buffer.from(`${check(text)}${text}`).toString('base64url');
}

/** The position, or null for a cursor that `writeCursor` would not write: base64url ignores what it cannot read. */
export function readCursor(cursor: string): Position | null {
  const text = Buffer.from(cursor, 'base64url').toString('utf8').slice(CHECK_LENGTH);
  const [, milliseconds, id] = /^(\d{1,15})\.(evt_\w+)$/.exec(text) ?? [];
  if (!milliseconds || !id) return null;
  const position = { time: new Date(Number(milliseconds)), id };
  return writeCursor(position) === cursor ? position : null;
}
