import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { clerkJSScriptUrl, clerkUIScriptUrl } from '@clerk/shared/loadClerkJsScript';
import { describe, expect, test } from 'vitest';
import { variablesOf } from '../core/emulator';
import { scriptsDirectory } from './scripts';
import { APP, newAddress, useInstance } from './testing/instance';

const instance = useInstance();

const send = (path: string, init?: RequestInit) => fetch(instance.url + path, { redirect: 'manual', ...init });

describe('cross-origin requests', () => {
  const preflight = (origin: string) =>
    send('/v1/client/sign_ups', {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-clerk-any',
      },
    });

  test('of the app are allowed, with credentials and the headers that it asks for', async () => {
    const { status, headers } = await preflight(APP);
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe(APP);
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    expect(headers.get('access-control-allow-headers')).toContain('x-clerk-any');
    expect(headers.get('vary')).toContain('Origin');
    const response = await send('/v1/client', { headers: { origin: 'http://127.0.0.1:9' } });
    expect(response.headers.get('access-control-allow-origin')).toBe('http://127.0.0.1:9');
    expect(response.headers.get('vary')).toContain('Origin');
  });

  test('of another port of this machine are refused with the address to open', async () => {
    const origin = 'http://localhost:10'; // not in any server's configuration
    const response = await send('/v1/client', { headers: { origin } });
    expect(response.status).toBe(400);
    expect(response.headers.get('access-control-allow-origin')).toBe(origin);
    expect((await response.json()).errors[0].long_message).toContain(`${APP}, not ${origin}`);
  });

  test('of other sites are refused, before they have an effect', async () => {
    const email = newAddress();
    expect((await preflight('https://evil.example')).headers.has('access-control-allow-origin')).toBe(false);
    const response = await send('/v1/client/sign_ups', {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: new URLSearchParams({ email_address: email, password: 'correct horse 42' }),
    });
    expect([response.status, (await response.json()).errors[0].code]).toEqual([400, 'origin_invalid']);
    expect(await instance.events(email)).toEqual([]);
  });
});

describe('both APIs', () => {
  test('respond to a path that they do not cover with an error that names the emulator', async () => {
    const { status, body } = await instance.openBrowser().post('/v1/organizations');
    expect([status, body.errors[0].code]).toEqual([404, 'not_covered_by_emulator']);
    expect(body.errors[0].message).toBe('The Clerk emulator does not cover POST /clerk/v1/organizations.');
  });

  test('take no body over 64 KiB, and no JSON that is none', async () => {
    const long = await instance.openBrowser().post('/v1/client/sign_ups', { email_address: 'x'.repeat(70_000) });
    expect([long.status, long.body.errors[0].code]).toEqual([413, 'request_body_too_large']);
    const headers = { authorization: `Bearer ${instance.emulator.secrets.clerkSecretKey}` };
    const response = await send('/v1/users', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{',
    });
    expect(response.status).toBe(400);
  });
});

describe('scripts', () => {
  const clerkJs = '/npm/@clerk/clerk-js@6/dist';

  test('come from the package of that name, whatever version was asked for, for every origin', async () => {
    for (const path of [`${clerkJs}/clerk.browser.js`, '/npm/@clerk/ui@1.34.0/dist/ui.browser.js']) {
      const { status, headers } = await send(path);
      expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*']);
      expect(headers.get('content-type')).toContain('text/javascript');
    }
  });

  test.each([
    ['clerk-js', clerkJSScriptUrl, 'NEXT_PUBLIC_CLERK_JS_URL'],
    ['ui', clerkUIScriptUrl, 'NEXT_PUBLIC_CLERK_UI_URL'],
  ] as const)('%s has the major version and the path that the SDK asks for', async (name, scriptUrl, variable) => {
    const { pathname } = new URL(scriptUrl({ publishableKey: instance.emulator.publishableKey }));
    const version = readFileSync(path.join(scriptsDirectory(name), '../version'), 'utf8');
    expect(pathname).toContain(`/@clerk/${name}@${version.split('.')[0]}/`);
    expect(variablesOf(instance.emulator)[variable]).toBe(instance.url + pathname);
    expect(await (await send('/sign-in')).text()).toContain(`src="/clerk${pathname}"`);
  });

  test.each([
    '/npm/@clerk/backend@3/dist/index.js',
    '/npm/@clerk/ui@1/dist/..%2fpackage.js',
    '/npm/@clerk/ui@1/dist/..%2f..%2fpackage.js',
    '/npm/@clerk/ui@1/dist/.hidden.js',
    '/npm/@clerk/ui@1/dist/index.d.ts',
    '/npm/@clerk/ui@1/dist/a/b.js',
    '/npm/@clerk/ui@1/package.json',
    '/npm/@evil/ui@1/dist/ui.browser.js',
    '/npm/@clerk/constructor@1/dist/ui.browser.js',
  ])('come from nowhere else: %s', async (path) => {
    expect((await send(path)).status).toBe(404);
  });

  test('are cached for a year where the name changes with the content, and for an hour where it does not', async () => {
    const cacheOf = async (file: string) => (await send(`${clerkJs}/${file}`)).headers.get('cache-control');
    expect(await cacheOf('clerk.browser.js')).toBe('public, max-age=3600');
    const chunk = readdirSync(scriptsDirectory('clerk-js')).find((name) => name.includes('_clerk.browser_'));
    expect(await cacheOf(chunk ?? '')).toBe('public, max-age=31536000, immutable');
  });
});

describe('pages', () => {
  test.each(['/sign-in', '/sign-up', '/user', '/sign-in/factor-one', '/user/security'])(
    'the Account Portal has %s, which loads the scripts of this instance',
    async (path) => {
      const html = await (await send(`${path}?redirect_url=${APP}`)).text();
      expect(html).toContain(`data-clerk-publishable-key="${instance.emulator.publishableKey}"`);
      expect(html).toContain(`data-clerk-proxy-url="${instance.url}"`);
      expect(html).toContain(`data-home="${APP}"`);
    },
  );

  test('the OAuth provider asks only while the request is open', async () => {
    const { body } = await instance.openBrowser().post('/v1/client/sign_ins', {
      strategy: 'oauth_custom_postbox',
      redirect_url: `${APP}/sign-in`,
    });
    const consent = await fetch(body.response.first_factor_verification.external_verification_redirect_url);
    expect(await consent.text()).toContain('<h1>Continue with Postbox</h1>');
    for (const state of ['', 'oau_unknown', '%00']) {
      const expired = await send(`/oauth/authorize?state=${state}`);
      expect([expired.status, await expired.text()]).toEqual([404, expect.stringContaining('has expired')]);
    }
  });
});

test('the key of the session tokens is published where browsers look for it', async () => {
  const { keys } = await (await send('/.well-known/jwks.json')).json();
  expect(keys).toEqual([expect.objectContaining({ kty: 'RSA', alg: 'RS256', kid: expect.stringMatching(/^ins_/) })]);
  expect(keys[0]).not.toHaveProperty('d');
});
