import 'server-only';
import { connection } from 'next/server';

/** The time of this request. Awaiting the connection keeps Next from putting a time of its own into a prerendered page. */
export async function requestTime(): Promise<Date> {
  await connection();
  return new Date();
}
