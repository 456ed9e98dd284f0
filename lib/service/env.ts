import 'server-only';
import { z } from 'zod';

/** Blank means unset; surrounding whitespace, such as the line break of a mounted secret, is ignored. */
const readVariable = (value: unknown) => (typeof value === 'string' ? value.trim() : value) || undefined;
const optional = z.preprocess(readVariable, z.string().optional());

const SECRET_PLACE =
  'Where to find it: Stripe dashboard, Developers, Webhooks, the endpoint /api/v1/webhooks/stripe, Signing secret.';

const PROXIES = {
  error:
    'TRUSTED_PROXIES is malformed (has to be how many addresses your own proxies append to X-Forwarded-For, 0 to 10).',
};

const schema = z.object({
  /** Signs payment events; without it, the webhook responds 503. */
  SVC_STRIPE_WEBHOOK_SECRET: optional.refine(
    (value) => value === undefined || /^whsec_[A-Za-z0-9+/=_-]+$/.test(value),
    {
      error: `SVC_STRIPE_WEBHOOK_SECRET is malformed (has to be whsec_ and letters and digits). ${SECRET_PLACE}`,
    },
  ),
  /** The demo programs' API keys, which the seed stores as hashes. Only local runs set the second one. */
  SVC_API_KEY: optional,
  SVC_OPEN_API_KEY: optional,
  /** The address people open. */
  APP_URL: optional,
  /** How many addresses your own proxies append to X-Forwarded-For; 0 if the server receives requests directly. */
  TRUSTED_PROXIES: z.preprocess(
    readVariable,
    z.coerce.number(PROXIES).int(PROXIES).min(0, PROXIES).max(10, PROXIES).default(0),
  ),
  /** Authenticates your scheduler; without it, no call is accepted. */
  CRON_SECRET: optional,
});

type ServiceEnv = z.output<typeof schema>;

export const isProduction = (): boolean => process.env.NODE_ENV === 'production';

let env: ServiceEnv | undefined;

/** The embedded service's variables, read on first use, so that a build does not need them. */
export function serviceEnv(): ServiceEnv {
  if (env) return env;
  const parsed = schema.safeParse(process.env);
  if (!parsed.success) throw new Error(parsed.error.issues.map((issue) => issue.message).join('\n'));
  return (env = parsed.data);
}

/** The problems with the embedded service's variables. A build needs none of them. */
export function findServiceEnvProblems(stage: 'build' | 'run'): Array<{ variable: string; message: string }> {
  const issues = schema.safeParse(process.env).error?.issues ?? [];
  const problems = issues.map(({ path, message }) => ({ variable: String(path[0]), message }));
  if (stage === 'run' && !readVariable(process.env.SVC_STRIPE_WEBHOOK_SECRET)) {
    // §3: without payment events, no path A sale is attributed.
    const variable = 'SVC_STRIPE_WEBHOOK_SECRET';
    problems.push({ variable, message: `${variable} is not set: no sale would be attributed. ${SECRET_PLACE}` });
  }
  return problems;
}
