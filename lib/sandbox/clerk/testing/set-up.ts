import { randomBytes } from 'node:crypto';
import { generateSandboxSecrets } from '../../switch.mjs';
import { ORIGIN } from './browser';

/** Gives a test file the secrets that a local run generates. */
export function setUpClerk(): void {
  Object.assign(process.env, generateSandboxSecrets({}), { APP_URL: ORIGIN, SANDBOX: 'on' });
}

/** An address that no other test uses. */
export const newAddress = (tag = '') => `t${randomBytes(8).toString('hex')}${tag}@example.com`;
