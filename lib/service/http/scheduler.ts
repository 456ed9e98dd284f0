import 'server-only';
import { hashSecret, isSameHash } from '../api-key';
import { serviceEnv } from '../env';
import { type Refusal, refuse } from '../errors';
import { log } from '../log';

/** Null for your scheduler or scraper: `Authorization: Bearer <CRON_SECRET>`. Without a secret, every request is refused. */
export function checkScheduler(request: Request): Refusal | null {
  const given = request.headers.get('authorization') ?? ''; // read first, so that the route is not prerendered at build time
  const secret = serviceEnv().CRON_SECRET;
  if (secret && isSameHash(hashSecret(given), hashSecret(`Bearer ${secret}`))) return null;
  if (given) {
    const reason = secret ? 'its Authorization is not Bearer CRON_SECRET' : 'CRON_SECRET is not set';
    log.warn(`a scheduled call was refused: ${reason}`, { path: new URL(request.url).pathname });
  }
  return refuse('invalid_api_key', 'Send CRON_SECRET as "Authorization: Bearer <CRON_SECRET>".');
}
