import { describe, expect, test } from 'vitest';
import { newUserOf } from './report-signup';

const createdAt = new Date('2026-11-21T12:00:00Z');
const later = (seconds: number) => new Date(createdAt.getTime() + seconds * 1000);
const user = { id: 'user_1', createdAt, primaryEmailAddress: { emailAddress: 'ada@example.com' } };
const session = { createdAt: later(1) };

describe('§4, step 5: signup() belongs to the page a new user lands on after registration', () => {
  test('a user in the session that registration started is reported, with ID and email address', () => {
    expect(newUserOf(user, session)).toEqual({ userId: 'user_1', email: 'ada@example.com' });
  });

  test('it waits for the user and the session', () => {
    expect(newUserOf(undefined, undefined)).toBeNull();
    expect(newUserOf(null, session)).toBeNull();
    expect(newUserOf(user, undefined)).toBeNull();
    expect(newUserOf(user, null)).toBeNull();
  });

  test('it waits for an email address', () => {
    expect(newUserOf({ ...user, primaryEmailAddress: null }, session)).toBeNull();
    expect(newUserOf({ ...user, primaryEmailAddress: { emailAddress: '' } }, session)).toBeNull();
  });

  test('a user who signed in later is not new', () => {
    expect(newUserOf(user, { createdAt: later(59) })).not.toBeNull();
    expect(newUserOf(user, { createdAt: later(60) })).toBeNull();
  });

  test('neither is one whose age is not known', () => {
    expect(newUserOf({ ...user, createdAt: null }, session)).toBeNull();
  });
});
