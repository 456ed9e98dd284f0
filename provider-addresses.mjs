/** @typedef {Record<string, string | undefined>} Environment */

const ADDRESSES = [
  ...['CLERK_API_URL', 'NEXT_PUBLIC_CLERK_PROXY_URL', 'NEXT_PUBLIC_CLERK_JS_URL', 'NEXT_PUBLIC_CLERK_UI_URL'],
  'STRIPE_API_URL',
];

/** @param {string} url */
export const isLoopback = (url) =>
  URL.canParse(url) && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

/** The variables that point to a provider on this machine. @param {Environment} env */
export const findLocalProviders = (env) => ADDRESSES.filter((name) => isLoopback(env[name] ?? ''));
