import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { freePort } from '../ports.mjs';
import { describeWebhook, examineClientBundle, examinePages, examineWebhook } from './app';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** An app that is not this one. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, 'localhost');
  servers.push(server);
  await once(server, 'listening');
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

const page =
  (body: string): RequestListener =>
  (_request, response) =>
    response.end(body);
const unsigned = { path: '/api/webhooks/clerk', name: 'Clerk', signed: null };

describe('the pages', () => {
  test('with the tracker in the HTML are ok, without it that is a warning', async () => {
    const withTracker = await serve(page('<script data-program-id="1"></script>'));
    expect((await examinePages(withTracker)).map(({ state }) => state)).toEqual(['ok', 'ok']);
    const without = await serve(page('<html></html>'));
    expect((await examinePages(without)).map(({ state }) => state)).toEqual(['ok', 'warning']);
  });

  test('that fail are a blocker, and so is an address without a response', async () => {
    const url = await serve((_request, response) => response.writeHead(500).end());
    expect((await examinePages(url))[0]).toMatchObject({ state: 'blocker', detail: `${url} returned 500.` });
    const closed = `http://localhost:${await freePort('localhost')}`;
    await expect(examinePages(closed)).rejects.toThrow(`no response from ${closed}.`);
  });
});

describe('the client bundle', () => {
  const withScript =
    (script: string): RequestListener =>
    (request, response) =>
      response.end(request.url?.endsWith('.js') ? script : '<script src="/_next/static/chunks/a.js"></script>');

  test('without a secret is ok', async () => {
    const url = await serve(withScript('const key = "pk_test_abcdefghijkl"'));
    const [finding] = await examineClientBundle(url, { SVC_API_KEY: 'any key/form=' });
    expect(finding).toMatchObject({ state: 'ok', detail: 'no secret in 3 pages and 1 scripts' });
  });

  test('with a secret of yours names its variable and its place, and not its value', async () => {
    const url = await serve(withScript('fetch(u, { key: "any key/form=" })'));
    const [finding] = await examineClientBundle(url, { SVC_API_KEY: 'any key/form=' });
    expect(finding).toMatchObject({ state: 'blocker' });
    expect(finding?.detail).toBe('every visitor can read SVC_API_KEY in /_next/static/chunks/a.js.');
  });

  test('is read to its last script, however many there are', async () => {
    const sources = Array.from({ length: 100 }, (_, index) => `<script src="/_next/static/${index}.js"></script>`);
    const url = await serve((request, response) => {
      const isLast = request.url === '/_next/static/99.js';
      response.end(request.url?.endsWith('.js') ? isLast && 'Stripe("sk_live_abcdefghijklmnop")' : sources.join(''));
    });
    const [finding] = await examineClientBundle(url, {});
    expect(finding?.detail).toBe('every visitor can read sk_live_… in /_next/static/99.js.');
  });

  test('with something of the form of a secret, as in an app that is not this one', async () => {
    const url = await serve(withScript('Stripe("sk_live_abcdefghijklmnop")'));
    const [finding] = await examineClientBundle(url, {});
    expect(finding?.detail).toBe('every visitor can read sk_live_… in /_next/static/chunks/a.js.');
  });
});

describe('a webhook route', () => {
  const signed = { body: '{"a":1}', headers: { 'x-signature': 's' }, variable: 'CLERK_WEBHOOK_SIGNING_SECRET' };

  test('is asked with the signed body, and is ok where it responds with 200', async () => {
    const url = await serve(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      response.writeHead(body === '{"a":1}' && request.headers['x-signature'] === 's' ? 200 : 400).end();
    });
    expect((await examineWebhook(url, { ...unsigned, signed }))[0]?.state).toBe('ok');
  });

  test.each([
    [307, null, 'requires a session (307)'],
    [401, null, 'requires a session (401)'],
    [404, null, 'there is no /api/webhooks/clerk'],
    [500, null, 'returned 500'],
    [200, null, 'accepts an unsigned event'],
    [400, signed, 'refuses what CLERK_WEBHOOK_SIGNING_SECRET signs'],
  ])('that answers %i is a blocker', (status, signature, text) => {
    const [finding] = describeWebhook(status, { ...unsigned, signed: signature });
    expect(finding).toMatchObject({ state: 'blocker', detail: expect.stringContaining(text) });
    expect(finding?.action).toBeTruthy();
  });

  test("behind Clerk's auth.protect() is not missing, even if the response is 404", async () => {
    const url = await serve((_request, response) =>
      response.writeHead(404, { 'x-clerk-auth-reason': 'protect-rewrite, session-token-and-uat-missing' }).end(),
    );
    expect((await examineWebhook(url, unsigned))[0]?.detail).toBe('/api/webhooks/clerk requires a session (404).');
  });

  test('of an app whose paths end with a slash is named as the provider has to call it', async () => {
    const url = await serve((request, response) => response.writeHead(308, { location: `${request.url}/` }).end());
    const [finding] = await examineWebhook(url, unsigned);
    expect(finding).toMatchObject({ state: 'blocker', detail: expect.stringContaining('follows no redirect') });
    expect(finding?.action).toContain('--clerk-webhook /api/webhooks/clerk/');
  });

  test('that refuses what is unsigned with 400 is ok', () => {
    expect(describeWebhook(400, unsigned)[0]?.state).toBe('ok');
  });
});
