import { findChangedSinceBuild } from './build-variables.mjs';
import { appEnv, clerkEnv, stripeEnv } from './lib/integration/env';
import { addReadinessCheck } from './lib/integration/readiness'; // part: service
import { findServiceEnvProblems } from './lib/service/env'; // part: service
import { checkServiceTables } from './lib/service/readiness'; // part: service
import { pruneOnInterval } from './lib/service/retention'; // part: service
import { isServiceEmbedded } from './lib/service/switch.mjs'; // part: service
import { findLocalProviders, isLoopback } from './provider-addresses.mjs';

// part: service
/** The build contains the variable, so the server may start without it: Next replaces it only if it is named in full. */
const isEmbedded = () => isServiceEmbedded({ NEXT_PUBLIC_SVC_BASE_URL: process.env.NEXT_PUBLIC_SVC_BASE_URL });

/** What is missing or malformed of the embedded service's variables. */
export const findServiceProblems = () => (isEmbedded() ? findServiceEnvProblems('run') : []);
// end: service

/** Starts the other parts, and prints the address of each provider. Exits if the build or an address does not fit. */
export function start(): void {
  process.env.APP_URL = appEnv().APP_URL; // a preview's own address applies to every part
  try {
    assertSameBuild();
    assertPublicProviders();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
  // part: service
  if (isEmbedded()) {
    addReadinessCheck('service migrations', checkServiceTables());
    pruneOnInterval();
  }
  // end: service
  endWithinLimit();
  printAddresses();
}

/** Platforms kill a process 10 s after SIGTERM, or later. */
const SHUTDOWN_LIMIT_MS = 3500;

/**
 * Next waits without a limit for open requests. A response that is cut off ends with an error, so it never looks complete.
 */
function endWithinLimit(): void {
  const end = () => setTimeout(() => process.exit(143), SHUTDOWN_LIMIT_MS).unref();
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}

/**
 * Next replaces `process.env.BUILT_WITH` by what next.config.mjs says at build time; outside of a build it is unset. A run
 * with a local provider is for development and measurements, so it may reuse a build.
 */
function assertSameBuild(): void {
  const built = findLocalProviders(process.env).length === 0 ? process.env.BUILT_WITH : '';
  const changed = built ? findChangedSinceBuild(built, process.env) : [];
  if (changed.length === 0) return;
  throw new Error(
    `The app was built with another value of ${changed.join(', ')}. Run \`npm run build\` with the variables that the ` +
      'server is started with.',
  );
}

/** A local provider lets anyone sign in as anyone, so a public address must not be served with one. */
function assertPublicProviders(): void {
  const local = findLocalProviders(process.env);
  if (process.env.NODE_ENV !== 'production' || local.length === 0 || isLoopback(appEnv().APP_URL)) return;
  throw new Error(
    `${appEnv().APP_URL} is public, but these point to this machine: ${local.join(', ')}. Unset them and build again.`,
  );
}

function printAddresses(): void {
  console.log(`Clerk             ${clerkEnv().CLERK_API_URL ?? 'https://api.clerk.com'}`);
  console.log(`Stripe            ${stripeEnv().STRIPE_API_URL ?? 'https://api.stripe.com'}`);
  console.log(`Tracking service  ${isEmbedded() ? 'embedded' : process.env.NEXT_PUBLIC_SVC_BASE_URL}`);
}
