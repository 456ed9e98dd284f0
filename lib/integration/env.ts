// The only file of the integration that reads process.env, but for NODE_ENV in log.ts. Change in your app: remove the groups that you do not use, with what only they use.
import 'server-only';
import { isServiceUrl } from '@svc/tracker/server';
import { z } from 'zod';
import {
  type Environment,
  type EnvProblem,
  findContradictions,
  findWarnings,
  hostInPublishableKey,
  isLocal,
  kindOf,
  previewAddress,
  renameHint,
} from './env-rules';

const prefixed = (...prefixes: string[]) =>
  z.string().refine((value) => prefixes.some((prefix) => value.startsWith(prefix) && value !== prefix), {
    abort: true,
    error: ({ input }) => {
      if (prefixes.includes(String(input))) return 'has only its prefix: copy the whole value';
      const kind = kindOf(String(input));
      return `has to start with ${prefixes.join(' or ')}${kind ? `; this is ${kind}` : ''}`;
    },
  });

const httpUrl = (example: string) =>
  z
    .string()
    .refine((text) => /^https?:\/\/./.test(text) && URL.canParse(text), {
      error: `has to be a URL such as ${example}`,
      abort: true,
    })
    .overwrite((url) => url.replace(/\/+$/, '')); // paths are appended

const origin = (example: string) =>
  httpUrl(example).refine((text) => new URL(text).href === `${new URL(text).origin}/`, {
    error: `has to be a URL without a path, such as ${example}`,
  });

/** What svix takes for a key: anyone could sign with an empty one. */
const svixSecret = prefixed('whsec_').regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, {
  error: 'has to be the whole secret: whsec_ and at least 32 characters of base64',
});

const publishableKey = z.string().refine((key) => hostInPublishableKey(key) !== null, {
  error: ({ input }) => {
    const kind = /^pk_/.test(String(input)) ? null : kindOf(String(input));
    return `has to be pk_test_… or pk_live_… with the host of your Clerk instance in it${kind ? `; this is ${kind}` : ''}`;
  },
});

const checkoutOrigins = z.string().refine((list) => splitList(list).every(isCheckoutOrigin), {
  error: 'has to be origins such as https://pay.example.com, separated by commas',
});

/** Whole: a file of variables cuts an unquoted value at its first line break, and Docker's keeps an escaped one as it is. */
const publicKey = z.string().regex(/^-----BEGIN PUBLIC KEY-----[^\\]+-----END PUBLIC KEY-----\s*$/, {
  error: 'has to be the whole PEM on one line, its line breaks removed',
});

/** The tracking service, for the browser. Read at build time too, so it contains no secret. */
export const publicEnv = readOnce({
  NEXT_PUBLIC_SVC_PROGRAM_ID: z.string().max(255).describe("the tracking service's dashboard, Settings, Program ID"),
  NEXT_PUBLIC_SVC_BASE_URL: httpUrl('https://svc.example.com')
    .refine(isServiceUrl, {
      error: 'has to be a URL without credentials, query and fragment: paths are appended',
    })
    .optional()
    .describe("the tracking service's address; unset = this app serves it"),
});

export const trackingEnv = readOnce({
  SVC_API_KEY: z
    .string()
    .regex(/^[ -~]+$/, { error: 'has to be printable ASCII on one line' })
    .describe("the tracking service's dashboard, Settings, API keys"),
});

export const appEnv = readOnce({
  APP_URL: origin('https://app.example.com').describe('the address people open'),
  CRON_SECRET: z
    .string()
    .min(16, { error: 'has to be 16 characters or longer' })
    .optional()
    .describe('`openssl rand -hex 32` generates one'),
});

export const clerkEnv = readOnce({
  NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: publishableKey.describe('Clerk dashboard, API keys'),
  CLERK_SECRET_KEY: prefixed('sk_').describe('Clerk dashboard, API keys'),
  CLERK_WEBHOOK_SIGNING_SECRET: svixSecret.describe('Clerk dashboard, Webhooks, your endpoint, Signing secret'),
  CLERK_WEBHOOK_SIGNING_SECRET_PREVIOUS: svixSecret.optional().describe('the secret that you are replacing'),
  CLERK_JWT_KEY: publicKey.optional().describe('Clerk dashboard, API keys, JWKS public key (PEM)'),
  CLERK_API_URL: httpUrl('https://api.clerk.com').optional().describe("leave it unset for Clerk's own address"),
});

