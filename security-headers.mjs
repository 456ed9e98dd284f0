// Answer headers for every page and route, from the same variables that choose the providers.

/** Clerk's Frontend API host is written inside the publishable key. @param {string | undefined} publishableKey */
function clerkHost(publishableKey) {
  const encoded = publishableKey?.split('_')[2];
  return encoded ? Buffer.from(encoded, 'base64').toString().replace(/\$$/, '') : undefined;
}

/**
 * The Content-Security-Policy. Inline scripts are allowed, since static pages carry React's inline data and a nonce would
 * make every page dynamic; scripts from elsewhere are not. docs/decisions/0008
 * @param {Record<string, string | undefined>} env @param {{ sandbox: { clerk: boolean, stripe: boolean }, isDevelopment: boolean }} options
 */
export function contentSecurityPolicy(env, { sandbox, isDevelopment }) {
  const clerk = sandbox.clerk ? [] : [`https://${clerkHost(env.NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY)}`];
  const captcha = sandbox.clerk ? [] : ['https://challenges.cloudflare.com'];
  const avatars = sandbox.clerk ? [] : ['https://img.clerk.com'];
  // A form that is answered with a redirect to the hosted checkout page needs its host too.
  const checkout = sandbox.stripe ? [] : ['https://checkout.stripe.com', 'https://billing.stripe.com'];
  const service = env.NEXT_PUBLIC_SVC_BASE_URL ? [new URL(env.NEXT_PUBLIC_SVC_BASE_URL).origin] : [];
  const development = isDevelopment ? ["'unsafe-eval'"] : [];
  const directives = {
    'default-src': ["'self'"],
    'script-src': ["'self'", "'unsafe-inline'", ...development, ...clerk, ...captcha],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:', ...avatars],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...(isDevelopment ? ['ws:'] : []), ...clerk, ...service],
    'worker-src': ["'self'", 'blob:'],
    'frame-src': ["'self'", ...captcha],
    'form-action': ["'self'", ...clerk, ...checkout],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'self'"],
    'object-src': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ');
}

/** @param {Parameters<typeof contentSecurityPolicy>} args */
export const securityHeaders = (...args) => [
  { key: 'Content-Security-Policy', value: contentSecurityPolicy(...args) },
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'Referrer-Policy', value: 'strict-origin-when-cross-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), microphone=(), geolocation=()' },
];
