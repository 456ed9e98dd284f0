import 'server-only';
import { hashSecret, isSameHash } from '../api-key';
import { serviceEnv } from '../env';
import { type Refusal, refuse } from '../errors';

/** Null for your scheduler or scraper: `Authorization: Bearer <CRON_SECRET>`. Without a secret, every request is refused. */
export function checkScheduler(request: Request): Refusal | null {
  const given = request.headers.get('authorization') ?? ''; // read first, so that the route is not prerendered at build time
  const secret = serviceEnv().CRON_SECRET;
  if (secret && isSameHash(hashSecret(given), hashSecret(`Bearer ${secret}`))) return null;
  return refuse('invalid_api_key', 'Send CRON_SECRET as "Authorization: Bearer <CRON_SECRET>".');
}
