import { z } from 'zod';

/** A place in a list that is newest first: everything after it is older. */
export type Cursor = { time: Date; id: string };

const LATEST = Date.UTC(9999, 0);
const shape = z.tuple([z.number().int().min(0).max(LATEST), z.string().regex(/^\w{1,64}$/)]);

export const writeCursor = ({ time, id }: Cursor): string =>
  Buffer.from(JSON.stringify([time.getTime(), id])).toString('base64url');

/** null where a parameter of the address is no cursor of ours. */
export function readCursor(text: unknown): Cursor | null {
  if (typeof text !== 'string') return null;
  try {
    const [milliseconds, id] = shape.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    return { time: new Date(milliseconds), id };
  } catch {
    return null;
  }
}
