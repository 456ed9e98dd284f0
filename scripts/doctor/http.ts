// How doctor asks over HTTP: with a limit, and with a sentence if there is no response.
import { isLocal } from '@/lib/integration/env-rules';
import { Obstacle } from './report';

const LIMIT_MS = 10_000;
/** `next dev` compiles a page when it is first asked for. */
const LOCAL_LIMIT_MS = 60_000;

/** @throws Obstacle if there is no response in time */
export async function ask(url: string | URL, init: RequestInit = {}, action = 'Check the address.'): Promise<Response> {
  const limit = isLocal(String(url)) ? LOCAL_LIMIT_MS : LIMIT_MS;
  try {
    return await fetch(url, { redirect: 'manual', ...init, signal: AbortSignal.timeout(limit) });
  } catch (error) {
    const { origin } = new URL(url);
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    throw new Obstacle(`no response ${isLate ? `within ${limit / 1000} s ` : ''}from ${origin}.`, action);
  }
}

export const postJson = (url: string | URL, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  ask(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** Whole seconds by which this machine's clock is ahead of a server's; null if the server does not say its time. */
export function skewSeconds(response: Pick<Response, 'headers'>, now: Date): number | null {
  const time = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(time) ? null : Math.round((now.getTime() - time) / 1000);
}
