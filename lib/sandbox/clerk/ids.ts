import 'server-only';
import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 27;

export type IdPrefix =
  | 'user'
  | 'idn'
  | 'eac'
  | 'client'
  | 'sess'
  | 'sia'
  | 'sua'
  | 'oau'
  | 'sit'
  | 'tst'
  | 'msg'
  | 'trace';

/** An ID in Clerk's form: a prefix and 27 letters or digits. */
export function createId(prefix: IdPrefix): string {
  const letters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]);
  return `${prefix}_${letters.join('')}`;
}
