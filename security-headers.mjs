// Response headers for every page and route, from the addresses of the providers.
import { isLoopback } from './provider-addresses.mjs';

/** @typedef {Record<string, string | undefined>} Environment */

/** Clerk's Frontend API host, which the publishable key contains. @param {string} publishableKey */
function hostInKey(publishableKey) {
  const encoded = /^pk_(?:test|live)_([A-Za-z0-9+/=_-]+)$/.exec(publishableKey)?.[1] ?? '';
  const host = Buffer.from(encoded, 'base64').toString().replace(/\$$/, '');
  if (/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(host)) return host;
  throw new Error(
    'NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY is malformed: it has to be pk_test_… or pk_live_…, with the host of your Clerk ' +
      'instance in it. Where to find it: Clerk dashboard, API keys.',
  );
}

/**
 * Where the browser reaches Clerk: your own addresses if they are absolute, and Clerk's hosts, even behind your own proxy, which
 * covers only its Frontend API. A Clerk on this machine needs no other host.
 * https://clerk.com/docs/guides/secure/best-practices/csp-headers
 * @param {Environment} env
 */
function clerkSources(env) {
  const addresses = ['NEXT_PUBLIC_CLERK_PROXY_URL', 'NEXT_PUBLIC_CLERK_JS_URL', 'NEXT_PUBLIC_CLERK_UI_URL']
    .map((name) => env[name] ?? '')
    .filter((address) => /^https?:/.test(address));
  const own = [...new Set(addresses.map((address) => new URL(address).origin))];
  const { NEXT_PUBLIC_CLERK_PROXY_URL: proxy = '', NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: key } = env;
  if (isLoopback(proxy)) return { scripts: own, connections: own, images: own, frames: [], redirects: own };
  if (!key) return { scripts: [], connections: [], images: [], frames: [], redirects: [] };
  const api = proxy ? own : [...own, `https://${hostInKey(key)}`];
  const telemetry = env.NEXT_PUBLIC_CLERK_TELEMETRY_DISABLED
    ? []
    : ['https://clerk-telemetry.com', 'https://*.clerk-telemetry.com'];
  const challenges = ['https://*.protect.clerk.com', 'https://challenges.cloudflare.com'];
  return {
    scripts: [...api, ...challenges],
    connections: [...api, 'https://*.protect.clerk.com:*', 'https://img.clerk.com', ...telemetry],
    images: [...own, 'https://img.clerk.com'],
    frames: challenges,
    redirects: api,
  };
}

const STRIPE_API = 'https://api.stripe.com';

/** Hosts to which our forms may redirect: the hosted checkout page and the billing portal. @param {Environment} env */
function checkoutOrigins(env) {
  const custom = (env.CHECKOUT_ORIGINS ?? '').split(',').map((origin) => origin.trim());
  const api = new URL(env.STRIPE_API_URL || STRIPE_API).origin;
  const hosted = api === STRIPE_API ? ['https://checkout.stripe.com', 'https://billing.stripe.com'] : [api];
  return [...hosted, ...custom.filter(Boolean).map((origin) => new URL(origin).origin)];
}

/**
 * The Content-Security-Policy. Inline scripts are allowed, because static pages contain React's inline data and a nonce would make
 * every page dynamic; scripts from other hosts are not. docs/decisions/0004
 * @param {Environment} env @param {{ isDevelopment: boolean }} options
 */
export function contentSecurityPolicy(env, { isDevelopment }) {
  const clerk = clerkSources(env);
  const service = env.NEXT_PUBLIC_SVC_BASE_URL ? [new URL(env.NEXT_PUBLIC_SVC_BASE_URL).origin] : [];
  const directives = {
    'default-src': ["'self'"],
    'script-src': ["'self'", "'unsafe-inline'", ...(isDevelopment ? ["'unsafe-eval'"] : []), ...clerk.scripts],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', ...clerk.images],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...(isDevelopment ? ['ws:'] : []), ...clerk.connections, ...service],
    'worker-src': ["'self'", 'blob:'],
    'frame-src': ["'self'", ...clerk.frames],
    // Browsers also apply it to the redirects that follow a form: to check a session, Clerk redirects to its own host and back.
    'form-action': ["'self'", ...checkoutOrigins(env), ...clerk.redirects],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'self'"],
    'object-src': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${[...new Set(sources)].join(' ')}`)
    .join('; ');
}

/** @param {Environment} env @param {{ isDevelopment: boolean }} options */
export const securityHeaders = (env, { isDevelopment }) => [
  // Browsers ignore it over http, so a build need not know its address.
  ...(isDevelopment ? [] : [{ key: 'Strict-Transport-Security', value: 'max-age=31536000' }]),
  { key: 'Content-Security-Policy', value: contentSecurityPolicy(env, { isDevelopment }) },
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=()' },
];
