// npm run test:test-mode: the funnel on your own test keys, with the real Clerk and Stripe: sign-up, lead, checkout, renewal.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { IN_MEMORY } from './database/start.mjs'; // part: emulators, service
import { startEmulators } from './emulators.mjs'; // part: emulators, service
import { bareEnvironment, loadEnvironment, VARIABLES } from './local-env.mjs';
import { freePort } from './ports.mjs';
import { runScript, spawnNode } from './programs.mjs';
import { decideRelayed } from './relay/decide.mjs';
import { startRelay } from './relay/start.mjs';
import { withBuiltApp } from './stack.mjs';

/** @typedef {import('./local-env.mjs').Environment} Environment */

const PLAYWRIGHT = 'node_modules/@playwright/test/cli.js';
const CONFIG = 'scripts/test-mode/playwright.config.ts';
const KEYS =
  'Set NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY, CLERK_SECRET_KEY and STRIPE_SECRET_KEY of test mode: npm run setup.';

const port = await freePort('localhost');
const appUrl = `http://localhost:${port}`;

/** What of your variables the funnel runs with: the providers' and a remote tracking service's, but no database of yours. */
const TAKEN = /^(NEXT_PUBLIC_)?(CLERK|STRIPE)_|^CHECKOUT_ORIGINS$/;
const SERVICE = /^(NEXT_PUBLIC_)?SVC_(?!STRIPE_)/;

/** @param {Environment} own @returns {Environment} */
function chooseVariables(own) {
  const names = VARIABLES.filter(
    (name) => TAKEN.test(name) || (own.NEXT_PUBLIC_SVC_BASE_URL !== undefined && SERVICE.test(name)),
  );
  return Object.fromEntries(names.flatMap((name) => (own[name] ? [[name, own[name]]] : [])));
}

/** @returns {Promise<{ keys: Environment, stop: () => Promise<void> }>} */
async function chooseKeys() {
  const own = loadEnvironment();
  const decided = Object.values(decideRelayed(own));
  if (decided.every((decision) => decision === 'relay')) {
    console.log('The funnel on your test keys, with the real Clerk and Stripe.');
    return { keys: chooseVariables(own), stop: async () => {} };
  }
  if (decided.includes('live')) throw new Error(`These are live keys: the funnel creates users and pays. ${KEYS}`);
  // part: emulators, service
  if (decided.every((decision) => decision === 'none')) {
    console.log(`No keys are set, so the funnel runs on the emulators, over the same code path. ${KEYS}`);
    return startProviders();
  }
  // end: emulators, service
  throw new Error(KEYS);
}

// part: emulators, service
/** Clerk and Stripe on this machine. Like the real ones they cannot deliver to it: their events come by the relay. */
async function startProviders() {
  const ports = { port: 0, appPort: 0, emulatorsPort: await freePort('localhost') };
  const options = { appUrl, ports, directory: IN_MEMORY, isRecorded: false };
  const { variables, stop } = await startEmulators(clean, options);
  const { EMULATORS_URL, ...keys } = variables; // the run has a control room of its own
  const off = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"mode":"off"}' };
  await fetch(`${EMULATORS_URL}/control/deliveries`, off);
  return { keys, stop };
}
// end: emulators, service

const clean = bareEnvironment();

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`;

let stop = async () => {};
try {
  const chosen = await chooseKeys();
  stop = chosen.stop;
  const variables = {
    ...clean,
    ...chosen.keys,
    PORT: String(port),
    DATA_DIR: 'test-results/test-mode',
    CLERK_WEBHOOK_SIGNING_SECRET: newSecret(),
    STRIPE_WEBHOOK_SECRET: newSecret(),
    SVC_STRIPE_WEBHOOK_SECRET: newSecret(), // part: service
  };
  await runScript('scripts/create-catalog.ts', variables);
  await withBuiltApp(variables, async (run) => {
    const relay = startRelay(variables, run.env, appUrl);
    try {
      // The condition is that of server code, which the walk uses to speak to Stripe.
      const env = { ...run.env, BASE_URL: appUrl, NODE_OPTIONS: '--conditions=react-server' };
      const walk = spawnNode([PLAYWRIGHT, 'test', '-c', CONFIG], env);
      const [code] = await once(walk, 'exit');
      process.exitCode = code ?? 1;
    } finally {
      await relay?.stop();
    }
  });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await stop();
}
