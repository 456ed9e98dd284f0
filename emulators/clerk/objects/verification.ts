// How an email address is verified: by a code that is always the same. No email is ever sent.
import { type ClerkError, clerkErrors } from '../errors';

/** Clerk accepts this code for its own test addresses, too. */
export const TEST_CODE = '424242';
const CODE_LIFETIME_MS = 10 * 60_000;
const MAX_ATTEMPTS = 5;

/** Times are Unix milliseconds, as everywhere at Clerk. */
export type Verification = {
  object: 'verification';
  status: 'unverified' | 'verified';
  strategy: string;
  attempts: number;
  /** When the code that was sent expires; null if none was sent. */
  expire_at: number | null;
};

/**
 * Whether an address has to be verified before there is a user. A Clerk instance has a setting for it; here the address
 * decides, so that both flows can be tried: those with Clerk's subaddress `+clerk_test` need the code, all others none.
 */
export function needsCode(address: string): boolean {
  return address.split('@')[0]?.includes('+clerk_test') ?? false;
}

export const codeSent = (now: number, strategy = 'email_code'): Verification => ({
  object: 'verification',
  status: 'unverified',
  strategy,
  attempts: 0,
  expire_at: now + CODE_LIFETIME_MS,
});

export const verifiedBy = (strategy: string): Verification => ({
  object: 'verification',
  status: 'verified',
  strategy,
  attempts: 0,
  expire_at: null,
});

/** The verification after an attempt with this code, and Clerk's error if the attempt failed. */
export function attemptCode(
  code: string | null,
  sent: Verification | null,
  now: number,
): { verification: Verification | null; error: ClerkError | null } {
  if (sent?.expire_at == null) return { verification: sent, error: clerkErrors.codeNotSent() };
  if (sent.attempts >= MAX_ATTEMPTS) return { verification: sent, error: clerkErrors.codeAttemptsExhausted() };
  if (now > sent.expire_at) return { verification: sent, error: clerkErrors.codeExpired() };
  if (code === TEST_CODE) return { verification: { ...sent, status: 'verified' }, error: null };
  return { verification: { ...sent, attempts: sent.attempts + 1 }, error: clerkErrors.codeIncorrect() };
}
