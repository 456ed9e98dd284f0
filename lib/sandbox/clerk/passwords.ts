import 'server-only';
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const derive = promisify<string, Buffer, number, Buffer>(scrypt);
const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** A scrypt hash with its own salt, as `salt:key` in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const key = await derive(password, salt, KEY_BYTES);
  return `${salt.toString('base64url')}:${key.toString('base64url')}`;
}

export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [salt = '', key = ''] = hash.split(':');
  const expected = Buffer.from(key, 'base64url');
  const actual = await derive(password, Buffer.from(salt, 'base64url'), KEY_BYTES);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
