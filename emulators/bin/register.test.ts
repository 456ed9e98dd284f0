import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const register = pathToFileURL(path.join(import.meta.dirname, 'register.mjs')).href;

const PROGRAM = `
import { createClerkClient } from '@clerk/backend';
import Stripe from 'stripe';
const viaNode = new Stripe('sk_test_1', { telemetry: false, maxNetworkRetries: 0 });
const viaFetch = new Stripe('sk_test_1', { telemetry: false, httpClient: Stripe.createFetchHttpClient() });
const found = await viaNode.customers.retrieve('cus_1');
for (let call = 0; call < 11; call += 1) await viaNode.customers.retrieve('cus_1'); // on the connection that is open
const clerk = await createClerkClient({ secretKey: 'sk_test_1' }).users.getUser('user_1');
await fetch('https://api.stripe.com//v1/customers');
const invalid = await fetch('/no-host').catch(({ name }) => name); // a rejection, as without the redirect
const made = await viaFetch.customers.create({ email: 'ada@example.com' });
console.log(JSON.stringify([found.id, made.id, clerk.id, invalid]));
`;

test.each(['STRIPE_API_URL', 'CLERK_API_URL'])('calls with the secret key go to no other machine: %s', async (name) => {
  const env = { ...process.env, [name]: 'https://proxy.example.com' };
  const run = promisify(execFile)(process.execPath, ['--import', register, '--eval', ''], { env });
  await expect(run).rejects.toThrow(`${name} is https://proxy.example.com: calls with the secret key go to`);
});

const hasIPv6 = Object.values(networkInterfaces()).some((all) => all?.some(({ address }) => address === '::1'));
const HOSTS = ['localhost', ...(hasIPv6 ? ['[::1]'] : [])];

test.each(HOSTS)('an unchanged app reaches the emulators at %s, by Node’s client and by fetch', async (host) => {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    asked.push(`${request.method} ${request.url}`);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: `cus_${asked.length}`, object: 'customer' }));
  });
  await once(server.listen(0, host.replace(/[[\]]/g, '')), 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      ['--import', register, '--input-type=module', '--eval', PROGRAM],
      {
        cwd: import.meta.dirname,
        env: {
          ...process.env,
          STRIPE_API_URL: `http://${host}:${port}`,
          CLERK_API_URL: `http://${host}:${port}/clerk`,
        },
      },
    );
    expect(JSON.parse(stdout)).toEqual(['cus_1', 'cus_15', 'cus_13', 'TypeError']);
    expect(asked).toEqual([
      ...Array(12).fill('GET /v1/customers/cus_1'),
      'GET /clerk/v1/users/user_1',
      'GET //v1/customers',
      'POST /v1/customers',
    ]);
    expect(stderr, 'no warning of listeners that pile up').toBe('');
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
