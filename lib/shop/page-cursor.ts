import 'server-only';
import { z } from 'zod';

// The position in a list, newest first, from which the next page is read. The browser sends it back: user-controlled input.

export type PageCursor = { at: Date; id: string };

export type Page<Row> = { rows: Row[]; next: string | null };

const shape = z.tuple([z.int().min(0).max(8.64e15), z.string().min(1).max(300)]);

/** null for an invalid cursor; the list then starts with its first page. */
export function readPageCursor(text: unknown): PageCursor | null {
  if (typeof text !== 'string') return null;
  try {
    const [time, id] = shape.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    return id.includes('\0') ? null : { at: new Date(time), id };
  } catch {
    return null;
  }
}

const writePageCursor = ({ at, id }: PageCursor): string =>
  Buffer.from(JSON.stringify([at.getTime(), id])).toString('base64url');

/** A page from rows that were read with one more than fits. */
export function toPage<Row>(rows: Row[], size: number, placeOf: (row: Row) => PageCursor): Page<Row> {
  const page = rows.slice(0, size);
  const last = page.at(-1);
  return { rows: page, next: rows.length > size && last ? writePageCursor(placeOf(last)) : null };
}
