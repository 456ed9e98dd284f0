// What every part of the emulators works with: one instance, its state and its secrets.
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import path from 'node:path';
import { Changes } from './changes';
import type { Config, StripeWebhook } from './config';
import { Database, IN_MEMORY, type Sql } from './database';
import { Deliveries } from './deliveries';
import { isApplied } from './faults';
import { NO_PROFILE, type Profile } from './profile';
import { Trace } from './trace';

export type Secrets = {
  clerkSecretKey: string;
  clerkWebhookSecret: string;
  /** RSA, PKCS 8 in DER, as base64. */
  clerkPrivateKey: string;
  stripeSecretKey: string;
  /** Every Stripe webhook's secret is derived from this one. */
  stripeWebhookSeed: string;
};

export type Emulator = {
  config: Config & { profile: Profile };
  /** Clerk's publishable key. Derived from the folder, so that instances on one machine share no session. */
  publishableKey: string;
  secrets: Secrets;
  database: Database;
  deliveries: Deliveries;
  trace: Trace;
  /** Announced when a fault is set, a clock is moved, or the state is emptied or replaced. */
  controlled: Changes;
  close: () => Promise<void>;
};

/**
 * Opens an instance. Its secrets are made once and kept with its state.
 * @param options.from a file written by `emulators start --export`, to start from
 * @param options.pid the process that a second opener is told to stop, if it is not this one
 * @param options.database one that is open already, instead of `config.directory`; it stays open when the instance closes
 * @throws DirectoryBusyError if another process has the folder open
 */
export async function openEmulator(
  given: Config,
  { database: opened, ...options }: { from?: Blob; pid?: number; database?: Database } = {},
): Promise<Emulator> {
  const config = { ...given, profile: withoutInapplicable(given.profile ?? NO_PROFILE, given) };
  const database = opened ?? (await Database.open(config.directory, { owner: config.url, ...options }));
  const secrets = await database.change(readSecrets);
  const deliveries = new Deliveries(database);
  const trace = new Trace(database, config.profile);
  return {
    config,
    publishableKey: publishableKeyOf(config),
    secrets,
    database,
    deliveries,
    trace,
    controlled: new Changes(),
    async close() {
      await deliveries.stop();
      await trace.stop();
      if (!opened) await database.close();
    },
  };
}

/** The profile without what this instance cannot show: the tour needs the recorder, and a scenario whatever applies its fault. */
function withoutInapplicable({ tour, scenarios, ...profile }: Profile, config: Config): Profile {
  return {
    ...profile,
    ...(tour && config.recorder && { tour }),
    scenarios: scenarios.filter(({ fault }) => fault === undefined || isApplied(fault.split('=')[0] ?? '', config)),
  };
}

/** The signing secret of one of the webhooks that the instance was started with. */
export const stripeWebhookSecret = ({ secrets }: Emulator, { target }: StripeWebhook): string =>
  `whsec_${createHash('sha256').update(`${secrets.stripeWebhookSeed} ${target}`).digest('hex').slice(0, 32)}`;

/** Names the data folder. It survives restarts and resets, as the secrets do; a new folder gets another one. */
export const dataIdOf = ({ secrets }: Emulator): string =>
  createHash('sha256').update(`data ${secrets.stripeWebhookSeed}`).digest('hex').slice(0, 12);

/** A second pair of keys of the same instance, in the form of a development instance: what keyless mode hands out. */
export function developmentKeys({ publishableKey, secrets }: Emulator): { publishableKey: string; secretKey: string } {
  const secret = createHash('sha256').update(`development ${secrets.clerkSecretKey}`).digest('hex').slice(0, 48);
  return { publishableKey: publishableKey.replace(/^pk_live_/, 'pk_test_'), secretKey: `sk_test_${secret}` };
}

/** The signing secrets of the Stripe webhooks, by the name of their variable. */
const stripeWebhookSecrets = (emulator: Emulator): Record<string, string> =>
  Object.fromEntries(
    emulator.config.stripeWebhooks.map((webhook) => [webhook.variable, stripeWebhookSecret(emulator, webhook)]),
  );

/** The signing secrets of every webhook of the app, by the name of their variable. */
export const webhookSecrets = (emulator: Emulator): Record<string, string> => ({
  CLERK_WEBHOOK_SIGNING_SECRET: emulator.secrets.clerkWebhookSecret,
  ...stripeWebhookSecrets(emulator),
  ...emulator.config.foreignSecrets,
});

/** Clerk's browser code reads its host from the key. The host is never resolved, because a proxy URL replaces it. */
function publishableKeyOf({ directory, url }: Config): string {
  const place = directory === IN_MEMORY ? url : path.resolve(directory);
  const instance = createHash('sha256').update(place).digest('hex').slice(0, 8);
  return `pk_live_${Buffer.from(`clerk.${instance}.test$`).toString('base64')}`;
}

/** The variables with which an app uses this instance. */
export function variablesOf(emulator: Emulator): Record<string, string> {
  const { config, secrets, publishableKey } = emulator;
  const clerk = `${config.url}/clerk`;
  const { hostname, port, protocol } = new URL(config.url);
  return {
    NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: publishableKey,
    CLERK_PUBLISHABLE_KEY: publishableKey,
    NEXT_PUBLIC_CLERK_PROXY_URL: clerk,
    NEXT_PUBLIC_CLERK_JS_URL: `${clerk}/npm/@clerk/clerk-js@6/dist/clerk.browser.js`,
    NEXT_PUBLIC_CLERK_UI_URL: `${clerk}/npm/@clerk/ui@1/dist/ui.browser.js`,
    NEXT_PUBLIC_CLERK_SIGN_IN_URL: config.signInUrl ?? `${clerk}/sign-in`,
    NEXT_PUBLIC_CLERK_SIGN_UP_URL: config.signUpUrl ?? `${clerk}/sign-up`,
    NEXT_PUBLIC_CLERK_TELEMETRY_DISABLED: '1',
    NEXT_PUBLIC_CLERK_KEYLESS_DISABLED: '1',
    CLERK_SECRET_KEY: secrets.clerkSecretKey,
    CLERK_API_URL: clerk,
    CLERK_WEBHOOK_SIGNING_SECRET: secrets.clerkWebhookSecret,
    STRIPE_SECRET_KEY: secrets.stripeSecretKey,
    STRIPE_API_URL: config.url,
    STRIPE_HOST: hostname,
    STRIPE_PORT: port,
    STRIPE_PROTOCOL: protocol.replace(':', ''),
    ...stripeWebhookSecrets(emulator),
    EMULATORS_URL: config.url,
  };
}

async function readSecrets(sql: Sql): Promise<Secrets> {
  const [row] = await sql<{ value: string }>("SELECT value FROM secret WHERE name = 'instance'");
  if (row) return JSON.parse(row.value) as Secrets;
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const secrets: Secrets = {
    clerkSecretKey: `sk_live_${randomBytes(24).toString('hex')}`,
    clerkWebhookSecret: `whsec_${randomBytes(24).toString('base64')}`,
    clerkPrivateKey: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
    stripeSecretKey: `sk_test_${randomBytes(24).toString('hex')}`,
    stripeWebhookSeed: randomBytes(24).toString('hex'),
  };
  await sql("INSERT INTO secret VALUES ('instance', $1)", [JSON.stringify(secrets)]);
  return secrets;
}
