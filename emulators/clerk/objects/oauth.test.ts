import { describe, expect, test } from 'vitest';
import { decideOauth, isOpen } from './oauth';

const visit = { isGranted: true, ownerId: null, signedInId: null } as const;

describe('decideOauth', () => {
  test('a sign-in of a new person can be transferred to a sign-up', () => {
    expect(decideOauth({ ...visit, purpose: 'sign_in' })).toEqual({
      kind: 'transferable',
      errorCode: 'external_account_not_found',
    });
  });

  test('a sign-up of a known user can be transferred to a sign-in', () => {
    expect(decideOauth({ ...visit, purpose: 'sign_up', ownerId: 'user_1' })).toEqual({
      kind: 'transferable',
      errorCode: 'external_account_exists',
    });
  });

  test('a sign-in of a known user and a sign-up of a new person complete', () => {
    expect(decideOauth({ ...visit, purpose: 'sign_in', ownerId: 'user_1' })).toEqual({
      kind: 'sign_in',
      userId: 'user_1',
    });
    expect(decideOauth({ ...visit, purpose: 'sign_up' })).toEqual({ kind: 'sign_up' });
  });

  test("connecting takes a free account or the user's own, and no other user's", () => {
    const connect = { ...visit, purpose: 'connect', signedInId: 'user_1' } as const;
    expect(decideOauth(connect)).toEqual({ kind: 'connect', userId: 'user_1' });
    expect(decideOauth({ ...connect, ownerId: 'user_1' })).toEqual({ kind: 'connect', userId: 'user_1' });
    expect(decideOauth({ ...connect, ownerId: 'user_2' })).toMatchObject({ kind: 'failed' });
    expect(decideOauth({ ...connect, signedInId: null })).toMatchObject({ kind: 'failed' });
  });

  test('what the person has not granted fails', () => {
    for (const purpose of ['sign_in', 'sign_up', 'connect'] as const) {
      const outcome = decideOauth({ purpose, isGranted: false, ownerId: 'user_1', signedInId: 'user_1' });
      expect(outcome).toEqual({ kind: 'failed', errorCode: 'oauth_access_denied' });
    }
  });
});

test('a flow is open for ten minutes, and until it has finished', () => {
  const flow = { status: 'unverified', created_at: 0 } as const;
  expect(isOpen(flow, 600_000)).toBe(true);
  expect(isOpen(flow, 600_001)).toBe(false);
  expect(isOpen({ ...flow, status: 'verified' }, 1)).toBe(false);
});
