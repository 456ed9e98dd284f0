// Set-up against the emulators, which answer the same calls as the providers.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { PLANS } from '@/lib/integration/plans';
import { connectStripe } from '@/lib/integration/stripe/client';
import { keyOf } from '@/tests/support/configuration';
import { startEmulators } from '../emulators.mjs';
import type { Environment } from '../local-env.mjs';
import { VARIABLES } from '../local-env.mjs';
import { freePort } from '../ports.mjs';
import { setUpDeployed } from './deployed';
import { readEnvFile } from './env-file';
import { type GivenKeys, setUpLocal } from './local';
import { Report } from './report';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 });

let stop: () => Promise<void>;
let emulated: Record<string, string>;
let stripe: Stripe;
let directory: string;
let lines: string[];

beforeAll(async () => {
  const emulatorsPort = await freePort('localhost');
  const ports = { port: 9, appPort: 9, emulatorsPort };
  const options = { appUrl: 'http://localhost:9', ports, directory: 'memory://', isRecorded: false };
  const blanks = Object.fromEntries(VARIABLES.map((name) => [name, undefined]));
  ({ variables: emulated, stop } = await startEmulators({ ...process.env, ...blanks }, options));
  stripe = connectStripe(emulated.STRIPE_SECRET_KEY ?? '', emulated.STRIPE_API_URL);
});
afterAll(() => stop());
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'setup-'));
  lines = [];
  return () => rmSync(directory, { recursive: true });
});

/** The addresses of the providers: here, the emulators'. */
const addresses = (): Environment => ({
  CLERK_API_URL: emulated.CLERK_API_URL,
  NEXT_PUBLIC_CLERK_PROXY_URL: emulated.NEXT_PUBLIC_CLERK_PROXY_URL,
  STRIPE_API_URL: emulated.STRIPE_API_URL,
});

function newSetup({ isDryRun = false } = {}) {
  const report = new Report({ isDryRun, print: (line) => lines.push(line) });
  return { directory, env: addresses(), isDryRun, isLiveAllowed: false, report };
}

const keyless = (): GivenKeys => ({ isKeyless: true, stripeSecretKey: emulated.STRIPE_SECRET_KEY ?? '' });

/** The keys that keyless mode has written. */
async function newKeys() {
  await setUpLocal(newSetup(), keyless());
  const { NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: publishableKey = '', CLERK_SECRET_KEY: clerkSecretKey = '' } =
    readEnvFile(directory);
  return { publishableKey, clerkSecretKey, stripeSecretKey: emulated.STRIPE_SECRET_KEY ?? '', isKeyless: false };
}

describe('a Stripe test key alone', () => {
  test('is enough for a first look: Clerk makes an instance without an account', async () => {
    await setUpLocal(newSetup(), keyless());
    expect(readEnvFile(directory)).toMatchObject({
      NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: expect.stringMatching(/^pk_test_/),
      CLERK_SECRET_KEY: expect.stringMatching(/^sk_test_/),
      STRIPE_SECRET_KEY: emulated.STRIPE_SECRET_KEY,
      DATA_DIR: '.data-test',
      CLERK_WEBHOOK_SIGNING_SECRET: expect.stringMatching(/^whsec_/),
      STRIPE_WEBHOOK_SECRET: expect.stringMatching(/^whsec_/),
      SVC_STRIPE_WEBHOOK_SECRET: expect.stringMatching(/^whsec_/), // part: service
      CRON_SECRET: expect.any(String),
    });
    expect(lines.join('\n')).toContain('To keep it, claim it: http');
  });

  test('given again, it keeps the instance that it has made', async () => {
    const { publishableKey, clerkSecretKey } = await newKeys();
    lines = [];
    await setUpLocal(newSetup(), keyless());
    expect(lines).toContainEqual(expect.stringMatching(/^done {4}Clerk: both keys belong to/)); // and not: a new instance
    expect(lines).toContain('done    .env.local: has everything already');
    expect(readEnvFile(directory)).toMatchObject({
      NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: publishableKey,
      CLERK_SECRET_KEY: clerkSecretKey,
    });
  });

  test('no secret is printed', async () => {
    await setUpLocal(newSetup(), keyless());
    const written = readEnvFile(directory);
    for (const name of Object.keys(written).filter((variable) => /SECRET/.test(variable))) {
      expect(lines.join('\n')).not.toContain(written[name]);
    }
  });
});

