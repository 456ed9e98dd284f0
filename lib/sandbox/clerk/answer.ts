import type { ClerkError } from './errors';
import { createId } from './ids';

/** A body to be sent as JSON; anything else a handler answers as a `Response` of its own. */
export type Answer = { status?: number; body: unknown };

const NO_STORE = { 'cache-control': 'no-store' };

export function toResponse(answer: Answer | Response, cookies: readonly string[]): Response {
  const response =
    answer instanceof Response
      ? answer
      : Response.json(answer.body, { status: answer.status ?? 200, headers: NO_STORE });
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  return response;
}

export function errorResponse({ status, code, message, meta }: ClerkError, cookies: readonly string[] = []): Response {
  const errors = [{ code, message, long_message: message, meta }];
  return toResponse({ status, body: { errors, clerk_trace_id: createId('trace') } }, cookies);
}
