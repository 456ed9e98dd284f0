import 'server-only';
import { appUrl } from '../../env';
import type { ApiObject } from '../wire';

/** The hosted page. */
export const checkoutUrl = (session: string): string => `${appUrl()}/sandbox/stripe/checkout/${session}`;

/** The bank's page. */
export const challengeUrl = (session: string): string => `${checkoutUrl(session)}/authenticate`;

/** Where the shop wants its customer back. */
export const successUrl = (session: ApiObject<'checkout.session'>): string =>
  (session.success_url ?? appUrl()).replaceAll('{CHECKOUT_SESSION_ID}', session.id);
