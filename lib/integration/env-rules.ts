// Checks variables against each other and recognizes common mistakes. Pure: the environment is a parameter.
// Change in your app: remove the names that you do not use.

export type Environment = Record<string, string | undefined>;

export type EnvProblem = { variable: string; message: string };

/** Common wrong names, keyed by the correct name. */
const MISNOMERS: Record<string, string[]> = {
  NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: ['CLERK_PUBLISHABLE_KEY', 'VITE_CLERK_PUBLISHABLE_KEY', 'NEXT_PUBLIC_CLERK_KEY'],
  CLERK_SECRET_KEY: ['CLERK_API_KEY', 'CLERK_KEY', 'CLERK_SECRET'],
  CLERK_WEBHOOK_SIGNING_SECRET: ['CLERK_WEBHOOK_SECRET', 'WEBHOOK_SECRET', 'SIGNING_SECRET', 'SVIX_SECRET'],
  STRIPE_SECRET_KEY: ['STRIPE_KEY', 'STRIPE_API_KEY', 'STRIPE_SECRET', 'STRIPE_SK'],
  STRIPE_WEBHOOK_SECRET: ['STRIPE_WEBHOOK_SIGNING_SECRET', 'STRIPE_SIGNING_SECRET', 'STRIPE_ENDPOINT_SECRET'],
  SVC_STRIPE_WEBHOOK_SECRET: ['SVC_WEBHOOK_SECRET', 'SVC_STRIPE_WEBHOOK_SIGNING_SECRET'],
  SVC_API_KEY: ['SVC_KEY', 'SVC_SECRET_KEY', 'SVC_PROGRAM_API_KEY'],
  NEXT_PUBLIC_SVC_PROGRAM_ID: ['SVC_PROGRAM_ID', 'NEXT_PUBLIC_PROGRAM_ID'],
  NEXT_PUBLIC_SVC_BASE_URL: ['SVC_BASE_URL', 'NEXT_PUBLIC_SVC_URL'],
  APP_URL: ['NEXT_PUBLIC_APP_URL', 'SITE_URL', 'NEXT_PUBLIC_SITE_URL', 'BASE_URL'],
  DATABASE_URL: ['POSTGRES_URL', 'POSTGRES_PRISMA_URL', 'PG_URL', 'DB_URL'],
  CRON_SECRET: ['CRON_KEY', 'CRON_TOKEN'],
};

/** A hint that a variable is set under another name, or the empty string. */
export function renameHint(variable: string, env: Environment): string {
  if (env[variable]?.trim()) return '';
  const found = MISNOMERS[variable]?.find((name) => env[name]?.trim());
  return found ? ` ${found} is set: rename it to ${variable}.` : '';
}

const KINDS = { pk_: 'a publishable key', sk_: 'a secret key', rk_: 'a restricted key', whsec_: 'a signing secret' };

/** The kind of a key or secret, by its prefix, for messages that must not contain the value. */
export function kindOf(value: string): string | null {
  return Object.entries(KINDS).find(([prefix]) => value.startsWith(prefix))?.[1] ?? null;
}

/** The host of the Clerk instance, which its publishable key contains in base64; null if it contains none. */
export function hostInPublishableKey(key: string): string | null {
  const encoded = /^pk_(?:test|live)_([A-Za-z0-9+/]+={0,2})$/.exec(key)?.[1] ?? '';
  const text = Buffer.from(encoded, 'base64').toString();
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+\$$/i.test(text) ? text.slice(0, -1) : null;
}

/** The mode of a key, or null if its prefix does not say. */
export function modeOf(key: string | undefined): 'live' | 'test' | null {
  const mode = /^(?:sk|rk|pk)_(live|test)_/.exec(key ?? '')?.[1];
  return mode === 'live' || mode === 'test' ? mode : null;
}

/** Whether a URL points to this machine. */
export const isLocal = (url: string | undefined): boolean =>
  URL.canParse(url ?? '') && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url ?? '').hostname);

