import 'server-only';
import { z } from 'zod';

const blankIsUnset = z.preprocess((value) => (value === '' ? undefined : value), z.string().optional());

const schema = z.object({
  SVC_STRIPE_WEBHOOK_SECRET: blankIsUnset.refine((value) => value === undefined || value.startsWith('whsec_'), {
    error:
      'SVC_STRIPE_WEBHOOK_SECRET must start with "whsec_". Take it from the Stripe dashboard: Developers, Webhooks, ' +
      'the endpoint for /api/v1/webhooks/stripe, Signing secret.',
  }),
  SVC_API_KEY: blankIsUnset,
  SVC_OPEN_API_KEY: blankIsUnset,
  APP_URL: blankIsUnset,
  TRUSTED_PROXIES: z.preprocess(
    (value) => (value === '' ? undefined : value),
    z.coerce
      .number({
        error: 'TRUSTED_PROXIES must be a number: how many of your own proxies stand in front of this server.',
      })
      .int()
      .min(0)
      .max(10)
      .default(0),
  ),
  CRON_SECRET: blankIsUnset,
});

export type ServiceEnv = {
  /** Signs payment events; without it the webhook answers 503. */
  stripeWebhookSecret: string | undefined;
  /** The demo programs' API keys, which the seed stores as hashes. Local runs alone set the second one. */
  demoApiKey: string | undefined;
  openApiKey: string | undefined;
  /** The address people open. */
  appUrl: string | undefined;
  /** How many proxies of your own stand in front of this server; 0 where it is the first to see a request. */
  trustedProxies: number;
  /** What your scheduler calls the cron routes with; without it no call is accepted. */
  cronSecret: string | undefined;
};

export const isProduction = (): boolean => process.env.NODE_ENV === 'production';

let env: ServiceEnv | undefined;

/** The embedded service's variables, read on first use, so that a build needs none of them. */
export function serviceEnv(): ServiceEnv {
  if (env) return env;
  const parsed = schema.safeParse(process.env);
  if (!parsed.success) throw new Error(parsed.error.issues.map((issue) => issue.message).join('\n'));
  return (env = {
    stripeWebhookSecret: parsed.data.SVC_STRIPE_WEBHOOK_SECRET,
    demoApiKey: parsed.data.SVC_API_KEY,
    openApiKey: parsed.data.SVC_OPEN_API_KEY,
    appUrl: parsed.data.APP_URL,
    trustedProxies: parsed.data.TRUSTED_PROXIES,
    cronSecret: parsed.data.CRON_SECRET,
  });
}
