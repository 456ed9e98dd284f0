// The emulators of a local run. They stand in for a provider only while that provider has no key of yours; with test keys, the
// calls to it pass through their process, so that the trace shows them.
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isServiceEmbedded } from '../lib/service/switch.mjs'; // part: service
import { isLoopback } from '../provider-addresses.mjs';
import { dataDirectory } from './local-env.mjs';
import { superviseChild } from './programs.mjs';
import { decideRelayed } from './relay/decide.mjs';
import { stripeEndpoints } from './webhook-endpoints.mjs';

/** @typedef {import('./local-env.mjs').Environment} Environment */
/** @typedef {{ port: number, emulatorsPort: number, appPort: number }} Ports */

const PROGRAM = 'emulators/bin/emulators.mjs';

/** What makes a provider yours, and which of the emulators' variables are its own. */
const PROVIDERS = {
  clerk: { keys: ['CLERK_SECRET_KEY', 'NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY'], variables: /CLERK/ },
  stripe: { keys: ['STRIPE_SECRET_KEY'], variables: /STRIPE/ },
};

/** Whether the recorder runs in front of the app: `npm run dev -- --no-trace` leaves it out. */
export const isTraced = !process.argv.includes('--no-trace');

/** @param {Environment} env */
export function decideEmulated(env) {
  const has = (/** @type {{ keys: string[] }} */ { keys }) => !keys.some((name) => env[name]);
  const isInstalled = existsSync(PROGRAM);
  return { clerk: isInstalled && has(PROVIDERS.clerk), stripe: isInstalled && has(PROVIDERS.stripe) };
}

/**
 * The providers whose calls are recorded and forwarded, and the addresses to forward them to: those with test keys of yours, in a
 * run that this machine alone can open.
 * @param {Environment} env
 * @returns {{ clerk?: string, stripe?: string }}
 */
export function decideTraced(env) {
  if (!isTraced || !existsSync(PROGRAM) || !isLoopback(env.APP_URL ?? 'http://localhost')) return {};
  const relayed = decideRelayed(env);
  return {
    ...(relayed.clerk === 'relay' && { clerk: env.CLERK_API_URL ?? 'https://api.clerk.com' }),
    ...(relayed.stripe === 'relay' && { stripe: env.STRIPE_API_URL ?? 'https://api.stripe.com' }),
  };
}

/**
 * The addresses through which the app calls the providers that are traced. They are for the app alone: every other program calls
 * the provider itself.
 * @param {Environment} env @param {number | undefined} emulatorsPort
 * @returns {Record<string, string>}
 */
export function tracedAddresses(env, emulatorsPort) {
  if (!emulatorsPort) return {};
  const traced = decideTraced(env);
  const url = `http://localhost:${emulatorsPort}`;
  // The app takes Stripe's pages for those of its address, and a form may lead to no other host.
  const hosted = traced.stripe?.startsWith('https:')
    ? ['https://checkout.stripe.com', 'https://billing.stripe.com']
    : [traced.stripe];
  return {
    ...(traced.clerk && { CLERK_API_URL: `${url}/clerk` }),
    ...(traced.stripe && {
      STRIPE_API_URL: url,
      CHECKOUT_ORIGINS: [...hosted, env.CHECKOUT_ORIGINS].filter(Boolean).join(),
    }),
  };
}

/** Whether a run needs the emulators' process at all. @param {Environment} env */
export const needsEmulators = (env) =>
  Object.values(decideEmulated(env)).some(Boolean) || Object.keys(decideTraced(env)).length > 0;

/**
 * Those of the emulators' variables that may be used: none of a provider that is yours, so that a real key is never sent
 * to this machine and a generated one never to the provider.
 * @param {Environment} env @param {Environment} variables
 * @returns {Record<string, string>}
 */
export function usableVariables(env, variables) {
  const emulated = decideEmulated(env);
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => {
      const isForbidden =
        (PROVIDERS.clerk.variables.test(name) && !emulated.clerk) ||
        (PROVIDERS.stripe.variables.test(name) && !emulated.stripe);
      return isForbidden || value === undefined ? [] : [[name, value]];
    }),
  );
}

/**
 * Starts the emulators, and the recorder in front of the app.
 * @param {Environment} env
 * @param {{ appUrl: string, ports: Ports, directory: string, isRecorded?: boolean }} options
 * @returns {Promise<{ variables: Record<string, string> } & import('./programs.mjs').Running>}
 */
export async function startEmulators(env, { appUrl, ports, directory, isRecorded = isTraced }) {
  const emulated = decideEmulated(env);
  const traced = isRecorded ? decideTraced(env) : {};
  const real = /** @type {const} */ (['clerk', 'stripe']).filter((provider) => !emulated[provider]);
  const args = [
    ...['start', '--with-parent', '--app', appUrl, '--port', String(ports.emulatorsPort), '--data', directory],
    ...['--name', 'Larkdesk', '--sign-in', '/sign-in', '--sign-up', '/sign-up'],
    ...(emulated.clerk ? [] : ['--clerk-webhook', 'none']),
    ...stripeEndpoints(env).flatMap(({ path: target, variable, events }) => [
      '--stripe-webhook',
      `${target}=${variable}=${events}`,
    ]),
    // part: service
    ...(isServiceEmbedded(env) ? ['--service', '/api/v1/', '--block', '/api/v1/track/'] : []),
    // end: service
    ...['--profile', 'scripts/control-room/profile.mjs'],
    ...real.flatMap((provider) => ['--forward', traced[provider] ? `${provider}=${traced[provider]}` : provider]),
    ...(isRecorded ? ['--record', `${ports.port}=${ports.appPort}`] : []),
  ];
  const { variables, ...running } = await forkEmulators(args, env);
  return { variables: usableVariables(env, variables), ...running };
}

/**
 * Starts the emulators' program as a child, and resolves when it serves.
 * @param {string[]} args @param {Environment} env
 * @returns {Promise<{ variables: Record<string, string> } & import('./programs.mjs').Running>}
 */
export async function forkEmulators(args, env) {
  const child = fork(PROGRAM, args, {
    env: /** @type {NodeJS.ProcessEnv} */ (env),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const running = superviseChild(child);
  const variables = await new Promise((resolve, reject) => {
    void running.ended.then((how) => reject(new Error(`The emulators' process ${how}.`)));
    child.once('message', (message) => {
      const { variables: given, error } = /** @type {{ variables?: Record<string, string>, error?: string }} */ (
        message
      );
      if (given) resolve(given);
      else reject(new Error(error));
    });
  });
  return { variables, ...running };
}

/** @param {Environment} env */
export const emulatorsDirectory = (env) => path.join(dataDirectory(env), 'emulators');