/**
 * The address of a preview deployment on Vercel or Render. It overrides APP_URL, so that visitors of a preview are not sent to
 * production. A custom Vercel environment, such as staging, has its own domain and APP_URL. The Host header is not used, because
 * the client controls it.
 */
export function previewAddress(env: Environment): string | null {
  const { VERCEL_ENV, VERCEL_TARGET_ENV, VERCEL_BRANCH_URL, VERCEL_URL, IS_PULL_REQUEST, RENDER_EXTERNAL_URL } = env;
  const onVercel = VERCEL_BRANCH_URL || VERCEL_URL;
  if (VERCEL_ENV === 'preview' && (VERCEL_TARGET_ENV || 'preview') === 'preview' && onVercel)
    return `https://${onVercel}`;
  return IS_PULL_REQUEST === 'true' && RENDER_EXTERNAL_URL ? RENDER_EXTERNAL_URL : null; // Render
}

const SECRETS = [
  ...['CLERK_SECRET_KEY', 'STRIPE_SECRET_KEY', 'SVC_API_KEY', 'CLERK_WEBHOOK_SIGNING_SECRET'],
  ...['CRON_SECRET', 'DATABASE_URL'],
];

/** May be equal in a local run: `stripe listen` has only one. */
const STRIPE_SIGNING = ['STRIPE_WEBHOOK_SECRET', 'SVC_STRIPE_WEBHOOK_SECRET'];

/** Stripe signing secrets have at least this many characters. */
const MIN_SIGNING_LENGTH = 30;

/** Variables that are well-formed but cannot work together. */
export function findContradictions(env: Environment): EnvProblem[] {
  return [...findMixedModes(env), ...findSharedSecrets(env), ...findPublishedSecrets(env), ...findPlaceholders(env)];
}

function findMixedModes(env: Environment): EnvProblem[] {
  const publishable = modeOf(env.NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY);
  const secret = modeOf(env.CLERK_SECRET_KEY);
  const problems: EnvProblem[] = [];
  if (publishable && secret && publishable !== secret) {
    problems.push(
      problem(
        'CLERK_SECRET_KEY',
        `is a ${secret} key, and NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY is a ${publishable} key. Copy both from the same page: ` +
          'Clerk dashboard, API keys.',
      ),
    );
  }
  if (modeOf(env.STRIPE_SECRET_KEY) === 'live' && (publishable === 'test' || isLocal(env.CLERK_API_URL))) {
    problems.push(
      problem(
        'STRIPE_SECRET_KEY',
        'is a live key, and NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY is not: test users would pay real money. Use an sk_test_ key ' +
          'of Stripe, or live keys of Clerk.',
      ),
    );
  }
  return problems;
}

/** A secret that was pasted into two variables. */
function findSharedSecrets(env: Environment): EnvProblem[] {
  return [...SECRETS, ...STRIPE_SIGNING].flatMap((name, index) => {
    const other = SECRETS.slice(0, index).find((candidate) => env[candidate] === env[name]);
    if (!env[name]?.trim() || !other) return [];
    return [problem(name, `has the value of ${other}: copy ${name} again.`)];
  });
}

/** Secrets in variables that Next writes into the pages. */
function findPublishedSecrets(env: Environment): EnvProblem[] {
  const names = Object.keys(env).filter((name) => name.startsWith('NEXT_PUBLIC_'));
  const secrets = new Set(SECRETS.map((name) => env[name]?.trim()).filter(Boolean));
  return names
    .filter((name) => /^((sk|rk)_(live|test)|whsec)_/.test(env[name] ?? '') || secrets.has(env[name]))
    .map((name) =>
      problem(
        name,
        'holds a secret, and every visitor can read NEXT_PUBLIC_ variables. Rename it without NEXT_PUBLIC_, and replace the ' +
          'secret if it was ever deployed.',
      ),
    );
}

