import { getCookieSuffix } from '@clerk/shared/keys';
import { describe, expect, test } from 'vitest';
import { clientCookie, clientCookieName, clientUatCookies, cookieSuffix, sessionCookies } from './cookies';
import { useInstance } from './testing/instance';

const instance = useInstance();

describe('cookies', () => {
  test("have the suffix that Clerk's own code computes from the publishable key", async () => {
    for (const key of ['pk_live_Y2xlcmsuc2FuZGJveC50ZXN0JA==', instance.emulator.publishableKey]) {
      expect(cookieSuffix(key)).toBe(await getCookieSuffix(key));
    }
  });

  test('say when the browser signed in, in whole seconds, and 0 where it is signed out', () => {
    const suffix = cookieSuffix(instance.emulator.publishableKey);
    expect(clientUatCookies(instance.emulator, 1_700_000_000_999)).toEqual([
      '__client_uat=1700000000; Max-Age=31536000; Path=/; SameSite=Lax',
      `__client_uat_${suffix}=1700000000; Max-Age=31536000; Path=/; SameSite=Lax`,
    ]);
    expect(clientUatCookies(instance.emulator, null)[0]).toContain('__client_uat=0;');
  });

  test('of a session that has ended are removed under both names', () => {
    const suffix = cookieSuffix(instance.emulator.publishableKey);
    expect(sessionCookies(instance.emulator, null).map((line) => line.split('; ').slice(0, 2))).toEqual([
      ['__session=', 'Max-Age=0'],
      [`__session_${suffix}=`, 'Max-Age=0'],
    ]);
  });

  test('of the client cannot be read by scripts, and have a name of their own in every instance', () => {
    const line = clientCookie(instance.emulator, 'token');
    expect(line).toMatch(/^__client_[\w-]{8}=token; .*HttpOnly/);
    const other = { ...instance.emulator, publishableKey: 'pk_live_other' };
    expect(clientCookieName(other)).not.toBe(clientCookieName(instance.emulator));
  });

  test('are Secure on https, and only there', () => {
    const { emulator } = instance;
    const onHttps = { ...emulator, config: { ...emulator.config, url: 'https://emulators.example' } };
    expect(sessionCookies(onHttps, 'jwt')).toEqual([
      expect.stringContaining('; Secure'),
      expect.stringContaining('; Secure'),
    ]);
    expect(clientCookie(emulator, 'token')).not.toContain('Secure');
  });
});
