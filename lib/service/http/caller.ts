import 'server-only';
import { isIPv4, isIPv6 } from 'node:net';
import { hashSecret } from '../api-key';
import { serviceEnv } from '../env';

/** Who calls an endpoint, and when. */
export type Caller = {
  /** §5: with any Authorization header the caller is a server; a wrong key gets a 401 and is never treated as a browser. */
  credentials: { mode: 'browser' } | { mode: 'server'; keyHash: string };
  /** The network for the rate limit, see `clientAddress`; never stored with a record. */
  address: string;
  now: Date;
};

const BEARER = /^Bearer +(\S+)$/i;

export function readCaller(request: Request): Caller {
  const authorization = request.headers.get('authorization');
  return {
    credentials:
      authorization === null
        ? { mode: 'browser' }
        : { mode: 'server', keyHash: hashSecret(BEARER.exec(authorization)?.[1] ?? '') },
    address: clientAddress(request.headers.get('x-forwarded-for'), serviceEnv().TRUSTED_PROXIES),
    now: new Date(),
  };
}

/**
 * The network that a request comes from. Clients can forge `X-Forwarded-For`, and each proxy appends the address it saw, so only
 * the last entries can be trusted: with up to one proxy of your own the last entry (without one, `npm start` or the platform
 * writes it from the socket), with two the entry before it, and so on.
 * IPv6 by /56, since many networks give that many addresses to one customer. `unknown` if no address can be trusted.
 */
export function clientAddress(forwardedFor: string | null, trustedProxies: number): string {
  const entries = (forwardedFor ?? '').split(',').map((entry) => entry.trim());
  const entry = entries.at(-Math.max(1, trustedProxies)) ?? '';
  const address = entry.replace(/^\[([^\]]*)\](:\d+)?$/, '$1').replace(/%.*$/, '');
  const [, v4 = address.replace(/^([\d.]+):\d+$/, '$1')] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  if (isIPv4(v4)) return v4;
  return isIPv6(address) ? `${networkOf(address)}::/56` : 'unknown';
}

/** The first 56 bits of an IPv6 address, as four groups. */
function networkOf(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const missing = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(Math.max(0, missing)).fill('0'), ...groups(tail ?? '')];
  return all
    .slice(0, 4)
    .map((group, index) => (Number.parseInt(group, 16) & (index < 3 ? 0xffff : 0xff00)).toString(16))
    .join(':');
}
