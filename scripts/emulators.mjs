// The emulators of a local run. They stand in for a provider only while that provider has no key of yours.
import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { dataDirectory } from './local-env.mjs';
import { superviseChild } from './programs.mjs';

/** @typedef {import('./local-env.mjs').Environment} Environment */
/** @typedef {{ port: number, emulatorsPort: number, appPort: number }} Ports */

const PROGRAM = 'emulators/bin/emulators.mjs';

/** What makes a provider yours, and which of the emulators' variables are its own. */
const PROVIDERS = {
  clerk: { keys: ['CLERK_SECRET_KEY', 'NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY'], variables: /CLERK/ },
  stripe: { keys: ['STRIPE_SECRET_KEY'], variables: /STRIPE/ },
};

/** @param {Environment} env */
export function decideEmulated(env) {
  const has = (/** @type {{ keys: string[] }} */ { keys }) => !keys.some((name) => env[name]);
  const isInstalled = existsSync(PROGRAM);
  return { clerk: isInstalled && has(PROVIDERS.clerk), stripe: isInstalled && has(PROVIDERS.stripe) };
}

/** Whether a run needs the emulators at all. @param {Environment} env */
export const needsEmulators = (env) => Object.values(decideEmulated(env)).some(Boolean);

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
export async function startEmulators(env, { appUrl, ports, directory, isRecorded = true }) {
  const emulated = decideEmulated(env);
  const args = [
    ...['start', '--with-parent', '--app', appUrl, '--port', String(ports.emulatorsPort), '--data', directory],
    ...['--name', 'Larkdesk', '--sign-in', '/sign-in', '--sign-up', '/sign-up'],
    ...(emulated.clerk ? [] : ['--clerk-webhook', 'none']),
    ...['--stripe-webhook', '/api/webhooks/stripe=STRIPE_WEBHOOK_SECRET'],
    // part: service
    ...['--stripe-webhook', '/api/v1/webhooks/stripe=SVC_STRIPE_WEBHOOK_SECRET'],
    ...['--service', '/api/v1/', '--block', '/api/v1/track/'],
    // end: service
    ...['--profile', 'scripts/control-room/profile.mjs'],
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
