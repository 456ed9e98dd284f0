// Makes X-Forwarded-For trustworthy in a server that no proxy stands in front of: Next fills the header only if it is
// absent, so that a client could choose its own address. Loaded before Next: node --import ./scripts/client-address.mjs …
// Where TRUSTED_PROXIES says that proxies of yours write the header, it stays.
import { Server } from 'node:http';

if (!(Number(process.env.TRUSTED_PROXIES) > 0)) {
  const { emit } = Server.prototype;
  Server.prototype.emit = function (/** @type {[event: string, ...args: any[]]} */ ...given) {
    const [event, request] = given;
    if (event === 'request' || event === 'upgrade') {
      request.headers['x-forwarded-for'] = request.socket.remoteAddress;
    }
    return Reflect.apply(emit, this, given);
  };
}
