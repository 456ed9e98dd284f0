import { refuseFailure, refuseMethods, respond } from '@/lib/service/http/respond';
import { runRetention } from '@/lib/service/retention';

/** Seconds. A serverless host may end a function that takes longer. */
export const maxDuration = 60;

const FAILED =
  'A table failed, and the log names it. What was deleted until then is gone: call this route again for the rest.';

// Deletes records past their retention. Call it once a day from your scheduler.
export async function GET(request: Request): Promise<Response> {
  return respond(await refuseFailure(() => runRetention(request, new Date()), FAILED));
}
export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseMethods('GET');
