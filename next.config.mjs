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
    // A part that is off is not built: its pages and routes have their own page extension.
    ...(isServiceEmbedded ? ['service.tsx', 'service.ts'] : []),
    // end: service
  ],
  ...(process.env.NEXT_OUTPUT === 'standalone' && { output: 'standalone' }), // the Dockerfile sets it
  // A local run on another data folder compiles into its own folder, so that both can run at once.
  ...(process.env.NEXT_DIST_DIR && { distDir: process.env.NEXT_DIST_DIR }),
  cacheComponents: true,
  partialPrefetching: true,
  agentRules: false,
  poweredByHeader: false,
  typescript: { ignoreBuildErrors: process.env.NEXT_TYPES === 'checked' }, // the tests check types before they build
  env: { BUILT_WITH: describeBuild(process.env) }, // instrumentation.node.ts compares it with the server's variables
  turbopack: {
    root: import.meta.dirname,
    // Clerk's SDK also supports the Pages Router, which would add 20 kB to every page with a Clerk component.
    resolveAlias: { 'next/router': 'next/compat/router' },
  },
  transpilePackages: ['@svc/tracker'],
  experimental: {
    // Next keeps a body in memory for proxy.ts, and drops the piece that exceeds this, which may be the first one. Pieces have
    // at most 64 KiB, so the rest always exceeds the 4 KiB above which the handlers respond 413.
    proxyClientMaxBodySize: '80kb',
    // Fewer, larger files: 1 to 2 kB less for each page. A single file would make the first page smaller, but block the browser for longer.
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
