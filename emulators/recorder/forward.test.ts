import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Forwards } from '../core/config';
import { type Emulator, openEmulator } from '../core/emulator';
import { giveBackDatabase, takeDatabase } from '../core/testing/spare-database';
import { reservePort } from '../reserve-port';
import { serveEmulator } from '../server';
import { freePort } from '../testing/free-port.mjs';
import { forwardTo, readForward } from './forward';

// The provider that calls are forwarded to is another instance of the emulators: to the forwarding one, it is just an address.

const stops: Array<() => Promise<void>> = [];
let provider: Emulator;
let here: Emulator;

async function start(forwards: Forwards = {}): Promise<Emulator> {
  const reserved = await reservePort(42_000);
  const database = await takeDatabase();
  const config = {
    appUrl: 'http://localhost:3000',
    url: `http://localhost:${reserved?.port}`,
    directory: 'memory://',
    clerkWebhook: null,
    stripeWebhooks: [],
    appName: 'Test',
    forwards,
  };
  const emulator = await openEmulator(config, { database });
  const stop = await serveEmulator(emulator, reserved?.listener);
  stops.push(async () => {
    await stop();
    await emulator.close();
    giveBackDatabase(database);
  });
  return emulator;
}

beforeAll(async () => {
  provider = await start();
  here = await start({ clerk: `${provider.config.url}/clerk`, stripe: provider.config.url });
});

afterAll(async () => {
  for (const stop of stops) await stop();
});

const connect = (key: string, { config }: Emulator) =>
  new Stripe(key, {
    host: 'localhost',
    port: Number(new URL(config.url).port),
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  });

describe('a call to a provider that is not emulated', () => {
  test('reaches the provider, and the trace of this machine shows it without its key', async () => {
    const key = provider.secrets.stripeSecretKey;
    const made = await connect(key, here).customers.create({ email: 'ada@example.com' });
    expect((await connect(key, provider).customers.retrieve(made.id)).id).toBe(made.id);
    const [message] = await here.trace.list({ search: '/v1/customers', limit: 1 });
    expect(message).toMatchObject({
      from: 'app',
      to: 'stripe',
      method: 'POST',
      path: '/v1/customers',
      status: 200,
      request: { headers: { authorization: '[redacted]' }, body: 'email=ada%40example.com' },
    });
    expect(message?.response.body).toContain(made.id);
    expect(JSON.stringify(message)).not.toContain(key);
  });

  test('to Clerk leads below the address that stands for it', async () => {
    const headers = { authorization: `Bearer ${provider.secrets.clerkSecretKey}` };
    const response = await fetch(`${here.config.url}/clerk/v1/users?limit=1`, { headers });
    expect([response.status, await response.json()]).toEqual([200, []]);
    const [message] = await here.trace.list({ search: '/clerk/v1/users', limit: 1 });
    expect(message).toMatchObject({ to: 'clerk', status: 200, response: { body: '[]' } });
  });

  test('passes a long response on, and the trace keeps its beginning', async () => {
    const text = JSON.stringify({ object: 'list', data: ['x'.repeat(1024 * 1024)] });
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    });
    await once(server.listen(0, 'localhost'), 'listening');
    onTestFinished(() => void server.close());
    const near = await start({ stripe: `http://localhost:${(server.address() as AddressInfo).port}` });
    expect(await (await fetch(`${near.config.url}/v1/files`)).text()).toBe(text);
    const [message] = await near.trace.list({ limit: 1 });
    expect(message?.response.body.slice(0, 20)).toBe(text.slice(0, 20));
  });

  test('gets the provider’s refusal as it is', async () => {
    await expect(connect('sk_test_of_another', here).customers.list()).rejects.toMatchObject({
      type: 'StripeAuthenticationError',
      statusCode: 401,
    });
  });

  test('fails as a connection does where the provider cannot be reached, and the trace says why', async () => {
    const nowhere = await start({ stripe: `http://localhost:${await freePort()}` });
    await expect(connect('sk_test_1', nowhere).balance.retrieve()).rejects.toMatchObject({
      type: 'StripeConnectionError',
    });
    const [message] = await nowhere.trace.list({ limit: 1 });
    expect(message).toMatchObject({ to: 'stripe', path: '/v1/balance', status: null });
    expect(message?.response.body).toMatch(/^localhost:\d+ cannot be reached: .*ECONNREFUSED/);
  });
});

test('a live key is not forwarded to the real provider', async () => {
  const forward = forwardTo('https://api.stripe.com', '');
  const basic = Buffer.from('rk_live_1:').toString('base64');
  for (const authorization of ['Bearer sk_live_1', `Basic ${basic}`]) {
    expect((await forward.request('/v1/customers', { headers: { authorization } })).status).toBe(403);
  }
});

test('calls are forwarded to the real provider or to an address of this machine, and to no other', () => {
  expect(readForward('stripe')).toEqual({ stripe: 'https://api.stripe.com' });
  expect(readForward('clerk=https://api.clerk.com')).toEqual({ clerk: 'https://api.clerk.com' });
  expect(readForward('clerk=http://localhost:4000/clerk')).toEqual({ clerk: 'http://localhost:4000/clerk' });
  for (const text of [
    'paypal',
    'stripe=https://api.clerk.com',
    'stripe=https://example.com',
    'stripe=http://localhost.example.com',
    '',
  ]) {
    expect(readForward(text), text).toBeNull();
  }
});

test('the server keeps an idle connection for longer than a client does: none sends into one that is being closed', async () => {
  const response = await fetch(`${here.config.url}/control/clock`);
  expect(response.headers.get('keep-alive')).toBe('timeout=50');
});
