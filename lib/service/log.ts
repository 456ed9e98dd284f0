import 'server-only';
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { isProduction } from './env';

// One line per event that an operator may look for: JSON in production, text elsewhere, always with the request's ID.
// Never log secrets, payloads or email addresses. A customer key may be an email address, so log our own IDs instead.

type Level = 'info' | 'warn' | 'error';
type Fields = Record<string, string | number | boolean | null | undefined>;

const requests = new AsyncLocalStorage<{ requestId: string; dropped: Set<string> }>();
const REQUEST_ID = /^[\w.:-]{8,128}$/;
/** Without the backslash: it is an escape of the JSON around the address. */
const EMAIL = /[^\s@<>"']+@[^\s@<>"'/]+\.[^\s@<>"',;)\\]+/g;

export const log = {
  info: (message: string, fields: Fields = {}) => write('info', message, fields),
  warn: (message: string, fields: Fields = {}) => write('warn', message, fields),
  error: (message: string, fields: Fields = {}) => write('error', message, fields),
};

type Failure = { code?: string; meta?: { driverAdapterError?: { cause?: { originalCode?: string } } } };

/** The code of an error: PostgreSQL's if a raw statement failed, since Prisma's own `code` is always the same then. */
export function codeOf(error: unknown): string | undefined {
  const { code, meta } = (error ?? {}) as Failure;
  return meta?.driverAdapterError?.cause?.originalCode ?? code;
}

/** The request's ID in all logs: the sender's if it is well-formed, else a new one. */
export function readRequestId(headers: Headers): string {
  const given = headers.get('x-request-id') ?? '';
  return REQUEST_ID.test(given) ? given : randomUUID();
}

/** Runs the work of one request: every line logged meanwhile has its ID, and one names the fields that were dropped. */
export function withRequestId<Result>(requestId: string, work: () => Promise<Result>): Promise<Result> {
  const dropped = new Set<string>();
  return requests.run({ requestId, dropped }, async () => {
    const result = await work();
    if (dropped.size > 0) log.warn('dropped fields that cannot be read', { fields: [...dropped].join(' ') });
    return result;
  });
}

/** An optional field that cannot be read never costs the rest. */
export function dropField(name: string): null {
  requests.getStore()?.dropped.add(name);
  return null;
}

function write(level: Level, message: string, fields: Fields): void {
  const all = { ...fields, request_id: requests.getStore()?.requestId };
  const isJson = isProduction();
  const line = formatLine({ time: new Date(), level, message, fields: all }, isJson);
  // Ingestion logs every call, and Next's console takes five times as long as the stream.
  if (isJson && level === 'info') process.stdout.write(`${line}\n`);
  else console[level](line);
}

type Entry = { time: Date; level: Level; message: string; fields: Fields };

/** The line of an entry. Anything that looks like an email address is redacted. */
export function formatLine({ time, level, message, fields }: Entry, isJson: boolean): string {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  const line = isJson
    ? JSON.stringify({ time: time.toISOString(), level, part: 'service', message, ...Object.fromEntries(present) })
    : `service: ${message}${present.map(([name, value]) => ` ${name}=${JSON.stringify(value)}`).join('')}`;
  return line.includes('@') ? line.replace(EMAIL, '[email]') : line;
}