/** Signing secrets of a deployment that were never filled in: a caller who guesses one can report payments that were never made. */
function findPlaceholders(env: Environment): EnvProblem[] {
  if (!isPublic(env)) return [];
  const isShort = (value = '') => /^whsec_[\w+/=-]+$/.test(value) && value.length < MIN_SIGNING_LENGTH; // others are malformed
  return STRIPE_SIGNING.filter((name) => isShort(env[name])).map((name) =>
    problem(
      name,
      'is shorter than any Stripe signing secret, so it is a placeholder: copy the signing secret of the endpoint.',
    ),
  );
}

const isPublic = (env: Environment): boolean => Boolean(env.APP_URL) && !isLocal(env.APP_URL);

const problem = (variable: string, text: string): EnvProblem => ({ variable, message: `${variable} ${text}` });

/** Settings that work but are probably not intended. */
export function findWarnings(env: Environment): EnvProblem[] {
  const isMissing = (variable: string) => !env[variable]?.trim();
  const checks: Array<[applies: boolean, variable: string, text: string]> = [
    [
      isMissing('CRON_SECRET'),
      'CRON_SECRET',
      'is not set: nothing can call /api/cron/*, so users whose webhook never arrived are not found.' +
        `${renameHint('CRON_SECRET', env)} Generate one: openssl rand -hex 32.`,
    ],
    [
      // An app that runs the service itself also has its signing secret.
      isMissing('NEXT_PUBLIC_SVC_BASE_URL') && isMissing('SVC_STRIPE_WEBHOOK_SECRET'),
      'NEXT_PUBLIC_SVC_BASE_URL',
      'is not set: clicks and leads go to /api/v1 of this app, and are lost if it has none.' +
        `${renameHint('NEXT_PUBLIC_SVC_BASE_URL', env)} Set it to the address of your tracking service.`,
    ],
    [
      modeOf(env.NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY) === 'live' &&
        modeOf(env.STRIPE_SECRET_KEY) === 'test' &&
        isPublic(env),
      'STRIPE_SECRET_KEY',
      'is a test key, and Clerk has live keys: real users pay with test cards. Set a live key of Stripe.',
    ],
    [
      isPublic(env) && Boolean(env.APP_URL?.startsWith('http:')),
      'APP_URL',
      'is public without https: cookies are not Secure, and Stripe refuses webhooks. Serve the app over https.',
    ],
    ...['NEXT_PUBLIC_SVC_BASE_URL', 'CLERK_API_URL', 'STRIPE_API_URL'].map((variable): [boolean, string, string] => [
      Boolean(env[variable]?.startsWith('http:')) && !isLocal(env[variable]),
      variable,
      'is another machine without https: secret keys and email addresses are sent to it unencrypted. Use https.',
    ]),
    [
      isUnencrypted(env),
      'DATABASE_URL',
      'has no sslmode: the connection is not encrypted. Add sslmode=verify-full, or sslmode=disable if the network is private.',
    ],
    [
      isPublic(env) &&
        !isMissing('STRIPE_WEBHOOK_SECRET') &&
        env.STRIPE_WEBHOOK_SECRET === env.SVC_STRIPE_WEBHOOK_SECRET,
      'SVC_STRIPE_WEBHOOK_SECRET',
      'has the value of STRIPE_WEBHOOK_SECRET. A deployment has two endpoints in Stripe, each with its own secret: copy that of /api/v1/webhooks/stripe.',
    ],
  ];
  return checks.filter(([applies]) => applies).map(([, variable, text]) => problem(variable, text));
}

/** Whether `pg` connects to another machine without TLS, as it does by default. */
function isUnencrypted({ DATABASE_URL: url = '', PGSSLMODE }: Environment): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : '';
  const isSocket = host === '' || host.startsWith('%2F');
  return !isSocket && !isLocal(url) && !PGSSLMODE && !/[?&]ssl/.test(url);
}
