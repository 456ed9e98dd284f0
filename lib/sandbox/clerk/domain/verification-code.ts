import { clerkErrors } from '../errors';

/** The code that Clerk accepts for its test addresses, too. No e-mail is ever sent. */
export const TEST_CODE = '424242';
const LIFETIME_MS = 10 * 60_000;
const MAX_ATTEMPTS = 5;

/**
 * Which addresses have to be verified: those with Clerk's `+clerk_test` subaddress, for instance
 * `ada+clerk_test@example.com`. All others count as verified at once (docs/decisions/0041).
 */
export function needsCode(address: string): boolean {
  return address.split('@')[0]?.includes('+clerk_test') ?? false;
}

export function codeExpiresAt(sentAt: Date): Date {
  return new Date(sentAt.getTime() + LIFETIME_MS);
}

/** Returns on the right code; throws Clerk's error otherwise. `attempts` counts the failed ones before this. */
export function checkCode(code: string | null, sent: { codeSentAt: Date | null; attempts: number }, now: Date): void {
  if (!sent.codeSentAt) throw clerkErrors.codeNotSent();
  if (sent.attempts >= MAX_ATTEMPTS) throw clerkErrors.codeAttemptsExhausted();
  if (now > codeExpiresAt(sent.codeSentAt)) throw clerkErrors.codeExpired();
  if (code !== TEST_CODE) throw clerkErrors.codeIncorrect();
}
