import { describe, expect, test } from 'vitest';
import { database } from '@/prisma/client';
import { aProgram, type TestProgram } from '@/tests/support/program';
import { unique } from '@/tests/support/unique';
import { hashSecret } from './api-key';
import { findAccessByKey } from './dashboard/session-queries';
import { readCursor } from './events/cursor';
import type { Caller } from './http/caller';
import { authenticate } from './http/check-caller';
import { createKey, grantableBy, KEY_ACCESS, listKeys, revokeKey, rotateKey } from './keys';

const NOW = new Date('2025-11-21T12:00:00Z'); // long over: a call in the future would forget what other tests have counted
const HOUR = 3_600_000;
const later = (hours: number) => new Date(NOW.getTime() + hours * HOUR);

const idOf = async (programId: string, apiKey: string | null) =>
  (await database().apiKey.findFirstOrThrow({ where: { programId, hash: hashSecret(apiKey ?? '') } })).id;
const opensDashboard = async (apiKey: string | null, at = NOW) =>
  (await findAccessByKey(hashSecret(apiKey ?? ''), at)) !== null;
const opensApi = async (apiKey: string | null, at = NOW) => {
  const caller: Caller = {
    credentials: { mode: 'server', keyHash: hashSecret(apiKey ?? '') },
    address: unique('a'),
    now: at,
  };
  return (await authenticate(caller)).ok;
};

describe('rotating', () => {
  test('leaves the old key working until the overlap ends', async () => {
    const { programId, apiKey } = await aProgram();
    const id = await idOf(programId, apiKey);
    const fresh = await rotateKey(programId, id, later(24), KEY_ACCESS);
    expect(await opensDashboard(apiKey, later(23))).toBe(true);
    expect(await opensDashboard(apiKey, later(24))).toBe(false);
    expect(await opensApi(apiKey, later(24))).toBe(false);
    expect(await opensApi(fresh, later(100))).toBe(true);
    expect(await rotateKey(programId, id, later(24), KEY_ACCESS), 'a key is rotated once').toBeNull();
  });

  test('keeps what the key opens', async () => {
    const { programId } = await aProgram();
    const key = await createKey(programId, 'Server', 'api');
    const fresh = await rotateKey(programId, await idOf(programId, key), later(24), KEY_ACCESS);
    expect([await opensApi(fresh), await opensDashboard(fresh)]).toEqual([true, false]);
  });
});

describe('a key hands out no key that opens more than itself', () => {
  test.each([
    ['full', 'full', true],
    ['full', 'api', true],
    ['full', 'dashboard', true],
    ['dashboard', 'full', false],
    ['dashboard', 'api', false],
    ['dashboard', 'dashboard', true],
  ] as const)('%s rotates %s: %s', async (own, other, allowed) => {
    const { programId } = await aProgram();
    const id = await idOf(programId, await createKey(programId, 'Other', other));
    const fresh = await rotateKey(programId, id, later(24), grantableBy(own));
    expect(fresh !== null).toBe(allowed);
    expect(await database().apiKey.count({ where: { programId, label: 'Other' } })).toBe(allowed ? 2 : 1);
    expect(grantableBy(own).includes(other)).toBe(allowed);
  });

  test('a session knows what its key opens', async () => {
    const { programId } = await aProgram();
    const key = await createKey(programId, 'Analyst', 'dashboard');
    expect(await findAccessByKey(hashSecret(key ?? ''), NOW)).toMatchObject({ programId, keyAccess: 'dashboard' });
  });
});

describe('the last key that opens the dashboard for good is never lost', () => {
  test('it cannot be revoked, nor can a key of another program', async () => {
    const [one, other] = [await aProgram(), await aProgram()];
    const only = await idOf(one.programId, one.apiKey);
    expect(await revokeKey(one.programId, only, NOW)).toBe('last_key');
    await createKey(one.programId, 'Second');
    await createKey(other.programId, 'Second');
    expect(await revokeKey(other.programId, only, NOW)).toBe('not_found');
    expect(await rotateKey(other.programId, only, later(24), KEY_ACCESS)).toBeNull();
    expect(await revokeKey(one.programId, only, NOW)).toBe('revoked');
    expect(await revokeKey(one.programId, only, NOW), 'as after another tab').toBe('not_found');
  });

  test('also not after a rotation, when the old key still works but ends by itself', async () => {
    const { programId, apiKey } = await aProgram();
    const fresh = await rotateKey(programId, await idOf(programId, apiKey), later(24), KEY_ACCESS);
    expect(await revokeKey(programId, await idOf(programId, fresh), NOW)).toBe('last_key');
    expect(await opensDashboard(fresh, later(100))).toBe(true);
  });

  test('a key for the API alone does not count', async () => {
    const { programId, apiKey } = await aProgram();
    await createKey(programId, 'Server', 'api');
    expect(await revokeKey(programId, await idOf(programId, apiKey), NOW)).toBe('last_key');
  });

  test('not even where all keys are revoked, or rotated and revoked, at once', async () => {
    const { programId, apiKey } = await aProgram();
    const keys = [apiKey, ...(await Promise.all(Array.from({ length: 9 }, () => createKey(programId, 'Another'))))];
    const ids = await Promise.all(keys.map((key) => idOf(programId, key)));
    const revoked = await Promise.all([
      ...ids.map((id) => revokeKey(programId, id, NOW)),
      rotateKey(programId, ids[0] ?? '', later(24), KEY_ACCESS),
    ]);
    expect(revoked.filter((result) => result === 'revoked').length).toBeGreaterThanOrEqual(9);
    expect(await database().apiKey.count({ where: { programId, revokedAt: null, expiresAt: null } })).toBe(1);
  });
});

describe('keys of the servers and of the dashboard are separable', () => {
  test.each([
    ['full', true, true],
    ['api', true, false],
    ['dashboard', false, true],
  ] as const)('a key with %s access opens the API: %s, the dashboard: %s', async (access, api, dashboard) => {
    const { programId }: TestProgram = await aProgram();
    const key = await createKey(programId, 'New', access);
    expect([await opensApi(key), await opensDashboard(key)]).toEqual([api, dashboard]);
  });
});

test('all keys are listed, page by page, newest first', async () => {
  const { programId } = await aProgram();
  for (let i = 0; i < 24; i++) await createKey(programId, `Key ${i}`);
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await listKeys(programId, NOW, { after: readCursor(cursor) ?? undefined, limit: 10 });
    seen.push(...page.apiKeys.map(({ label }) => label));
    cursor = page.nextCursor;
  } while (cursor);
  expect(seen).toHaveLength(25);
  expect(new Set(seen).size).toBe(25);
  expect(seen.at(-1)).toBe('First key');
});

test('the database holds no key', async () => {
  const { programId } = await aProgram();
  const key = await createKey(programId, 'Hidden');
  const rows = await database().apiKey.findMany({ where: { programId } });
  expect(key).toMatch(/^svc_sk_/);
  expect(JSON.stringify(rows)).not.toContain(key);
});

test('a program that does not exist gets no key', async () => {
  expect(await createKey(unique('prg'), 'None')).toBeNull();
});
