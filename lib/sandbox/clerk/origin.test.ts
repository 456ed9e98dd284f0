import { describe, expect, test } from 'vitest';
import { readOrigin, resolveRedirect } from './origin';

const from = (host: string) => new Request('http://internal/', { headers: { host } });

describe('readOrigin', () => {
  test('is the address in the address bar, on this machine', () => {
    expect(readOrigin(from('127.0.0.1:3000'), 'http://localhost:3000')).toBe('http://127.0.0.1:3000');
    expect(readOrigin(from('localhost:3000'), 'http://localhost:3000')).toBe('http://localhost:3000');
  });

  test('is APP_URL for any other Host header, so a forged one changes nothing', () => {
    expect(readOrigin(from('evil.example'), 'http://localhost:3000')).toBe('http://localhost:3000');
    expect(readOrigin(from('localhost:3000'), 'https://preview.example')).toBe('https://preview.example');
    expect(readOrigin(from('not a host'), 'https://preview.example')).toBe('https://preview.example');
  });
});

describe('resolveRedirect', () => {
  const origin = 'http://localhost:3000';

  test('takes a path and an address of the app', () => {
    expect(resolveRedirect('/account?x=1#y', origin)).toBe(`${origin}/account?x=1#y`);
    expect(resolveRedirect(`${origin}/welcome`, origin)).toBe(`${origin}/welcome`);
  });

  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    'http://localhost:3001/',
  ])('refuses %s', (target) => expect(resolveRedirect(target, origin)).toBeNull());
});
