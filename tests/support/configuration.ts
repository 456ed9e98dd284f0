// A complete configuration of a deployed app, for tests that leave something out of it or change something in it.
import { VARIABLES } from '../../scripts/local-env.mjs';

export type Variables = Record<string, string>;

/** Blank, so that neither the shell nor `.env.local` has a say. */
export const BLANKS: Variables = Object.fromEntries(VARIABLES.map((name) => [name, '']));

export const keyOf = (host: string) => `pk_test_${Buffer.from(`${host}$`).toString('base64')}`;

export const CLERK = {
  NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: keyOf('happy-cat-1.clerk.accounts.dev'),
  CLERK_SECRET_KEY: 'sk_test_clerk',
  CLERK_WEBHOOK_SIGNING_SECRET: `whsec_${'clerk'.padEnd(32, '0')}`,
};
export const STRIPE = {
  STRIPE_SECRET_KEY: 'sk_test_stripe',
  STRIPE_WEBHOOK_SECRET: `whsec_${'stripe'.padEnd(32, '0')}`,
};
export const SERVICE = {
  NEXT_PUBLIC_SVC_BASE_URL: 'https://svc.example.com',
  NEXT_PUBLIC_SVC_PROGRAM_ID: '123',
  SVC_API_KEY: 'any key/form=',
};
/** A database that is never reached: it keeps the embedded one from being started. */
export const UNREACHED = { DATABASE_URL: 'postgresql://localhost:1/unreached' };
export const APP = { APP_URL: 'https://app.example.com', ...UNREACHED };
export const COMPLETE = { ...APP, ...CLERK, ...STRIPE, ...SERVICE };
