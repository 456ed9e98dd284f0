import 'server-only';
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new program API key. Show it once; keep only `hashSecret(key)`. */
export const generateApiKey = (): string => `svc_sk_${randomBytes(24).toString('base64url')}`;

/** SHA-256, hexadecimal. Keys are long and random, so a slow hash would add nothing. */
export const hashSecret = (secret: string): string => hash('sha256', secret);

/** Compares two hashes in constant time. */
export function isSameHash(a: string, b: string): boolean {
  const left = Buffer.from(a, 'hex');
  const right = Buffer.from(b, 'hex');
  return left.length === right.length && timingSafeEqual(left, right);
}
