import { describe, expect, test } from 'vitest';
import type { Config } from '../core/config';
import { allowedOrigins, appOrigin, resolveRedirect } from './origins';

const config: Config = {
  appUrl: 'http://localhost:3000',
  url: 'http://localhost:3001',
  directory: 'memory://',
  clerkWebhook: null,
  stripeWebhooks: [],
  appName: 'Test app',
};

describe('appOrigin', () => {
  test('is the address in the address bar, on this machine', () => {
    expect(appOrigin(config, 'http://127.0.0.1:3000')).toBe('http://127.0.0.1:3000');
    expect(appOrigin(config, 'http://localhost:3000')).toBe('http://localhost:3000');
  });

  test("is the app's own for the Account Portal and for any other origin", () => {
    expect(appOrigin(config, 'http://localhost:3001')).toBe('http://localhost:3000');
    expect(appOrigin(config, 'https://evil.example')).toBe('http://localhost:3000');
    expect(appOrigin({ ...config, appUrl: 'https://app.example/' }, 'http://localhost')).toBe('https://app.example');
  });
});

describe('allowedOrigins', () => {
  test('has the other names of this machine for a local app only', () => {
    expect(allowedOrigins(config)).toContain('http://[::1]:3000');
    const remote = allowedOrigins({ ...config, appUrl: 'https://app.example', url: 'https://emulators.example' });
    expect(remote).toEqual(['https://app.example', 'https://emulators.example']);
  });
});

describe('resolveRedirect', () => {
  test('takes a path and an address of the app, and one of the Account Portal', () => {
    expect(resolveRedirect(config, '/account?x=1#y')).toBe('http://localhost:3000/account?x=1#y');
    expect(resolveRedirect(config, 'http://127.0.0.1:3000/welcome')).toBe('http://127.0.0.1:3000/welcome');
    expect(resolveRedirect(config, 'http://localhost:3001/clerk/user')).toBe('http://localhost:3001/clerk/user');
  });

  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    'http://localhost:3002/',
    'http://localhost:3000@evil.example/',
  ])('refuses %s', (target) => expect(resolveRedirect(config, target)).toBeNull());
});
