// npm run doctor: asks everything that the app depends on whether it works, and says what to do where it does not.
// It changes nothing and prints no secret.
import './use-environment';
import { appEnv, clerkEnv, publicEnv, stripeEnv, stripeWebhookEnv, trackingEnv } from '@/lib/integration/env';
import { PLANS } from '@/lib/integration/plans';
import { stripeClient } from '@/lib/integration/stripe/client';
import { database } from '@/prisma/client';

const LIMIT_MS = 10_000;

/** What is checked, in the order in which it has to work; each check says what it found, or throws. */
const CHECKS: Array<[name: string, check: () => unknown, advice: string]> = [
  ['Address', () => appEnv().APP_URL, '.env.example says what APP_URL is.'],
  [
    'Database',
    countMigrations,
    'Start the app once (npm run dev), or set DATABASE_URL and run npx prisma migrate deploy.',
  ],
  ['Tracking service', readEvents, 'Is the app running? Is SVC_API_KEY the key of NEXT_PUBLIC_SVC_PROGRAM_ID?'],
  ['Clerk', countUsers, 'Is the app running? Is CLERK_SECRET_KEY the key of this very instance?'],
  [
    'Clerk webhooks',
    () => clerkEnv().CLERK_WEBHOOK_SIGNING_SECRET && 'a signing secret is set',
    'See docs/going-live.md.',
  ],
  ['Stripe', countPrices, 'npm run setup creates the products and prices.'],
  [
    'Stripe webhooks',
    () => stripeWebhookEnv().STRIPE_WEBHOOK_SECRET && 'a signing secret is set',
    'See docs/going-live.md.',
  ],
];

for (const [name, check, advice] of CHECKS) {
  try {
    console.log(`ok    ${name}: ${await withinLimit(check)}`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`wrong ${name}: ${error instanceof Error ? error.message.trim() : error}\n      ${advice}`);
  }
}
await database()
  .$disconnect()
  .catch(() => {});
process.exit();

async function countMigrations(): Promise<string> {
  const [row] = await database().$queryRaw<[{ count: number }]>`SELECT count(*)::int AS count FROM _prisma_migrations`;
  return `${row.count} migrations are applied`;
}

async function readEvents(): Promise<string> {
  const { NEXT_PUBLIC_SVC_BASE_URL: baseUrl = appEnv().APP_URL, NEXT_PUBLIC_SVC_PROGRAM_ID } = publicEnv();
  await readJson(`${baseUrl}/api/v1/events?limit=1`, trackingEnv().SVC_API_KEY);
  return `${baseUrl} knows the key of ${NEXT_PUBLIC_SVC_PROGRAM_ID}`;
}

async function countUsers(): Promise<string> {
  const { CLERK_SECRET_KEY, CLERK_API_URL = 'https://api.clerk.com' } = clerkEnv();
  const { total_count } = (await readJson(`${CLERK_API_URL}/v1/users/count`, CLERK_SECRET_KEY)) as {
    total_count: number;
  };
  return `${total_count} users`;
}

async function readJson(url: string, key: string): Promise<unknown> {
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(LIMIT_MS),
  });
  if (!response.ok) throw new Error(`${new URL(url).origin} answered ${response.status}.`);
  return response.json();
}

async function countPrices(): Promise<string> {
  const { data } = await stripeClient().prices.list({ lookup_keys: PLANS.map(({ name }) => name), active: true });
  const missing = PLANS.filter(({ name }) => !data.some((price) => price.lookup_key === name));
  if (missing.length > 0) throw new Error(`no price for ${missing.map(({ name }) => name).join(', ')}.`);
  return `${data.length} prices in ${stripeEnv().STRIPE_SECRET_KEY.includes('_live_') ? 'live' : 'test'} mode`;
}

function withinLimit(check: () => unknown): Promise<unknown> {
  const late = new Promise((_, reject) =>
    setTimeout(() => reject(new Error('no answer within 10 s')), LIMIT_MS).unref(),
  );
  return Promise.race([Promise.resolve().then(check), late]);
}
