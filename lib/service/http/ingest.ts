import 'server-only';
import type { z } from 'zod';
import { refuse } from '../errors.ts';
import { type Answer, CORS_HEADERS, guard, respond } from './answer.ts';
import { type Caller, readCaller } from './caller.ts';
import { readJson } from './read-body.ts';
import { refuseRequest } from './refuse-request.ts';

export type Endpoint<Schema extends z.ZodType> = {
  schema: Schema;
  /** Whether browsers of other origins may call it: with JSON as text/plain too, and an answer that they can read. */
  fromBrowsers: boolean;
  call: (body: z.output<Schema>, caller: Caller) => Promise<Answer>;
};

/** A POST endpoint: reads and checks the body, makes the one call, answers. */
export function ingest<Schema extends z.ZodType>({ schema, fromBrowsers, call }: Endpoint<Schema>) {
  return async (request: Request): Promise<Response> => {
    const caller = readCaller(request);
    const isBrowser = fromBrowsers && caller.credentials.mode === 'browser';
    const answer = await guard(async () => {
      const json = await readJson(request, { acceptsPlainText: isBrowser });
      if (!json.ok) return json.code === 'invalid_json' ? refuseRequest(json, caller, { fromBrowsers }) : json;
      const body = schema.safeParse(json.value);
      if (body.success) return call(body.data, caller);
      return refuseRequest(refuse('invalid_body', describeIssues(body.error)), caller, { fromBrowsers });
    });
    return respond(answer, isBrowser ? CORS_HEADERS : {});
  };
}

/** One sentence for each field: what is wrong, never what was sent. */
export const describeIssues = (error: z.ZodError): string =>
  error.issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)).join(' ');
