import { getCookieSuffix } from '@clerk/shared/keys';
import { describe, expect, test } from 'vitest';
import { clientCookie, clientUatCookies, cookieSuffix, readCookie, sessionCookies } from './cookies';

describe('cookies', () => {
  test("have the suffix that Clerk's own code computes from the publishable key", async () => {
    for (const key of ['pk_live_Y2xlcmsuc2FuZGJveC50ZXN0JA==', 'pk_test_YWJjLmV4YW1wbGUuY29tJA']) {
      expect(cookieSuffix(key)).toBe(await getCookieSuffix(key));
    }
  });

  test('say when the browser signed in, in whole seconds, and 0 where it is signed out', () => {
    const [plain, suffixed] = clientUatCookies(new Date(1_700_000_000_999), 'abc', false);
    expect(plain).toBe('__client_uat=1700000000; Path=/; SameSite=Lax; Max-Age=31536000');
    expect(suffixed).toContain('__client_uat_abc=1700000000;');
    expect(clientUatCookies(null, 'abc', false)[0]).toContain('__client_uat=0;');
  });

  test('of the client cannot be read by scripts; all are Secure on https', () => {
    expect(clientCookie('token', false)).toContain('; HttpOnly');
    expect(clientCookie('token', false)).not.toContain('Secure');
    expect(clientCookie('token', true)).toContain('; Secure');
    expect(sessionCookies('jwt', 'abc', true).every((cookie) => cookie.includes('; Secure'))).toBe(true);
  });

  test('of a session that is over are removed under both names', () => {
    expect(sessionCookies(null, 'abc', false)).toEqual([
      '__session=; Path=/; SameSite=Lax; Max-Age=0',
      '__session_abc=; Path=/; SameSite=Lax; Max-Age=0',
    ]);
  });

  test('are read by their whole name', () => {
    const request = new Request('http://localhost', {
      headers: { cookie: 'x__client=1; __client_uat=2; __client=a=b' },
    });
    expect(readCookie(request, '__client')).toBe('a=b');
    expect(readCookie(request, '__session')).toBeNull();
  });
});
