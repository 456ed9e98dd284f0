import { guard, refuseMethods, respond } from '@/lib/service/http/respond';
import { runRetention } from '@/lib/service/retention';

// Deletes records past their retention. Call it once a day from your scheduler.
export async function GET(request: Request): Promise<Response> {
  return respond(await guard(() => runRetention(request, new Date())));
}
export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseMethods('GET');
