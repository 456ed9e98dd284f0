// For apps whose code should not change: redirects requests to api.stripe.com to the Stripe emulator.
//   node --import @svc/emulators/register server.js          (for Next: NODE_OPTIONS='--import @svc/emulators/register')
// Stripe's SDK does not read its address from the environment. Does nothing unless STRIPE_API_URL is set, and refuses other
// machines: the calls carry the secret key.
import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';

const STRIPE = 'api.stripe.com';

/** @param {URL} target */
function redirectStripe(target) {
  const request = https.request;
  https.request = /** @type {typeof https.request} */ (
    (/** @type {any[]} */ ...args) => {
      const options = typeof args[0] === 'string' || args[0] instanceof URL ? urlOptions(...args) : args[0];
      if ((options.hostname ?? options.host) !== STRIPE) return /** @type {any} */ (request)(...args);
      const callback = args.find((argument) => typeof argument === 'function');
      const redirected = http.request(
        {
          ...options,
          protocol: 'http:',
          host: target.hostname,
          hostname: target.hostname,
          port: target.port,
          agent: undefined,
        },
        callback,
      );
      // The SDK waits for the TLS handshake before it writes.
      redirected.on('socket', (socket) => {
        if (socket.connecting) socket.once('connect', () => socket.emit('secureConnect'));
      });
      return redirected;
    }
  );
  syncBuiltinESMExports();

  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.hostname !== STRIPE) return fetch(input, init);
    const redirected = new URL(url.pathname + url.search, target);
    return fetch(input instanceof Request ? new Request(redirected, input) : redirected, init);
  };
}

/** @param {string | URL} url @param {any} [options] */
const urlOptions = (url, options) => ({
  ...http.globalAgent.options,
  hostname: new URL(url).hostname,
  path: new URL(url).pathname + new URL(url).search,
  ...(typeof options === 'object' ? options : {}),
});

if (process.env.STRIPE_API_URL) {
  const target = new URL(process.env.STRIPE_API_URL);
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(target.hostname)) {
    throw new Error(
      `STRIPE_API_URL is ${target.origin}: calls with the secret key go to emulators on this machine only. Set it to their address, such as http://localhost:3001, or unset it.`,
    );
  }
  redirectStripe(target);
}
