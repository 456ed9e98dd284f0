import 'server-only';
import { connection } from 'next/server';

/** The time of this request. Awaiting the connection keeps Next from prerendering a page with the time of the build. */
export async function requestTime(): Promise<Date> {
  await connection();
  return new Date();
}
