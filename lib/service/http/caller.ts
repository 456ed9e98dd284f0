import { hashSecret } from '../api-key.ts';

/** Who calls an endpoint, and when. */
export type Caller = {
  /** §5: with any Authorization header the caller is a server; a wrong one is 401, never taken for a browser. */
  credentials: { mode: 'browser' } | { mode: 'server'; keyHash: string };
  /** Where the request comes from, as the hosting platform states it; only counted, never stored with a record. */
  address: string;
  now: Date;
};

const BEARER = /^Bearer +(\S+)$/i;

export function readCaller(request: Request): Caller {
  const authorization = request.headers.get('authorization');
  const forwarded = request.headers.get('x-forwarded-for')?.split(',')[0]?.trim();
  return {
    credentials:
      authorization === null
        ? { mode: 'browser' }
        : { mode: 'server', keyHash: hashSecret(BEARER.exec(authorization)?.[1] ?? '') },
    address: forwarded?.slice(0, 64) || 'unknown',
    now: new Date(),
  };
}
