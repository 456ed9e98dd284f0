import { isSameHash } from '../api-key.ts';
import { type Refusal, refuse } from '../errors.ts';
import type { Caller } from '../http/caller.ts';

/** What `programAndCalls` found out about a caller. */
export type CallerRow = { program_id: string | null; api_key_hash: string | null; too_many: boolean | null };

/** 401 for a server without a valid key, 400 for a browser that names no program, 429 past the limit; else null. */
export function checkCaller({ credentials, now }: Caller, row: CallerRow): Refusal | null {
  if (credentials.mode === 'server' && !isSameHash(row.api_key_hash ?? '', credentials.keyHash)) {
    return refuse('invalid_api_key');
  }
  if (!row.program_id) return refuse('unknown_program');
  if (row.too_many) return { ...refuse('rate_limited'), retryAfterSeconds: 60 - now.getUTCSeconds() };
  return null;
}
