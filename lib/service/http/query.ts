import 'server-only';
import type { z } from 'zod';
import { refuse } from '../errors.ts';
import { type Answer, guard, respond } from './answer.ts';
import { type Caller, readCaller } from './caller.ts';
import { describeIssues } from './ingest.ts';
import { isStorableText } from './read-body.ts';
import { refuseRequest } from './refuse-request.ts';

/** An endpoint without a body: checks the parameters of its query and its path, makes the one call, answers. */
export function query<Schema extends z.ZodType>(
  schema: Schema,
  call: (parameters: z.output<Schema>, caller: Caller) => Promise<Answer>,
) {
  return async (request: Request, context?: { params: Promise<Record<string, string>> }): Promise<Response> => {
    const sent = [...new URL(request.url).searchParams, ...Object.entries((await context?.params) ?? {})];
    const caller = readCaller(request);
    const answer = await guard(async () => {
      if (!sent.flat().every(isStorableText)) return refuseRequest(refuse('invalid_query'), caller);
      const parameters = schema.safeParse(Object.fromEntries(sent));
      return parameters.success
        ? call(parameters.data, caller)
        : refuseRequest(refuse('invalid_query', describeIssues(parameters.error)), caller);
    });
    return respond(answer);
  };
}
