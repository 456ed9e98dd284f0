// For apps whose code should not change: redirects requests to Stripe and to api.clerk.com to the emulators.
//   node --import @svc/emulators/register server.js          (for Next: NODE_OPTIONS='--import @svc/emulators/register')
// Stripe's SDK does not read its address from the environment, and @clerk/nextjs is the only Clerk package that does. This redirects
// nothing unless STRIPE_API_URL or CLERK_API_URL is set, and refuses other machines: the calls carry the secret key.
import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';

const STRIPE = ['api.stripe.com', 'files.stripe.com', 'connect.stripe.com'];
const CLERK = ['api.clerk.com'];

/** Clients that are built on Node's own, as Stripe's is. @param {URL} target */
function redirectStripe(target) {
  const request = https.request;
  const host = target.hostname.replace(/^\[|\]$/g, ''); // Node connects to an IPv6 address without its brackets
  https.request = /** @type {typeof https.request} */ (
    (/** @type {any[]} */ ...args) => {
      const options = typeof args[0] === 'string' || args[0] instanceof URL ? urlOptions(...args) : args[0];
      if (!STRIPE.includes(options.hostname ?? options.host)) return /** @type {any} */ (request)(...args);
      const callback = args.find((argument) => typeof argument === 'function');
      const { port } = target;
      const redirected = http.request(
        { ...options, protocol: 'http:', host, hostname: host, port, agent: undefined },
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
}

/** Before Clerk's SDK is loaded, which keeps `fetch` as it finds it. @param {string[]} hosts @param {URL} target */
function redirectFetch(hosts, target) {
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (!hosts.includes(url.hostname)) return fetch(input, init);
    // Not resolved against `target`: a path that begins with two slashes would name another host.
    const redirected = new URL(target.origin + target.pathname.replace(/\/$/, '') + url.pathname + url.search);
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

/** @param {'STRIPE_API_URL' | 'CLERK_API_URL'} name @param {string} example */
function readTarget(name, example) {
  const address = process.env[name];
  if (!address) return null;
  const target = new URL(address);
  if (/^(localhost|127(\.\d+){3}|\[::1\])$/.test(target.hostname)) return target;
  throw new Error(
    `${name} is ${target.origin}: calls with the secret key go to emulators on this machine only. Set it to their address, such as ${example}, or unset it.`,
  );
}

const stripe = readTarget('STRIPE_API_URL', 'http://localhost:3001');
const clerk = readTarget('CLERK_API_URL', 'http://localhost:3001/clerk');
if (stripe) {
  redirectStripe(stripe);
  redirectFetch(STRIPE, stripe);
}
if (clerk) redirectFetch(CLERK, clerk);
