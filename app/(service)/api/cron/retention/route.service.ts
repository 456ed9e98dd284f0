import { handle, refuseFailure, refuseMethods, respond } from '@/lib/service/http/respond';
import { runRetention } from '@/lib/service/retention';

/** Seconds. A serverless host may end a function that takes longer. */
export const maxDuration = 60;

// Deletes records past their retention. Call it once a day from your scheduler.
export function GET(request: Request): Promise<Response> {
  return handle(request, async () => respond(await refuseFailure(() => runRetention(request, new Date()))));
}
export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseMethods('GET');
