// One line per event that an operator may look for: JSON in production, text elsewhere. Never log secrets, payloads or email
// addresses. Change in your app: `write`, if you have your own logger.
import 'server-only';

/** IDs, states and counts. */
export type LogFields = Record<string, string | number | boolean | null | undefined>;

type Level = 'info' | 'warn' | 'error';

/** The parts of an error that cannot contain a customer's data, so not its message. */
type Failure = {
  name?: string;
  stack?: string;
  /** The class of a Stripe error, whose `name` is always "Error". */
  type?: unknown;
  code?: string;
  requestId?: string;
  /** The request ID of a Clerk error, whose own `code` is always the same. */
  clerkTraceId?: string;
  errors?: Array<{ code?: string }>;
  /** PostgreSQL's code, if a raw statement failed: Prisma's own `code` is always the same. */
  meta?: { driverAdapterError?: { cause?: { originalCode?: string } } };
  /** What `fetch` and other database clients wrap. */
  cause?: { code?: string };
};

/** Without the backslash: it is an escape of the JSON around the address. */
const EMAIL = /[^\s@<>"']+@[^\s@<>"'/]+\.[^\s@<>"',;)\\]+/g;

export const log = {
  info: (message: string, fields: LogFields = {}) => write('info', message, fields),
  warn: (message: string, fields: LogFields = {}) => write('warn', message, fields),
  error: (message: string, fields: LogFields = {}) => write('error', message, fields),
};

/** Logs an error's name, place, code and provider request ID. Not its message, which may quote what a customer typed. */
export function logFailure(what: string, error: unknown, fields: LogFields = {}): void {
  const failure = (error ?? {}) as Failure;
  const { name = 'unknown', type, stack, errors, meta } = failure;
  log.error(`${what} failed`, {
    error: name === 'Error' && typeof type === 'string' ? type : name,
    code: errors?.[0]?.code ?? meta?.driverAdapterError?.cause?.originalCode ?? failure.code ?? failure.cause?.code,
    provider_request_id: failure.requestId ?? failure.clerkTraceId,
    at: /^ {4}(at .*)$/m.exec(stack ?? '')?.[1],
    ...fields,
  });
}

function write(level: Level, message: string, fields: LogFields): void {
  const line = formatLine({ time: new Date(), level, message, fields }, process.env.NODE_ENV === 'production');
  console[level](line);
}

type Entry = { time: Date; level: Level; message: string; fields: LogFields };

/** The line of an entry. Anything that looks like an email address is redacted: IDs of other systems may be one. */
export function formatLine({ time, level, message, fields }: Entry, isJson: boolean): string {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  const line = isJson
    ? JSON.stringify({ time: time.toISOString(), level, part: 'integration', message, ...Object.fromEntries(present) })
    : `${message}${present.map(([name, value]) => ` ${name}=${JSON.stringify(value)}`).join('')}`;
  return line.replace(EMAIL, '[email]');
}
