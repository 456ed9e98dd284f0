import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { freePort } from './ports.mjs';
import { reconcile } from './reconcile';

const CRON_SECRET = '0123456789abcdef';

const server = createServer();
afterEach(() => {
  server.close();
  server.removeAllListeners('request');
  vi.unstubAllEnvs();
});

/** The app, which answers this to the secret. */
async function appThatSends(status: number, text: string): Promise<{ APP_URL: string; CRON_SECRET: string }> {
  server.on('request', ({ url, headers: { authorization } }, response) => {
    const isAsked = url === '/api/cron/reconcile' && authorization === `Bearer ${CRON_SECRET}`;
    response.writeHead(isAsked ? status : 500).end(text);
  });
  await once(server.listen(0, 'localhost'), 'listening');
  return { APP_URL: `http://localhost:${(server.address() as AddressInfo).port}`, CRON_SECRET };
}

test.each([
  [true, []],
  [false, ['Time ran out: run it again for the rest.']],
])('names the users whose webhook never arrived, and what is left (done: %s)', async (done, left) => {
  const app = await appThatSends(200, JSON.stringify({ users: 3, missing: ['user_1', 'user_2'], done }));
  expect((await reconcile(app)).split('\n')).toEqual([
    'Checked 3 users (runs overlap by ten minutes); the webhooks of 2 never arrived.',
    '  user_1  reported now',
    '  user_2  reported now',
    ...left,
  ]);
});

test.each([
  [401, '{}', 'runs with a different CRON_SECRET. Set both to the same value.'],
  [404, '{}', 'has no /api/cron/reconcile. Set APP_URL to the address of this app.'],
  [503, '{"error":"Clerk refuses CLERK_SECRET_KEY."}', 'returned 503: Clerk refuses CLERK_SECRET_KEY.'],
  [503, '<html>', 'returned 503: its log says why'],
  [200, '<html>', 'responded with a page. Set APP_URL to the address of this app.'],
])('a %i with %s is one sentence', async (status, text, sentence) => {
  const app = await appThatSends(status, text);
  await expect(reconcile(app)).rejects.toThrow(`${app.APP_URL} ${sentence}`);
});

test('an app that is not started is one sentence', async () => {
  const APP_URL = `http://localhost:${await freePort('localhost')}`;
  await expect(reconcile({ APP_URL, CRON_SECRET })).rejects.toThrow(`No response from ${APP_URL}. Start the app`);
});

test('no CRON_SECRET says how to make one', async () => {
  vi.stubEnv('CRON_SECRET', '');
  const asked = reconcile({ APP_URL: 'http://localhost:1', CRON_SECRET: undefined });
  await expect(asked).rejects.toThrow(/^CRON_SECRET is not set: .* Generate one.* The app needs the same one\.$/);
});
