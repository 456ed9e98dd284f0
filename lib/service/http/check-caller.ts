import 'server-only';
import { database } from '@/prisma/client';
import { Prisma } from '@/prisma/generated/client';
import { isSameHash } from '../api-key';
import { type Refusal, refuse } from '../errors';
import { programAndCalls } from '../sql';
import type { Caller } from './caller';

/** The result of `programAndCalls`. */
export type CallerRow = { program_id: string | null; api_key_hash: string | null; too_many: boolean | null };

type Checked = { ok: true; programId: string } | Refusal;

/** 401 for a server without a valid key, 400 for a browser without a known program, 429 past the limit; else its program. */
export function checkCaller({ credentials, now }: Caller, row: CallerRow): Checked {
  if (credentials.mode === 'server' && !isSameHash(row.api_key_hash ?? '', credentials.keyHash)) {
    return refuse('invalid_api_key');
  }
  if (!row.program_id) return refuse('unknown_program');
  if (row.too_many) return { ...refuse('rate_limited'), retryAfterSeconds: 60 - now.getUTCSeconds() };
  return { ok: true, programId: row.program_id };
}

/** The program of a caller's API key, for endpoints whose own statement does not look it up, and before a request is refused. */
export async function authenticate(caller: Caller): Promise<Checked> {
  const { credentials, now } = caller;
  if (credentials.mode === 'browser') return refuse('missing_api_key');
  const { sql } = Prisma;
  const server = { mode: 'server', subject: sql`${credentials.keyHash}`, now: sql`${now}::timestamptz` } as const;
  const [row] = await database().$queryRaw<CallerRow[]>`
    WITH ${programAndCalls(server)}
    SELECT p.id AS program_id, p.api_key_hash, c.too_many
    FROM (SELECT 1) AS one LEFT JOIN program p ON true LEFT JOIN calls c ON true`;
  if (!row) throw new Error('The statement always returns a row.');
  return checkCaller(caller, row);
}

/** 401 comes before 400 (§5): only callers who may send a request learn what is wrong with it. It counts towards the rate limit. */
export async function refuseRequest(refusal: Refusal, caller: Caller): Promise<Refusal> {
  const authenticated = await authenticate(caller);
  return authenticated.ok ? refusal : authenticated;
}
