import { hashSecret, isSameHash } from '../api-key.ts';
import { serviceEnv } from '../env.ts';
import { type Refusal, refuse } from '../errors.ts';

/** Whether your scheduler or scraper sent the request: `Authorization: Bearer <CRON_SECRET>`. Without a secret, no request is accepted. */
export function isScheduler(request: Request): boolean {
  const given = request.headers.get('authorization') ?? ''; // read first, so that the route is not prerendered at build time
  const secret = serviceEnv().CRON_SECRET;
  return Boolean(secret) && isSameHash(hashSecret(given), hashSecret(`Bearer ${secret}`));
}

export const refuseScheduler = (): Refusal =>
  refuse('invalid_api_key', 'Send CRON_SECRET as "Authorization: Bearer <CRON_SECRET>".');
