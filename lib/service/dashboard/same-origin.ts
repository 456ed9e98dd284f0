import 'server-only';
import { headers } from 'next/headers';

/** The message for a form from another site. */
export const OTHER_SITE = 'This form was sent from another site. Open the dashboard and try again from there.';

/** Whether the form of this request was sent from a page of this address. */
export const isSameOrigin = async (): Promise<boolean> => isFromOwnPage(await headers());

/** Whether a page of this address sent the request; false without an `Origin`. */
export function isFromOwnPage(received: Pick<Headers, 'get'>): boolean {
  const origin = received.get('origin') ?? '';
  const hosts = received.get('x-forwarded-host') ?? received.get('host') ?? '';
  return URL.canParse(origin) && new URL(origin).host === hosts.split(',')[0]?.trim(); // each proxy may add its own
}
