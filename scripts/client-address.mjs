// Makes X-Forwarded-For trustworthy in a server that no proxy stands in front of: Next fills the header only if it is
// absent, so that a client could choose its own address. Loaded before Next: node --import ./scripts/client-address.mjs …
// Where TRUSTED_PROXIES says that proxies of yours write the header, it stays.
import { Server } from 'node:http';

/** Loopback, private and carriers' shared addresses: public visitors have none of them. */
const PRIVATE =
  /^(::ffff:)?(127|10|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|^::1$|^f[cd]/;

let isWarned = false;

/** @param {string | string[] | undefined} header @param {string} address */
function warnOfProxy(header, address) {
  if (isWarned || header === undefined || !PRIVATE.test(address)) return;
  isWarned = true;
  console.warn(
    `Requests come from ${address} with X-Forwarded-For, as through a proxy. If there is one, set TRUSTED_PROXIES to how many ` +
      'addresses your proxies append to it, or all visitors share one rate limit, and clicks are lost. Without one, a client forged ' +
      'the header.',
  );
}

if (!(Number(process.env.TRUSTED_PROXIES) > 0)) {
  const { emit } = Server.prototype;
  Server.prototype.emit = function (/** @type {[event: string, ...args: any[]]} */ ...given) {
    const [event, request] = given;
    if (event === 'request' || event === 'upgrade') {
      warnOfProxy(request.headers['x-forwarded-for'], request.socket.remoteAddress ?? '');
      request.headers['x-forwarded-for'] = request.socket.remoteAddress;
    }
    return Reflect.apply(emit, this, given);
  };
}
