// For tests: an instance with a control room, an app that receives its webhooks, and customers.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import { addUser } from '../../clerk/testing/add-user';
import { createApp } from '../../server';
import { openAccount } from '../../stripe/testing/account';

/** Opens an instance for the tests of one file. */
export async function openRoom() {
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"received":true}');
  });
  await once(receiver.listen(0, 'localhost'), 'listening');
  afterAll(() => receiver.close());
  const account = await openAccount({
    appUrl: `http://localhost:${(receiver.address() as AddressInfo).port}`,
    recorder: { port: 3000, appPort: 1, servicePath: '/api/v1/', blockedPath: '/api/v1/track/' }, // not started
    stripeWebhooks: [{ target: '/webhooks', variable: 'STRIPE_WEBHOOK_SECRET', events: ['*'] }],
  });
  const { emulator } = account;
  const app = createApp(emulator);

  const get = async (path: string, headers: Record<string, string> = {}) => app.request(path, { headers });
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}) =>
    app.request(path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body), headers });

  /** Sends a form of a page, as a browser does; returns the page that it leads to. */
  async function submit(path: string, form: Record<string, string>, from = '/') {
    const response = await app.request(path, {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: { origin: 'http://localhost', referer: `http://localhost${from}` },
    });
    const location = response.headers.get('location') ?? '';
    return {
      status: response.status,
      location,
      html: location.startsWith('/') ? await (await get(location)).text() : '',
    };
  }

  const newUser = (...user: [address: string, metadata?: Record<string, unknown>]) => addUser(emulator, ...user);

  return { ...account, app, get, post, submit, newUser };
}
