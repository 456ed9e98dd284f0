// Keys of the real shape: an app builds and starts on them, and reaches no provider.
import { randomBytes } from 'node:crypto';
import { blankEnvironment } from './local-env.mjs';

export const CLERK_HOST = 'happy-cat-1.clerk.accounts.dev';

const hex = () => randomBytes(20).toString('hex');

export const secrets = {
  clerk: `whsec_${randomBytes(24).toString('base64')}`,
  shop: `whsec_${hex()}`,
  service: `whsec_${hex()}`,
};

const keys = {
  NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: `pk_test_${Buffer.from(`${CLERK_HOST}$`).toString('base64')}`,
  CLERK_SECRET_KEY: `sk_test_${hex()}`,
  CLERK_WEBHOOK_SIGNING_SECRET: secrets.clerk,
  STRIPE_SECRET_KEY: `sk_test_${hex()}`,
  STRIPE_WEBHOOK_SECRET: secrets.shop,
  SVC_STRIPE_WEBHOOK_SECRET: secrets.service, // part: service
};

/** This process's environment with these keys, and no other variable of the project set. */
export const realShape = { ...blankEnvironment(), ...keys };