describe('three keys', () => {
  test('make products, prices and the portal, and a repetition finds everything', async () => {
    const keys = await newKeys();
    const names = PLANS.map(({ name }) => name);
    const { data } = await stripe.prices.list({ lookup_keys: names, active: true });
    expect(data.map(({ lookup_key }) => lookup_key).sort()).toEqual(names.toSorted());
    const before = readEnvFile(directory);
    lines = [];
    await setUpLocal(newSetup(), keys);
    expect(readEnvFile(directory)).toEqual(before);
    expect(lines).toEqual([
      'done    Keys: all in test mode',
      expect.stringMatching(/^done {4}Stripe: the key is accepted by http/),
      expect.stringMatching(/^done {4}Clerk: both keys belong to clerk\.\w+\.test$/),
      'done    .env.local: has everything already',
      `done    Products and prices: up to date: ${names.join(', ')}`,
      expect.stringMatching(/^done {4}Billing portal: up to date: bpc_\w+$/),
    ]);
    const { data: portals } = await stripe.billingPortal.configurations.list({ active: true });
    expect(portals[0]?.features).toMatchObject({
      subscription_cancel: { enabled: true },
      subscription_update: { enabled: true, default_allowed_updates: ['price'] },
    });
  });

  test('a plan whose price has changed is noticed and replaced', async () => {
    const keys = await newKeys();
    const [price] = (await stripe.prices.list({ lookup_keys: ['studio_monthly'], active: true })).data;
    const params = { product: String(price?.product), currency: 'usd', unit_amount: 1500 };
    await stripe.prices.create({ ...params, lookup_key: 'studio_monthly', transfer_lookup_key: true });
    await setUpLocal(newSetup({ isDryRun: true }), keys);
    expect(lines.join('\n')).toContain('would be replaced, as the plan has changed: studio_monthly');
    await setUpLocal(newSetup(), keys);
    expect(lines.join('\n')).toContain('replaced, as the plan has changed: studio_monthly');
    const [current] = (await stripe.prices.list({ lookup_keys: ['studio_monthly'], active: true })).data;
    expect(current?.unit_amount).toBe(1900);
  });

  test('of another account or instance get a data folder of their own', async () => {
    const keys = await newKeys();
    mkdirSync(path.join(directory, '.data-test'));
    await setUpLocal(newSetup(), keys);
    expect(readEnvFile(directory).DATA_DIR).toBe('.data-test');
    writeFileSync(path.join(directory, '.env.local'), 'DATA_DIR=.data-test\nSTRIPE_SECRET_KEY=sk_test_other\n');
    await setUpLocal(newSetup(), keys);
    expect(readEnvFile(directory).DATA_DIR).toBe('.data-test-2');
  });

  test('that are in use already keep the data folder, which is the default one where none is named', async () => {
    const { publishableKey, stripeSecretKey, ...keys } = await newKeys();
    const used = `NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY=${publishableKey}\nSTRIPE_SECRET_KEY=${stripeSecretKey}\n`;
    writeFileSync(path.join(directory, '.env.local'), used);
    await setUpLocal(newSetup(), { ...keys, publishableKey, stripeSecretKey });
    expect(readEnvFile(directory).DATA_DIR).toBe('.data');
  });
});

