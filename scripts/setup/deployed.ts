// Set-up of a deployment: both Stripe endpoints by API, the variables for the host, and what only Clerk's dashboard can do.
import { randomBytes } from 'node:crypto';
import type Stripe from 'stripe';
import { modeOf } from '@/lib/integration/env-rules';
import { connectStripe } from '@/lib/integration/stripe/client';
import { isServiceEmbedded } from '../../lib/service/switch.mjs'; // part: service
import type { Environment } from '../local-env.mjs';
import { CLERK_ENDPOINT, type StripeEndpoint, stripeEndpoints } from '../webhook-endpoints.mjs';
import { KEYS } from './keys';
import type { Setup } from './local';
import { StepFailed } from './report';
import { createCatalog, createEndpoint, createPortal } from './stripe';

/** A variable for the host: its value if it was made here, else where to find it. */
type HostVariable = { name: string; value?: string; note?: string };

export type Deployment = {
  variables: HostVariable[];
  clerkSteps: string[];
  /** Whether every endpoint is as it has to be. */
  isComplete: boolean;
};

const AGAIN = 'Then run the command again: it is safe to re-run.';

/** @param address an origin, such as https://app.example.com @throws StepFailed */
export async function setUpDeployed(setup: Setup, address: string, stripeSecretKey: string): Promise<Deployment> {
  const { env, isDryRun, isLiveAllowed, report } = setup;
  const { stripe, origin } = await report.run('Key', 'Correct it and run the command again.', async () => {
    const mode = modeOf(stripeSecretKey);
    if (!mode) throw new Error(`${KEYS.stripeSecretKey.variable} is malformed. ${KEYS.stripeSecretKey.where}.`);
    if (mode === 'live' && !isLiveAllowed) {
      throw new Error('This is a live key: real money. Use a test key, or run the command again with --live.');
    }
    const made = { stripe: connectStripe(stripeSecretKey, env.STRIPE_API_URL), origin: readOrigin(address) };
    return { ...made, detail: `Stripe's ${mode} mode, for ${made.origin}` };
  });
  await report.run('Products and prices', AGAIN, () => createCatalog(stripe, { isDryRun }));
  await report.run('Billing portal', AGAIN, () => createPortal(stripe, { isDryRun }));

  const secrets: HostVariable[] = [];
  let isComplete = true;
  for (const endpoint of stripeEndpoints(env)) {
    const result = await tryEndpoint(setup, stripe, origin, endpoint);
    isComplete &&= result.isDone;
    secrets.push(result.variable);
  }
  return { variables: hostVariables(setup, origin, secrets), clerkSteps: clerkSteps(origin), isComplete };
}

/** One that fails ends nothing: Stripe tells the secret of another one, made before it, only once. */
async function tryEndpoint({ report, isDryRun }: Setup, stripe: Stripe, origin: string, endpoint: StripeEndpoint) {
  const { name, path, variable } = endpoint;
  const place = { name: variable, note: `Stripe dashboard, Developers, Webhooks, ${path}, Signing secret` };
  try {
    const { secret } = await report.run(`Webhooks of ${name}`, AGAIN, () =>
      createEndpoint(stripe, origin + path, endpoint, { isDryRun }),
    );
    return { isDone: true, variable: secret ? { name: variable, value: secret } : place };
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    return { isDone: false, variable: place };
  }
}

/** @throws if it is no public https address */
function readOrigin(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isOrigin = url?.protocol === 'https:' && url.pathname === '/' && !url.search && !url.hash;
  if (!url || !isOrigin || !url.hostname.includes('.')) {
    throw new Error(
      `--deployed has to be the public address of the app, such as https://app.example.com. It is ${address}.`,
    );
  }
  return url.origin;
}

function hostVariables({ env }: Setup, origin: string, secrets: HostVariable[]): HostVariable[] {
  const keys = [KEYS.publishableKey, KEYS.clerkSecretKey, KEYS.stripeSecretKey];
  return [
    { name: 'APP_URL', value: origin },
    { name: 'DATABASE_URL', note: 'your PostgreSQL' },
    ...keys.map(({ variable, where }) => ({ name: variable, note: where })),
    { name: CLERK_ENDPOINT.variable, note: 'Clerk dashboard, the endpoint below' },
    ...secrets,
    ...serviceVariables(env),
    cronSecret(secrets),
  ];
}

/** A new one for a new deployment only: with another value the scheduler of a host that has one would be locked out. */
const cronSecret = (secrets: HostVariable[]): HostVariable =>
  secrets.every(({ value }) => value)
    ? { name: 'CRON_SECRET', value: randomBytes(24).toString('base64url') }
    : { name: 'CRON_SECRET', note: 'keep the one that the host has; `openssl rand -hex 32` generates one' };

function serviceVariables(_env: Environment): HostVariable[] {
  // part: service
  if (isServiceEmbedded(_env)) {
    return [
      { name: 'NEXT_PUBLIC_SVC_PROGRAM_ID', note: 'npm run program:create prints it' },
      { name: 'SVC_API_KEY', note: 'npm run key:create prints it, once' },
    ];
  }
  // end: service
  return [
    { name: 'NEXT_PUBLIC_SVC_BASE_URL', note: 'the address of your tracking service' },
    { name: 'NEXT_PUBLIC_SVC_PROGRAM_ID', note: "the tracking service's dashboard, Settings" },
    { name: 'SVC_API_KEY', note: "the tracking service's dashboard, Settings" },
  ];
}

const clerkSteps = (origin: string): string[] => [
  'Open https://dashboard.clerk.com, choose your application and, at the top, the instance of this deployment.',
  'Configure, Webhooks, Add Endpoint.',
  `Endpoint URL: ${origin}${CLERK_ENDPOINT.path}`,
  `Subscribe to events: ${CLERK_ENDPOINT.events.join(', ')}. Press Create.`,
  `On the endpoint's page copy the Signing Secret to ${CLERK_ENDPOINT.variable} of the host.`,
  'After the first deployment: Testing, Send Example. The response has to be 200.',
];
