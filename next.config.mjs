import { applySandbox } from './lib/sandbox/switch.mjs';
import { applyEmbeddedService } from './lib/service/switch.mjs';
import { securityHeaders } from './security-headers.mjs';

// Real providers or sandboxes, a remote tracking service or the embedded one: decided here, once, before anything is built.
const sandbox = applySandbox(process.env);
const isSandboxOn = sandbox.clerk || sandbox.stripe;
const isServiceEmbedded = applyEmbeddedService(process.env);
// The landing page's tour shows what the local demo alone can show.
if (isSandboxOn && isServiceEmbedded) process.env.NEXT_PUBLIC_TOUR ||= 'on';

/** A room that is off is not built: its pages and routes have a page extension of their own. */
const pageExtensions = [
  ...['tsx', 'ts'],
  ...(isServiceEmbedded ? ['service.tsx', 'service.ts'] : []),
  ...(isSandboxOn ? ['sandbox.tsx', 'sandbox.ts'] : []),
];

/** @type {import('next').NextConfig} */
const config = {
  pageExtensions,
  cacheComponents: true,
  partialPrefetching: true,
  agentRules: false,
  poweredByHeader: false,
  turbopack: { root: import.meta.dirname },
  transpilePackages: ['@svc/tracker'],
  headers: async () => [
    {
      source: '/:path*',
      headers: securityHeaders(process.env, { sandbox, isDevelopment: process.env.NODE_ENV === 'development' }),
    },
  ],
  // The SDK takes a host but no path, so the sandbox answers at Stripe's own paths as well.
  rewrites: async () => (sandbox.stripe ? [{ source: '/v1/:path*', destination: '/sandbox/stripe/v1/:path*' }] : []),
};

export default config;
