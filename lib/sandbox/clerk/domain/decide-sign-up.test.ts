import { describe, expect, test } from 'vitest';
import type { OauthFlowRecord } from '../records';
import { decideSignUp } from './decide-sign-up';

const complete = { emailAddress: 'ada@example.com', passwordHash: 'hash', verifiedAt: null, oauthFlow: null };
const now = new Date(0);
const flow: OauthFlowRecord = {
  id: 'oau_1',
  clientId: 'client_1',
  strategy: 'oauth_custom_postbox',
  redirectUrl: '/',
  completeUrl: '/',
  status: 'verified',
  errorCode: null,
  providerUserId: '1',
  emailAddress: 'ada@example.com',
  firstName: null,
  lastName: null,
  createdAt: now,
};

describe('decideSignUp', () => {
  test('an address and a password are enough', () => {
    expect(decideSignUp(complete)).toEqual({ status: 'ready', missingFields: [], unverifiedFields: [] });
  });

  test('names what is missing', () => {
    const nothing = { ...complete, emailAddress: null, passwordHash: null };
    expect(decideSignUp(nothing)).toMatchObject({
      status: 'missing_requirements',
      missingFields: ['email_address', 'password'],
    });
  });

  test('a +clerk_test address needs its code first', () => {
    const attempt = { ...complete, emailAddress: 'ada+clerk_test@example.com' };
    expect(decideSignUp(attempt)).toMatchObject({
      status: 'missing_requirements',
      unverifiedFields: ['email_address'],
    });
    expect(decideSignUp({ ...attempt, verifiedAt: now }).status).toBe('ready');
  });

  test('a provider that vouches for the address stands in for code and password', () => {
    const emailAddress = 'ada+clerk_test@example.com';
    const vouched = { ...complete, emailAddress, passwordHash: null, oauthFlow: { ...flow, emailAddress } };
    expect(decideSignUp(vouched).status).toBe('ready');
    expect(decideSignUp({ ...vouched, oauthFlow: { ...vouched.oauthFlow, status: 'unverified' } }).status).toBe(
      'missing_requirements',
    );
    expect(decideSignUp({ ...vouched, emailAddress: 'grace+clerk_test@example.com' }).status).toBe(
      'missing_requirements',
    );
  });
});
