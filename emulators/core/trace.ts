// Each HTTP message as it passed, for the control room: stored with the state, and announced to its viewers.
import { Changes } from './changes';
import type { Database } from './database';
import { type Lane, NO_PROFILE, type Profile } from './profile';
import type { SignatureCheck } from './signature';
import { type FollowedId, findCookieIds, findSubjects } from './trace-ids';

export type Message = {
  id: number;
  /** When it began: wall-clock time, ISO 8601. */
  at: string;
  from: Lane;
  to: Lane;
  method: string;
  /** Path and query. */
  path: string;
  /** Null if the connection was closed before the response was complete. */
  status: number | null;
  duration_ms: number;
  request: { headers: Record<string, string>; body: string };
  response: { headers: Record<string, string>; body: string };
  /** Which browser caused it: by its cookie, else by an ID that another message of this browser carries. */
  visitor?: string;
  /** A webhook's signature, as it was checked before anything was redacted. */
  signature?: SignatureCheck;
  /** IDs to follow from cookies, which are redacted. */
  cookies?: FollowedId[];
  /** IDs and email addresses in it. */
  subjects: string[];
};

/** A message before it is kept. */
export type NewMessage = Omit<Message, 'id' | 'subjects' | 'cookies'>;

const KEPT_MESSAGES = 2_000;
/** Prefetches and polling requests have their own limit: an open page would otherwise push everything else out. */
const KEPT_BACKGROUND = 200;
const KEPT_BODY_LENGTH = 64 * 1024;
const PRUNE_EVERY = 200;
const REDACTED = '[redacted]';

const SECRET_HEADER = /^(proxy-)?authorization$|^(set-)?cookie$|(api-?key|token|secret)$/i;
/** The end of a name. A suffix of `password` may mean a repeated password or its digest. */
const SECRET = '(?:password(?!_(?:enabled|hasher))[\\w-]{0,32}|secret|jwt|token|ticket|handshake|cvc|api_?key)';
/** The number of a card or account, not that of a phone or an invoice. */
const NUMBER = '(?:card_|account_)?number';
/** What stands before the last part of a form field's name: `card[`, `payment_method_data[card][`, `1_`. */
const OUTER = '(?:[\\w.-]{1,64}(?:\\]|%5D)?(?:\\[|%5B)){0,5}';
/** A JSON field, also in JSON nested as text, where `\1` precedes each quote. A body may be cut within it. */
const field = (name: string, value: string) =>
  new RegExp(`(?<!\\\\)(\\\\*)("${name}\\1"\\s*:\\s*\\1")${value}(?:(?<!\\\\)(?:\\1\\1\\\\\\\\)*\\1"|$)`, 'gis');
const SECRET_JSON = field(`[\\w-]{0,64}${SECRET}`, '.*?');
const NUMBER_JSON = field(NUMBER, '[\\d -]{8,32}');
const SECRET_FORM = new RegExp(
  `(^|[?&])(${OUTER}(?:[\\w.-]{0,64}${SECRET}|${NUMBER}|code)(?:\\]|%5D)?=)[^&#\\s]+`,
  'gi',
);
const SECRET_PART = new RegExp(
  `(; name="(?:[^"\\r\\n]{0,128}${SECRET}|(?:\\d+_)?(?:${NUMBER}|code))\\]?"(?:\\r\\n[^\\r\\n]+)*\\r\\n\\r\\n).*?(?=\\r\\n--|$)`,
  'gis',
);
const SECRET_VALUES = /\b(?:(?:[a-z]{1,16}_)?(?:sk|rk)|whsec)_[A-Za-z0-9_+/=-]{8,}|\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;

