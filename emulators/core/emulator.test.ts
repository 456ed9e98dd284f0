import { afterAll, describe, expect, test } from 'vitest';
import type { Config } from './config';
import { IN_MEMORY } from './database';
import { openEmulator } from './emulator';
import { profileSchema } from './profile';
import { giveBackDatabase, takeDatabase } from './testing/spare-database';

const CONFIG: Config = {
  ...{ appUrl: 'http://localhost:1', url: 'http://localhost:3001', directory: IN_MEMORY, appName: 'Acme' },
  ...{ clerkWebhook: null, stripeWebhooks: [] },
};

const database = await takeDatabase();
afterAll(() => giveBackDatabase(database));

async function publishableKeyIn(directory: string, url: string): Promise<string> {
  const emulator = await openEmulator({ ...CONFIG, url, directory }, { database });
  await emulator.close();
  return emulator.publishableKey;
}

test('two instances of one machine share no session: the key, which names their cookies, follows from the folder', async () => {
  const key = await publishableKeyIn('/data/one', 'http://localhost:3001');
  expect(await publishableKeyIn('/data/one', 'http://localhost:4001')).toBe(key); // the same instance on another port
  expect(await publishableKeyIn('/data/two', 'http://localhost:3001')).not.toBe(key);
  const inMemory = await publishableKeyIn(IN_MEMORY, 'http://localhost:3001');
  expect(await publishableKeyIn(IN_MEMORY, 'http://localhost:4001')).not.toBe(inMemory);
});

describe('the profile has only what this instance can show and break:', () => {
  const place = { file: '', find: '' };
  const faults = [
    'outage=true',
    'tracker_blocked=true',
    'mode=off',
    'delay_seconds=30',
    'drop_subscription_metadata=true',
  ];
  const profile = profileSchema.parse({
    tour: { steps: [] },
    scenarios: faults.map((fault) => ({
      ...{ name: fault.replace(/\W.*|_/g, ''), title: '', description: '', fault, decidedBy: place, provenBy: place },
    })),
  });
  const recorder = { port: 1, appPort: 2, servicePath: '/api/v1/', blockedPath: '/api/v1/track/' };
  const [stripe, clerk] = ['https://api.stripe.com', 'https://api.clerk.com'];

  test.each<[string, Partial<Config>, string[], boolean]>([
    ['all of it with a recorder and both providers', { recorder }, faults, true],
    ['no outage and no blocker without a recorder, and no tour', { recorder: null }, faults.slice(2), false],
    ['no outage of a service elsewhere', { recorder: { ...recorder, servicePath: null } }, faults.slice(1), true],
    ['no metadata to drop in your own Stripe', { recorder, forwards: { stripe } }, faults.slice(0, 4), true],
    ['no webhooks to break of your own providers', { recorder, forwards: { stripe, clerk } }, faults.slice(0, 2), true],
  ])('%s', async (_, config, expected, hasTour) => {
    const emulator = await openEmulator({ ...CONFIG, ...config, profile }, { database });
    await emulator.close();
    expect(emulator.config.profile.scenarios.map(({ fault }) => fault)).toEqual(expected);
    expect(emulator.config.profile.tour !== undefined).toBe(hasTour);
  });
});