describe('a variable that is set elsewhere', () => {
  const stale = { STRIPE_SECRET_KEY: 'sk_test_stale' };

  test('in the shell or .env.development.local is named: a run would take it', async () => {
    const setup = newSetup();
    await setUpLocal({ ...setup, env: { ...setup.env, ...stale } }, keyless());
    expect(lines.join('\n')).toContain('has other values, which a run takes: STRIPE_SECRET_KEY');
  });

  test.each(['.env.local', '.env.development', '.env'])('in %s is not: .env.local has the new one', async (file) => {
    writeFileSync(path.join(directory, file), 'STRIPE_SECRET_KEY=sk_test_stale\n');
    const setup = newSetup();
    await setUpLocal({ ...setup, env: { ...setup.env, ...stale } }, keyless());
    expect(lines.join('\n')).not.toContain('which a run takes');
  });
});

describe('nothing is written where', () => {
  const refused = async (keys: GivenKeys, text: string) => {
    await expect(setUpLocal(newSetup(), keys)).rejects.toThrow();
    expect(lines.join('\n')).toContain(text);
    expect(lines.join('\n')).toContain('Nothing was written.');
    expect(existsSync(path.join(directory, '.env.local'))).toBe(false);
  };
  const clearing = async (changes: Partial<GivenKeys>) => {
    const keys = { ...(await newKeys()), ...changes };
    rmSync(path.join(directory, '.env.local'));
    lines = [];
    return keys;
  };

  test('the two Clerk keys are of different instances', async () => {
    // The Frontend API of another instance names another signing key.
    const other = createServer((_, response) => response.end(JSON.stringify({ keys: [{ kid: 'ins_other' }] })));
    await once(other.listen(0, 'localhost'), 'listening');
    const { port } = other.address() as AddressInfo;
    const keys = await clearing({ publishableKey: keyOf('other.clerk.test') });
    const setup = newSetup();
    const env = { ...setup.env, NEXT_PUBLIC_CLERK_PROXY_URL: `http://localhost:${port}` };
    await expect(setUpLocal({ ...setup, env }, keys)).rejects.toThrow();
    other.close();
    expect(lines.join('\n')).toContain(
      'CLERK_SECRET_KEY belongs to another instance than NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY',
    );
    expect(existsSync(path.join(directory, '.env.local'))).toBe(false);
  });

  test('Clerk refuses the secret key', async () => {
    await refused(await clearing({ clerkSecretKey: 'sk_test_other' }), 'Clerk refuses CLERK_SECRET_KEY (401)');
  });

  test('Stripe refuses its key', async () => {
    await refused(
      await clearing({ stripeSecretKey: 'sk_test_other' }),
      'failed  Stripe: STRIPE_SECRET_KEY: Stripe refuses the key. Copy it again',
    );
  });

  test('Stripe cannot be reached, which is not taken for a wrong key', async () => {
    const keys = await clearing({});
    const setup = newSetup();
    const env = { ...setup.env, STRIPE_API_URL: 'http://localhost:1' };
    await expect(setUpLocal({ ...setup, env }, keys)).rejects.toThrow();
    expect(lines.slice(-2)).toEqual([
      expect.stringMatching(/^failed {2}Stripe: Stripe cannot be reached at .*\. Check the network\.$/),
      '        Nothing was written.',
    ]);
  });

  test('a key is malformed', async () => {
    const keys = { publishableKey: 'pk_test_foo', clerkSecretKey: 'sk_test_1', stripeSecretKey: 'sk_test_1' };
    await refused({ ...keys, isKeyless: false }, 'failed  Keys: NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY is malformed');
  });

  test('the keys are of live mode', async () => {
    const { NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: publishableKey = '', CLERK_SECRET_KEY: clerkSecretKey = '' } = emulated;
    await refused({ publishableKey, clerkSecretKey, stripeSecretKey: 'sk_live_1', isKeyless: false }, '--live');
  });

  test('it is a dry run, which also makes no Clerk instance and no product', async () => {
    const before = (await stripe.events.list({ limit: 1 })).data[0]?.id;
    await setUpLocal(newSetup({ isDryRun: true }), keyless());
    expect(existsSync(path.join(directory, '.env.local'))).toBe(false);
    expect((await stripe.events.list({ limit: 1 })).data[0]?.id).toBe(before);
    expect(lines.join('\n')).toContain('planned .env.local: would write NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY');
  });
});

