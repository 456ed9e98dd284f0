import 'server-only';
import { createHash, timingSafeEqual } from 'node:crypto';
import { appEnv } from '@/lib/integration/env';

/** Whether the request comes from your scheduler: `Authorization: Bearer <CRON_SECRET>`. Without a secret nobody's does. */
export function isCron(request: Request): boolean {
  const given = request.headers.get('authorization') ?? ''; // read first: a build then leaves the route to run time
  const secret = appEnv().CRON_SECRET;
  if (!secret) return false;
  // Hashes have one length, so that the comparison takes the same time for every guess.
  return timingSafeEqual(hash(given), hash(`Bearer ${secret}`));
}

const hash = (text: string) => createHash('sha256').update(text).digest();