export const stripeEnv = readOnce({
  STRIPE_SECRET_KEY: prefixed('sk_', 'rk_').describe('Stripe dashboard, Developers, API keys'),
  STRIPE_API_URL: origin('https://api.stripe.com').optional().describe("leave it unset for Stripe's own address"),
  CHECKOUT_ORIGINS: checkoutOrigins.optional().describe('Stripe dashboard, Settings, Custom domains'),
});

export const stripeWebhookEnv = readOnce({
  STRIPE_WEBHOOK_SECRET: prefixed('whsec_')
    .regex(/^[A-Za-z0-9+/=_-]+$/, { error: 'has to be the whole secret: letters and digits after whsec_' })
    .describe('Stripe dashboard, Developers, Webhooks, your endpoint, Signing secret'),
});

/** `next build` writes these into the build, so they have to be set at build time. */
const BUILT_IN = ['NEXT_PUBLIC_SVC_PROGRAM_ID', 'NEXT_PUBLIC_SVC_BASE_URL', 'NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY'];

export class EnvError extends Error {
  override readonly name = 'EnvError';
  readonly problems: EnvProblem[];
  constructor(problems: EnvProblem[]) {
    super(problems.map(({ message }) => message).join('\n'));
    this.problems = problems;
  }
}

/** All problems with the variables. A build needs no secrets; those that are set have to be well-formed. */
export function findEnvProblems(stage: 'build' | 'run'): EnvProblem[] {
  const env = environment();
  const groups = [publicEnv, trackingEnv, appEnv, clerkEnv, stripeEnv, stripeWebhookEnv];
  const malformed = groups
    .flatMap(findProblems)
    .filter(({ variable }) => stage === 'run' || env[variable] || BUILT_IN.includes(variable));
  const named = new Set(malformed.map(({ variable }) => variable));
  return [...malformed, ...findContradictions(env).filter(({ variable }) => !named.has(variable))];
}

/** What is wrong with a variable that another file reads, such as DATABASE_URL: what `read` throws. */
export function findProblemOf(variable: string, read: () => unknown): EnvProblem[] {
  try {
    read();
    return [];
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return [{ variable, message: message + renameHint(variable, environment()) }];
  }
}

/** Settings that work but are probably not intended. */
export const findEnvWarnings = (): EnvProblem[] => findWarnings(environment());

function findProblems(read: () => unknown): EnvProblem[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof EnvError) return error.problems;
    throw error;
  }
}

/** Validates variables on first use, where it throws an `EnvError`, and caches them: `next build` needs no secret. */
export function readOnce<Shape extends z.ZodRawShape>(shape: Shape): () => z.output<z.ZodObject<Shape>> {
  const schema = z.object(shape);
  let values: z.output<typeof schema> | undefined;
  return () => (values ??= parse(schema));
}

/** The entries of a comma-separated list. */
export const splitList = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

/** Payment pages use https, except on this machine. */
const isCheckoutOrigin = (text: string) =>
  URL.canParse(text) && text === new URL(text).origin && (/^https:/.test(text) || isLocal(text));

function parse<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>): z.output<z.ZodObject<Shape>> {
  const result = schema.safeParse(environment());
  if (result.success) return result.data;
  throw new EnvError(result.error.issues.map((issue) => describe(schema, issue)));
}

function describe(schema: z.ZodObject, issue: z.core.$ZodIssue): EnvProblem {
  const variable = String(issue.path[0]);
  const env = environment();
  const where = z.globalRegistry.get(schema.shape[variable] as z.ZodType)?.description;
  const what = env[variable] ? `is malformed (${issue.message}).` : `is not set.${renameHint(variable, env)}`;
  return { variable, message: `${variable} ${what} Where to find it: ${where}.` };
}

/**
 * Blank means unset, and surrounding whitespace is removed. Next replaces NEXT_PUBLIC_ variables at build time only if they are
 * named in full.
 */
function environment(): Environment {
  const preview = previewAddress(process.env);
  const raw: Environment = {
    ...process.env,
    ...(preview && { APP_URL: preview }),
    NEXT_PUBLIC_SVC_PROGRAM_ID: process.env.NEXT_PUBLIC_SVC_PROGRAM_ID,
    NEXT_PUBLIC_SVC_BASE_URL: process.env.NEXT_PUBLIC_SVC_BASE_URL,
    NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: process.env.NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY,
  };
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, value?.trim() || undefined]));
}
