import { describe, expect, test } from 'vitest';
import { decideSignUp } from './sign-up';
import { codeSent, verifiedBy } from './verification';

const complete = { email_address: 'ada@example.com', has_password: true, verification: null };
const profile = {
  provider_user_id: '1',
  email_address: 'ada+clerk_test@example.com',
  first_name: null,
  last_name: null,
};

describe('decideSignUp', () => {
  test('an address and a password are enough', () => {
    expect(decideSignUp(complete, null)).toEqual({ isReady: true, missingFields: [], unverifiedFields: [] });
  });

  test('names what is missing', () => {
    const nothing = { ...complete, email_address: null, has_password: false };
    expect(decideSignUp(nothing, null)).toMatchObject({
      isReady: false,
      missingFields: ['email_address', 'password'],
    });
  });

  test('a +clerk_test address needs its code first', () => {
    const attempt = { ...complete, email_address: 'ada+clerk_test@example.com' };
    expect(decideSignUp(attempt, null)).toMatchObject({ isReady: false, unverifiedFields: ['email_address'] });
    expect(decideSignUp({ ...attempt, verification: codeSent(0) }, null).isReady).toBe(false);
    expect(decideSignUp({ ...attempt, verification: verifiedBy('email_code') }, null).isReady).toBe(true);
  });

  test('where a provider confirms the address, neither code nor password is needed', () => {
    const attempt = { ...complete, email_address: profile.email_address, has_password: false };
    expect(decideSignUp(attempt, { status: 'verified', profile }).isReady).toBe(true);
    expect(decideSignUp(attempt, { status: 'unverified', profile }).isReady).toBe(false);
    const other = { ...attempt, email_address: 'grace+clerk_test@example.com' };
    expect(decideSignUp(other, { status: 'verified', profile }).isReady).toBe(false);
  });
});
