import { afterAll, expect, test } from 'vitest';
import { IN_MEMORY } from './database';
import { type Config, openEmulator } from './emulator';
import { giveBackDatabase, takeDatabase } from './testing/spare-database';

const database = await takeDatabase();
afterAll(() => giveBackDatabase(database));

async function publishableKeyIn(directory: string, url: string): Promise<string> {
  const config: Config = {
    ...{ appUrl: 'http://localhost:1', url, directory, appName: 'Acme' },
    ...{ clerkWebhook: null, stripeWebhooks: [] },
  };
  const emulator = await openEmulator(config, { database });
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
