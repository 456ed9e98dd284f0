import { describeBuild, trimBuildVariables } from './build-variables.mjs';
import { applyEmbeddedService } from './lib/service/switch.mjs'; // part: service
import { securityHeaders } from './security-headers.mjs';

trimBuildVariables(process.env);

// part: service
// A remote tracking service or the embedded one: decided here, once, before anything is built.
const isServiceEmbedded = applyEmbeddedService(process.env);
// end: service

/** @type {import('next').NextConfig} */
const config = {
  pageExtensions: [
    'tsx',
    'ts',
    // part: service
    // A part that is off is not built: its pages and routes have a page extension of their own.
    ...(isServiceEmbedded ? ['service.tsx', 'service.ts'] : []),
    // end: service
  ],
  ...(process.env.NEXT_OUTPUT === 'standalone' && { output: 'standalone' }), // the Dockerfile sets it
  // A local run on another data folder compiles into a folder of its own, so that it works beside the first.
  ...(process.env.NEXT_DIST_DIR && { distDir: process.env.NEXT_DIST_DIR }),
  cacheComponents: true,
  partialPrefetching: true,
  agentRules: false,
  poweredByHeader: false,
  typescript: { ignoreBuildErrors: process.env.NEXT_TYPES === 'checked' }, // the tests check types before they build
  env: { BUILT_WITH: describeBuild(process.env) }, // for instrumentation.node.ts: is the server started with the same?
  turbopack: {
    root: import.meta.dirname,
    // Clerk's SDK serves the Pages Router as well, and would bring 20 kB of it into every page with a Clerk component.
    resolveAlias: { 'next/router': 'next/compat/router' },
  },
  transpilePackages: ['@svc/tracker'],
  experimental: {
    // Next keeps a body in memory for proxy.ts, and drops the piece that exceeds this, which may be the first one. Pieces have
    // 64 KiB at most, so what is left is always above the 4 KiB that the handlers behind it refuse with 413.
    proxyClientMaxBodySize: '80kb',
    // Fewer, larger files: 1 to 2 kB less for each page. In one file the first page would be less, and block the browser for longer.
    turbopackChunking: { minChunkSize: 400_000 },
    strictRouteTypes: Boolean(process.env.NEXT_DIST_DIR), // otherwise Next adds that folder to tsconfig.json
  },
  headers: async () => [
    {
      source: '/:path*',
      headers: securityHeaders(process.env, { isDevelopment: process.env.NODE_ENV === 'development' }),
    },
  ],
};

export default config;
