import 'server-only';
import { z } from 'zod';

// The only file of the integration that reads process.env. Change in your app: drop the groups that you do not use.

const prefixed = (...prefixes: string[]) =>
  z.string().refine((value) => prefixes.some((prefix) => value.startsWith(prefix)), {
    error: `has to start with ${prefixes.join(' or ')}`,
  });

const httpsOrigins = z.string().refine((list) => splitList(list).every(isHttpsOrigin), {
  error: 'has to be origins such as https://pay.example.com, separated by commas',
});

/** The tracking service as the browser may know it. Read at build time too, so it holds no secret. */
export const publicEnv = readOnce({
  NEXT_PUBLIC_SVC_PROGRAM_ID: z.string().max(255).describe("the tracking service's dashboard, Settings, Program ID"),
  NEXT_PUBLIC_SVC_BASE_URL: z.url().optional().describe("the tracking service's address; unset = this app serves it"),
});

export const trackingEnv = readOnce({
  SVC_API_KEY: z.string().describe("the tracking service's dashboard, Settings, API keys"),
});

export const appEnv = readOnce({
  APP_URL: z
    .url()
    .overwrite((url) => url.replace(/\/+$/, ''))
    .describe('the address people open, such as https://app.example.com'),
  CRON_SECRET: z.string().min(16).optional().describe('generate one: openssl rand -hex 32'),
});

export const clerkEnv = readOnce({
  NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: prefixed('pk_').describe('Clerk dashboard, API keys'),
  CLERK_SECRET_KEY: prefixed('sk_').describe('Clerk dashboard, API keys'),
  CLERK_WEBHOOK_SIGNING_SECRET: prefixed('whsec_').describe('Clerk dashboard, Webhooks, your endpoint, Signing secret'),
  CLERK_WEBHOOK_SIGNING_SECRET_PREVIOUS: prefixed('whsec_').optional().describe('the secret that you are replacing'),
  CLERK_JWT_KEY: z.string().optional().describe('Clerk dashboard, API keys, JWKS public key (PEM)'),
  CLERK_API_URL: z.url().optional().describe("leave it unset for Clerk's own address"),
});

export const stripeEnv = readOnce({
  STRIPE_SECRET_KEY: prefixed('sk_', 'rk_').describe('Stripe dashboard, Developers, API keys'),
  STRIPE_API_URL: z.url().optional().describe("leave it unset for Stripe's own address"),
  CHECKOUT_ORIGINS: httpsOrigins.optional().describe('Stripe dashboard, Settings, Custom domains'),
});

export const stripeWebhookEnv = readOnce({
  STRIPE_WEBHOOK_SECRET: prefixed('whsec_').describe('Stripe dashboard, Developers, Webhooks, your endpoint, Secret'),
});

/** Reads every variable, so that wrong ones stop the start, all at once, and not the first customer. */
export function assertEnv(): void {
  const problems = [publicEnv, trackingEnv, appEnv, clerkEnv, stripeEnv, stripeWebhookEnv].flatMap(findProblems);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

function findProblems(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Validates variables on first use and keeps them: `next build` needs no secret. Blank means unset. */
export function readOnce<Shape extends z.ZodRawShape>(shape: Shape): () => z.output<z.ZodObject<Shape>> {
  const schema = z.object(shape);
  let values: z.output<typeof schema> | undefined;
  return () => {
    values ??= parse(schema);
    return values;
  };
}

/** The entries of a variable that holds a list. */
export const splitList = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

const isHttpsOrigin = (text: string) => URL.canParse(text) && text === new URL(text).origin && /^https:/.test(text);

function parse<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>): z.output<z.ZodObject<Shape>> {
  const present = Object.entries(environment()).filter(([, value]) => value?.trim());
  const result = schema.safeParse(Object.fromEntries(present));
  if (result.success) return result.data;
  throw new Error(result.error.issues.map((issue) => describe(schema, issue)).join('\n'));
}

function describe(schema: z.ZodObject, issue: z.core.$ZodIssue): string {
  const name = String(issue.path[0]);
  const isMissing = !environment()[name]?.trim();
  const where = z.globalRegistry.get(schema.shape[name] as z.ZodType)?.description;
  return `${name} ${isMissing ? 'is not set' : `is malformed (${issue.message})`}. Where to find it: ${where}.`;
}

/** Next writes NEXT_PUBLIC_ values into the build only where they are named in full. */
function environment(): Record<string, string | undefined> {
  return {
    ...process.env,
    NEXT_PUBLIC_SVC_PROGRAM_ID: process.env.NEXT_PUBLIC_SVC_PROGRAM_ID,
    NEXT_PUBLIC_SVC_BASE_URL: process.env.NEXT_PUBLIC_SVC_BASE_URL,
    NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: process.env.NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY,
  };
}
