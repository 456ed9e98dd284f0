// The only file of the sandbox that reads process.env. Validated on first use, so that a build needs no secret.
import 'server-only';
import { z } from 'zod';
import { decideSandbox } from './switch.mjs';

const optional = z.preprocess((value) => (value === '' ? undefined : value), z.string().optional());

const schema = z.object({
  APP_URL: z.preprocess(
    (value) => value || undefined,
    z.url('APP_URL must be the address people open, for instance http://localhost:3000.').optional(),
  ),
  NODE_ENV: optional,
  SANDBOX: optional,
  CLERK_JWT_KEY: optional,
  CLERK_SECRET_KEY: optional,
  CLERK_WEBHOOK_SIGNING_SECRET: optional,
  SANDBOX_CLERK_PRIVATE_KEY: optional,
  STRIPE_SECRET_KEY: optional,
  STRIPE_WEBHOOK_SECRET: optional,
  SVC_STRIPE_WEBHOOK_SECRET: optional,
});

type SandboxEnv = z.infer<typeof schema>;

let parsed: SandboxEnv | undefined;

function sandboxEnv(): SandboxEnv {
  parsed ??= schema.parse(process.env);
  return parsed;
}

/** A value that every local run has in `$DATA_DIR/demo.env`; throws, naming the variable, where it is missing. */
export function requireSandboxEnv(name: keyof SandboxEnv): string {
  const value = sandboxEnv()[name];
  if (!value) {
    throw new Error(
      `${name} is not set. \`npm run dev\` and \`npm run preview\` generate it and keep it in $DATA_DIR/demo.env.`,
    );
  }
  return value;
}

/** The app's own origin, without a slash at its end. */
export const appUrl = (): string => requireSandboxEnv('APP_URL').replace(/\/+$/, '');

export type Provider = 'clerk' | 'stripe';

/**
 * Whether the sandbox may answer for this provider: never beside real keys, and in production only with `SANDBOX=on`
 * (design: what is off is not built; this is the second wall).
 */
export function isSandboxOn(provider: Provider): boolean {
  const env = sandboxEnv();
  return decideSandbox(process.env)[provider] && (env.NODE_ENV !== 'production' || env.SANDBOX === 'on');
}

/** Those that the sandbox stands in for. */
export const sandboxedProviders = (): Provider[] => (['clerk', 'stripe'] as const).filter(isSandboxOn);
