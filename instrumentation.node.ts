import { appEnv, clerkEnv, stripeEnv } from './lib/integration/env';
import { addReadinessCheck } from './lib/integration/readiness'; // part: service
import { serviceEnv } from './lib/service/env'; // part: service
import { checkServiceTables } from './lib/service/readiness'; // part: service
import { pruneOnInterval } from './lib/service/retention'; // part: service
import { isServiceEmbedded } from './lib/service/switch.mjs'; // part: service
import { findLocalProviders, isLoopback } from './provider-addresses.mjs';

/** Checks the variables of the other parts, and says what each part runs on. */
export function start(): void {
  try {
    serviceEnv(); // part: service
    assertPublicProviders();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
  // part: service
  if (isServiceEmbedded(process.env)) {
    addReadinessCheck('service migrations', checkServiceTables());
    pruneOnInterval();
  }
  // end: service
  printAddresses();
}

/** A provider on this machine lets anyone sign in as anyone: a public address must not be served with it. */
function assertPublicProviders(): void {
  const local = findLocalProviders(process.env);
  if (process.env.NODE_ENV !== 'production' || local.length === 0 || isLoopback(appEnv().APP_URL)) return;
  throw new Error(`${appEnv().APP_URL} is public, but ${local.join(', ')} lead to this machine. Unset them.`);
}

function printAddresses(): void {
  console.log(`Clerk             ${clerkEnv().CLERK_API_URL ?? 'https://api.clerk.com'}`);
  console.log(`Stripe            ${stripeEnv().STRIPE_API_URL ?? 'https://api.stripe.com'}`);
  console.log(
    `Tracking service  ${isServiceEmbedded(process.env) ? 'embedded' : process.env.NEXT_PUBLIC_SVC_BASE_URL}`,
  );
}
