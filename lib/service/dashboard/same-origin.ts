import 'server-only';
import { headers } from 'next/headers';

/** Whether a form was sent from a page of this address. A request that does not say where it comes from was not. */
export async function isSameOrigin(): Promise<boolean> {
  const received = await headers();
  const origin = received.get('origin') ?? '';
  const host = received.get('x-forwarded-host') ?? received.get('host');
  return URL.canParse(origin) && new URL(origin).host === host;
}