/** A message without what must not be kept: credentials, cookies, passwords, card numbers and tokens. */
export function redact(message: NewMessage): NewMessage {
  const part = ({ headers, body }: Message['request']) => ({
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, SECRET_HEADER.test(name) ? REDACTED : redactText(value)]),
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
    .replace(SECRET_JSON, `$1$2${REDACTED}$1"`)
    .replace(NUMBER_JSON, `$1$2${REDACTED}$1"`)
    .replace(SECRET_FORM, `$1$2${REDACTED}`)
    .replace(SECRET_PART, `$1${REDACTED}`)
    .replace(SECRET_VALUES, REDACTED)
    .replace(/\0|\p{Surrogate}/gu, ''); // jsonb takes neither; the end may have cut a character in two

export type Visitor = { id: string; email: string | null };

type MessageFilter = {
  limit?: number;
  before?: number | undefined;
  after?: number | undefined;
  visitor?: string | undefined;
  /** An ID or a text in the path. */
  search?: string | undefined;
  /** Whether Next's prefetches and the requests that pages poll are listed, too. */
  isWhole?: boolean;
};

type Row = {
  id: number;
  visitor: string | null;
  subjects: string[];
  data: Omit<Message, 'id' | 'visitor' | 'subjects'>;
};

const toMessage = ({ id, visitor, subjects, data }: Row): Message => ({
  id,
  ...data,
  subjects,
  ...(visitor && { visitor }),
});

export class Trace {
  /** The messages that were kept. */
  readonly recorded = new Changes<Message>();
  private pending: Promise<unknown>;
  private isStopped = false;

  constructor(
    private readonly database: Database,
    private readonly profile: Profile = NO_PROFILE,
  ) {
    this.pending = this.prune().catch(() => {}); // the last process may have ended before its turn
  }

  /** Keeps a message. The request that it came from does not wait for it. */
  record(message: NewMessage): void {
    if (this.isStopped) return;
    this.pending = this.pending.then(() => this.write(message)).catch(() => {}); // a trace must not fail a request
  }

  /** The newest messages, newest first. */
  async list({ limit = 100, before, after, visitor, search, isWhole = true }: MessageFilter = {}): Promise<Message[]> {
    await this.pending;
    const rows = await this.database.query((sql) =>
      sql<Row>(
        `SELECT id, visitor, subjects, data FROM message
         WHERE ($1::bigint IS NULL OR id < $1) AND ($2::bigint IS NULL OR id > $2) AND ($3::text IS NULL OR visitor = $3)
           AND ($4::text IS NULL OR $4 = ANY(subjects) OR strpos(lower(data->>'path'), lower($4)) > 0)
           AND ($5 OR NOT is_background)
         ORDER BY id DESC LIMIT $6`,
        [before ?? null, after ?? null, visitor || null, search || null, isWhole, limit],
      ),
    );
    return rows.map(toMessage);
  }

  /** How many requests to the service got 503: those with one of these subjects, or all of them. */
  async countRefused(subjects: string[] | null): Promise<number> {
    await this.pending;
    const [row] = await this.database.query((sql) =>
      sql<{ count: number }>(
        `SELECT count(*)::int AS count FROM message
         WHERE ($1::text[] IS NULL OR subjects && $1) AND data->>'to' = 'service' AND data->>'status' = '503'`,
        [subjects],
      ),
    );
    return row?.count ?? 0;
  }

  async find(id: number): Promise<Message | null> {
    const [message] = await this.list({ limit: 1, before: id + 1, after: id - 1 });
    return message ?? null;
  }

  /** The browsers that were seen, most recent first, each with the address of its newest message that has one. */
  async listVisitors({ id, limit = 50 }: { id?: string; limit?: number } = {}): Promise<Visitor[]> {
    await this.pending;
    return this.database.query((sql) =>
      sql<Visitor>(
        `SELECT m.visitor AS id,
           (SELECT s.subject FROM message own JOIN visitor_subject s ON s.visitor = own.visitor AND s.subject = ANY(own.subjects)
            WHERE own.visitor = m.visitor AND s.subject LIKE '%@%'
            ORDER BY own.id DESC, array_position(own.subjects, s.subject) LIMIT 1) AS email
         FROM message m WHERE m.visitor IS NOT NULL AND ($2::text IS NULL OR m.visitor = $2)
         GROUP BY m.visitor ORDER BY max(m.id) DESC LIMIT $1`,
        [limit, id ?? null],
      ),
    );
  }

  /** The browser that an ID or email address belongs to, or null. */
  async findVisitor(subject: string): Promise<string | null> {
    await this.pending;
    const [row] = await this.database.query((sql) =>
      sql<{ visitor: string }>('SELECT visitor FROM visitor_subject WHERE subject = $1', [subject]),
    );
    return row?.visitor ?? null;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.pending;
  }

  private async write(message: NewMessage): Promise<void> {
    const { visitor, ...data } = redact(message);
    const cookies = findCookieIds(message, this.profile);
    const subjects = findSubjects(
      { ...data, request: { ...data.request, headers: message.request.headers } },
      this.profile,
    );
    const kept = { ...data, ...(cookies.length > 0 && { cookies }) };
    const [row] = await this.database.query((sql) =>
      sql<{ id: number; visitor: string | null; unowned: string[] }>(INSERT, [
        data.at,
        JSON.stringify(kept),
        visitor ?? null,
        subjects,
      ]),
    );
    if (!row) return;
    const { id, visitor: known } = row;
    if (known) await this.adopt(known, row.unowned);
    this.recorded.announce(toMessage({ id, visitor: known, subjects, data: kept }));
    if (this.recorded.count % PRUNE_EVERY === 0) await this.prune();
  }

  /** Deletes all but the newest messages. PGlite has no autovacuum: without VACUUM their space is not reused. */
  private async prune(): Promise<void> {
    await this.database.change(async (sql) => {
      for (const [isBackground, count] of [[false, KEPT_MESSAGES] as const, [true, KEPT_BACKGROUND] as const]) {
        await sql(
          `DELETE FROM message WHERE is_background = $1
             AND id <= (SELECT id FROM message WHERE is_background = $1 ORDER BY id DESC OFFSET $2 LIMIT 1)`,
          [isBackground, count],
        );
      }
      await sql('DELETE FROM visitor_subject s WHERE NOT EXISTS (SELECT 1 FROM message m WHERE m.visitor = s.visitor)');
    });
    await this.database.query((sql) => sql('VACUUM message, visitor_subject')); // not possible in a transaction
  }

  /** Assigns these to the visitor, with the earlier messages that carry them and what else those carry. */
  private async adopt(visitor: string, subjects: string[]): Promise<void> {
    for (let found = subjects; found.length > 0; ) {
      const rows = await this.database.query((sql) => sql<{ subject: string }>(ADOPT, [visitor, found]));
      found = rows.map(({ subject }) => subject).filter((subject) => !found.includes(subject));
    }
  }
}

/** A message without its own visitor gets that of one of its subjects. */
const INSERT = `
INSERT INTO message (at, data, visitor, subjects)
VALUES ($1, $2::jsonb, coalesce($3, (SELECT visitor FROM visitor_subject WHERE subject = ANY($4::text[]) LIMIT 1)), $4::text[])
RETURNING id, visitor, ARRAY(SELECT unnest(subjects) EXCEPT SELECT subject FROM visitor_subject) AS unowned`;

const ADOPT = `
WITH caught AS (
  UPDATE message SET visitor = $1 WHERE visitor IS NULL AND subjects && $2::text[] RETURNING subjects
)
INSERT INTO visitor_subject (subject, visitor)
SELECT subject, $1 FROM (SELECT unnest($2::text[]) AS subject UNION SELECT unnest(subjects) FROM caught) found
ON CONFLICT DO NOTHING RETURNING subject`;
