import 'server-only';
import type { z } from 'zod';
import { hasRepeatedName } from '../clean-input';
import { type Refusal, refuse } from '../errors';
import { log } from '../log';
import { type Caller, readCaller } from './caller';
import { refuseRequest } from './check-caller';
import { readJson } from './read-body';
import { CORS_HEADERS, type EndpointResult, guard, handle, respond } from './respond';

type IngestEndpoint<Schema extends z.ZodType> = {
  schema: Schema;
  /**
   * Browsers of any origin may send JSON as text/plain, and read the response. `browsers`: the API key is
   * ignored, as is the Authorization header that a browser adds on a site behind HTTP Basic authentication.
   */
  from: 'browsers' | 'servers' | 'both';
  call: (body: z.output<Schema>, caller: Caller) => Promise<EndpointResult>;
};

/** A POST endpoint: reads and checks the body, makes the call, responds. */
export function ingest<Schema extends z.ZodType>({ schema, from, call }: IngestEndpoint<Schema>) {
  const receive = async (request: Request): Promise<Response> => {
    const { credentials, address } = readCaller(request);
    const isBrowser = from === 'browsers' || (from === 'both' && credentials.mode === 'browser');
    const json = await readJson(request, { acceptsPlainText: isBrowser });
    const caller: Caller = {
      credentials: isBrowser ? { mode: 'browser' } : credentials,
      address,
      now: new Date(), // after the body has arrived, which may take minutes
    };
    const refuseBody = (refusal: Refusal) => (isBrowser ? refusal : refuseRequest(refusal, caller));
    const result = await guard(async () => {
      if (!json.ok) return json.code === 'invalid_json' ? refuseBody(json) : json;
      const body = schema.safeParse(json.value);
      return body.success ? call(body.data, caller) : refuseBody(refuse('invalid_body', describeIssues(body.error)));
    });
    // Browser calls are as many as visitors, and anyone can make them: they are logged only if something failed or was dropped.
    if (!isBrowser) log.info(new URL(request.url).pathname, outcomeOf(result));
    return respond(result, isBrowser ? CORS_HEADERS : {});
  };
  return (request: Request): Promise<Response> => handle(request, () => receive(request));
}

/** What is logged about a result: the IDs that the response names, or why the call was refused. */
function outcomeOf(result: EndpointResult) {
  if (!result.ok) return { outcome: result.code };
  const { lead_id, sale_id } = result.body as { lead_id?: string; sale_id?: string };
  return { outcome: 'accepted', lead_id, sale_id };
}

/** An endpoint without a body: checks the query and path parameters, makes the call, responds. */
export function query<Schema extends z.ZodType>(
  schema: Schema,
  call: (parameters: z.output<Schema>, caller: Caller) => Promise<EndpointResult>,
) {
  type Context = { params: Promise<Record<string, string>> };
  const receive = async (request: Request, context?: Context): Promise<Response> => {
    const { searchParams } = new URL(request.url);
    const sent = { ...Object.fromEntries(searchParams), ...(await context?.params) };
    const caller = readCaller(request);
    const result = await guard(async () => {
      if (hasRepeatedName(searchParams)) {
        return refuseRequest(refuse('invalid_query', 'Send each query parameter once.'), caller);
      }
      const parameters = schema.safeParse(sent);
      return parameters.success
        ? call(parameters.data, caller)
        : refuseRequest(refuse('invalid_query', describeIssues(parameters.error)), caller);
    });
    return respond(result);
  };
  return (request: Request, context?: Context): Promise<Response> => handle(request, () => receive(request, context));
}

/** One sentence per field: what is wrong, never what was sent. */
const describeIssues = (error: z.ZodError): string =>
  error.issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message)).join(' ');
