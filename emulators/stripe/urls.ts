// The addresses of the pages that Stripe hosts.
import type { Config } from '../core/config';
import type { ApiObject } from './wire';

export const checkoutUrl = ({ url }: Config, session: string): string => `${url}/stripe/checkout/${session}`;

/** The page on which the bank asks for confirmation: of a session's payment, or of a PaymentIntent's. */
export const challengeUrl = (config: Config, id: string): string => `${checkoutUrl(config, id)}/authenticate`;

export const invoiceUrl = ({ url }: Config, invoice: string): string => `${url}/stripe/invoice/${invoice}`;

export const portalUrl = ({ url }: Config, session: string): string => `${url}/stripe/portal/${session}`;

/** Where the seller wants its customer to go after the payment. */
export const successUrl = ({ appUrl }: Config, session: ApiObject<'checkout.session'>): string =>
  (session.success_url ?? appUrl).replaceAll('{CHECKOUT_SESSION_ID}', session.id);
