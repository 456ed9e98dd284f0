// Each HTTP message as it passed, for the control room: kept with the state, and announced to its viewers.
import type { Database } from './database';

export type Lane = 'browser' | 'app' | 'service' | 'clerk' | 'stripe';

export type Message = {
  id: number;
  /** When it began, wall time, ISO 8601. */
  at: string;
  from: Lane;
  to: Lane;
  method: string;
  /** Path and query. */
  path: string;
  status: number | null;
  duration_ms: number;
  request: { headers: Record<string, string>; body: string };
  response: { headers: Record<string, string>; body: string };
  /** Which browser caused it, where that is known. */
  visitor?: string;
};

const KEPT_MESSAGES = 2_000;
const KEPT_BODY_LENGTH = 64 * 1024;
const PRUNE_EVERY = 200;
const REDACTED = '[redacted]';

const SECRET_HEADERS = new Set(['authorization', 'cookie', 'set-cookie', 'proxy-authorization']);
const SECRET_NAMES = '[\\w-]*(?:password|secret|jwt|token|ticket|handshake|cvc)';
/** Fields of JSON and of forms; card and account numbers are typed into forms alone. */
const SECRET_JSON = new RegExp(`("${SECRET_NAMES}"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, 'gi');
const SECRET_FORM = new RegExp(`(^|[?&])((?:${SECRET_NAMES}|number|account_number|code)=)[^&#\\s]+`, 'gi');
const SECRET_VALUES = /\b(?:sk|rk|svc_sk|whsec)_[A-Za-z0-9_+/=-]{8,}|\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;

/** A message without what must not be kept: credentials, cookies, passwords, card numbers and tokens. */
export function redact(message: Omit<Message, 'id'>): Omit<Message, 'id'> {
  const part = ({ headers, body }: Message['request']) => ({
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        SECRET_HEADERS.has(name.toLowerCase()) ? REDACTED : redactText(value),
      ]),
    ),
    body: redactText(body.slice(0, KEPT_BODY_LENGTH)),
  });
  return {
    ...message,
    path: redactText(message.path),
    request: part(message.request),
    response: part(message.response),
  };
}

const redactText = (text: string): string =>
  text
    .replace(SECRET_JSON, `$1"${REDACTED}"`)
    .replace(SECRET_FORM, `$1$2${REDACTED}`)
    .replace(SECRET_VALUES, REDACTED)
    .replaceAll('\u0000', '');

export class Trace {
  private readonly watchers = new Set<(message: Message) => void>();
  private recorded = 0;
  private pending: Promise<unknown> = Promise.resolve();
  private isStopped = false;

  constructor(private readonly database: Database) {}

  /** Keeps a message. The request that it came from does not wait for it. */
  record(message: Omit<Message, 'id'>): void {
    if (this.isStopped) return;
    this.pending = this.pending.then(() => this.write(redact(message))).catch(() => {}); // a trace must not fail a request
  }

  /** The newest messages before `before`, newest first. */
  async list({ limit = 100, before, visitor }: { limit?: number; before?: number; visitor?: string } = {}) {
    await this.pending;
    const rows = await this.database.read((sql) =>
      sql<{ id: number; data: Omit<Message, 'id'> }>(
        `SELECT id, data FROM message
         WHERE ($1::bigint IS NULL OR id < $1) AND ($2::text IS NULL OR data->>'visitor' = $2)
         ORDER BY id DESC LIMIT $3`,
        [before ?? null, visitor ?? null, limit],
      ),
    );
    return rows.map(({ id, data }): Message => ({ id, ...data }));
  }

  /** @returns ends the watching */
  watch(watcher: (message: Message) => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.pending;
  }

  private async write(data: Omit<Message, 'id'>): Promise<void> {
    const [row] = await this.database.read((sql) =>
      sql<{ id: number }>('INSERT INTO message (at, data) VALUES ($1, $2::jsonb) RETURNING id', [
        data.at,
        JSON.stringify(data),
      ]),
    );
    const id = row?.id ?? 0;
    for (const watcher of this.watchers) watcher({ id, ...data });
    this.recorded += 1;
    if (this.recorded % PRUNE_EVERY === 0) {
      await this.database.read((sql) => sql('DELETE FROM message WHERE id <= $1', [id - KEPT_MESSAGES]));
    }
  }
}