describe('a deployment', () => {
  const ORIGIN = 'https://app.example.com';
  const deploy = (options = {}) => setUpDeployed(newSetup(options), ORIGIN, emulated.STRIPE_SECRET_KEY ?? '');
  const endpoints = async () =>
    (await stripe.webhookEndpoints.list({ limit: 100 })).data.filter(({ url }) => url.startsWith(ORIGIN));
  beforeEach(async () => {
    for (const { id } of await endpoints()) await stripe.webhookEndpoints.del(id);
  });

  test("gets Stripe's endpoints with their events and the SDK's API version, and their secrets once", async () => {
    const { variables, clerkSteps } = await deploy();
    const made = await endpoints();
    expect(made.map(({ url }) => url.slice(ORIGIN.length)).sort()).toEqual([
      '/api/v1/webhooks/stripe', // part: service
      '/api/webhooks/stripe',
    ]);
    expect(new Set(made.map(({ api_version }) => api_version))).toEqual(new Set([Stripe.API_VERSION]));
    const shop = made.find(({ url }) => url === `${ORIGIN}/api/webhooks/stripe`);
    expect(shop?.enabled_events).toContain('customer.subscription.updated');
    const valueIn = (name: string) => variables.find((variable) => variable.name === name)?.value;
    expect(valueIn('APP_URL')).toBe(ORIGIN);
    expect(valueIn('STRIPE_WEBHOOK_SECRET')).toMatch(/^whsec_/);
    expect(valueIn('SVC_STRIPE_WEBHOOK_SECRET')).toMatch(/^whsec_/); // part: service
    expect(valueIn('SVC_STRIPE_WEBHOOK_SECRET')).not.toBe(valueIn('STRIPE_WEBHOOK_SECRET')); // part: service
    expect(valueIn('CRON_SECRET')).toMatch(/^.{32}$/);
    expect(clerkSteps.join('\n')).toContain(`${ORIGIN}/api/webhooks/clerk`);
  });

  test('repeated, finds the endpoints by their address; what was removed or disabled comes back, what was added stays', async () => {
    await deploy();
    const [first] = await endpoints();
    const id = first?.id ?? '';
    await stripe.webhookEndpoints.update(id, { enabled_events: ['charge.refunded', 'payout.paid'], disabled: true });
    const { variables } = await deploy();
    const made = await endpoints();
    expect(made).toHaveLength(variables.filter(({ name }) => name.endsWith('STRIPE_WEBHOOK_SECRET')).length);
    const repaired = made.find((endpoint) => endpoint.id === id);
    expect(repaired).toMatchObject({ status: 'enabled' });
    expect(repaired?.enabled_events).toEqual(expect.arrayContaining(['payout.paid', 'checkout.session.completed']));
    expect(variables.find(({ name }) => name === 'STRIPE_WEBHOOK_SECRET')).toEqual({
      name: 'STRIPE_WEBHOOK_SECRET',
      note: 'Stripe dashboard, Developers, Webhooks, /api/webhooks/stripe, Signing secret',
    });
    // The host has one, and its scheduler sends it.
    expect(variables.find(({ name }) => name === 'CRON_SECRET')).not.toHaveProperty('value');
  });

  test('an endpoint for all events that was disabled is enabled for all events again', async () => {
    const given = { url: `${ORIGIN}/api/webhooks/stripe`, enabled_events: ['*' as const] };
    const { id } = await stripe.webhookEndpoints.create({ ...given, api_version: '2024-06-20' });
    await stripe.webhookEndpoints.update(id, { disabled: true });
    await deploy();
    expect(await stripe.webhookEndpoints.retrieve(id)).toMatchObject({ status: 'enabled', enabled_events: ['*'] });
  });

  const createOlder = (api_version: Stripe.WebhookEndpointCreateParams.ApiVersion) =>
    stripe.webhookEndpoints.create({ url: `${ORIGIN}/api/webhooks/stripe`, enabled_events: ['*'], api_version });

  test('an endpoint of an older API version stays as it is: the handlers read its events', async () => {
    const { id } = await createOlder('2024-06-20');
    const { isComplete } = await deploy();
    expect(isComplete).toBe(true);
    expect(lines.join('\n')).toContain(`exists (${id}), API version 2024-06-20`);
  });

  test('an endpoint whose events the handlers cannot read is a failure, since Stripe cannot change its version', async () => {
    await createOlder('2020-08-27');
    const { isComplete, variables } = await deploy();
    expect(isComplete).toBe(false);
    // The other endpoint is made all the same, and its secret is told.
    expect(variables.find(({ name }) => name === 'SVC_STRIPE_WEBHOOK_SECRET')?.value).toMatch(/^whsec_/); // part: service
    expect(variables.find(({ name }) => name === 'STRIPE_WEBHOOK_SECRET')).not.toHaveProperty('value');
    expect(lines.join('\n')).toContain('gets events of 2020-08-27, and the handlers read 2024-06-20 and later');
  });

  test.each<[string, Stripe.WebhookEndpointUpdateParams]>([
    ['that lacks events', { enabled_events: ['charge.refunded'] }],
    ['that is disabled', { disabled: true }],
  ])('and so is such an endpoint %s: it stays as it is', async (_, state) => {
    const { id } = await createOlder('2020-08-27');
    const before = await stripe.webhookEndpoints.update(id, state);
    const { isComplete } = await deploy();
    expect(isComplete).toBe(false);
    expect(await stripe.webhookEndpoints.retrieve(id)).toEqual(before);
    expect(lines.join('\n')).toContain('gets events of 2020-08-27, and the handlers read 2024-06-20 and later');
  });

  test('a dry run creates none', async () => {
    await deploy({ isDryRun: true });
    expect(await endpoints()).toEqual([]);
    expect(lines.join('\n')).toContain('/api/webhooks/stripe would be created');
  });

  test.each(['http://app.example.com', 'https://localhost:3000', 'https://app.example.com/shop', 'app.example.com'])(
    '%s is no address of a deployment',
    async (address) => {
      await expect(setUpDeployed(newSetup(), address, 'sk_test_1')).rejects.toThrow();
      expect(lines.join('\n')).toContain('--deployed has to be the public address of the app');
    },
  );
});

test('the command prints one JSON document, and asks nothing where no terminal is there', async () => {
  const args = ['--import', 'tsx', '--conditions=react-server', 'scripts/setup.ts', '--keyless', '--dry-run', '--json'];
  const blanks = Object.fromEntries(VARIABLES.map((name) => [name, '']));
  const run = async (env: Environment) => {
    const child = spawn(process.execPath, args, { env: { ...process.env, ...blanks, ...env } });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    const [code] = await once(child, 'close');
    return { code, output };
  };
  const { code, output } = await run({ ...addresses(), STRIPE_SECRET_KEY: emulated.STRIPE_SECRET_KEY });
  expect(JSON.parse(output)).toMatchObject({
    ok: true,
    steps: expect.arrayContaining([{ step: 'Keys', state: 'planned', detail: expect.any(String) }]),
  });
  expect(code).toBe(0);
  const without = await run(addresses());
  expect(without.code).toBe(1);
  const error = expect.stringContaining('STRIPE_SECRET_KEY is missing. Pass --stripe-secret-key');
  expect(JSON.parse(without.output)).toEqual({ ok: false, error });
});
