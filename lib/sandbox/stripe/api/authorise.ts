import 'server-only';
import { createHash, timingSafeEqual } from 'node:crypto';
import { requireSandboxEnv } from '../../env';
import { StripeFault } from './stripe-fault';

/** Only the secret key of this local run opens the API: as a bearer token, or as the user name of basic authentication. */
export function authorise(header: string | null): void {
  const given = keyFrom(header ?? '');
  if (!given) {
    throw new StripeFault(401, {
      type: 'invalid_request_error',
      message: 'You did not provide an API key. Provide it in the Authorization header, using Bearer auth.',
    });
  }
  if (!isSame(given, requireSandboxEnv('STRIPE_SECRET_KEY'))) {
    throw new StripeFault(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' });
  }
}

function keyFrom(header: string): string {
  const [scheme, value = ''] = header.split(' ');
  if (scheme?.toLowerCase() === 'bearer') return value;
  if (scheme?.toLowerCase() !== 'basic') return '';
  return Buffer.from(value, 'base64').toString().split(':')[0] ?? '';
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));
