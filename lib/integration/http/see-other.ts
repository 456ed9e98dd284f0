import 'server-only';
import { appEnv } from '@/lib/integration/env';

/** Answers a form with another page: a path of the shop's, or the address of a payment page. The Host header plays no part. */
export function seeOther(address: string): Response {
  return Response.redirect(new URL(address, appEnv().APP_URL), 303);
}
