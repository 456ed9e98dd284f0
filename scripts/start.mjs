// npm start: the production server on real keys. It refuses a provider whose address is on this machine.
import { existsSync } from 'node:fs';
import { findLocalProviders } from '../provider-addresses.mjs';
import { loadEnvironment } from './local-env.mjs';
import { NEXT, spawnNode, superviseChild } from './programs.mjs';

const BUILD = '.next/BUILD_ID';
const CLIENT_ADDRESS = new URL('./client-address.mjs', import.meta.url).href; // part: service

const KEYS = {
  NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: 'Clerk dashboard, API keys',
  CLERK_SECRET_KEY: 'Clerk dashboard, API keys',
  CLERK_WEBHOOK_SIGNING_SECRET: 'Clerk dashboard, Webhooks, your endpoint, Signing secret',
  STRIPE_SECRET_KEY: 'Stripe dashboard, Developers, API keys',
  STRIPE_WEBHOOK_SECRET: 'Stripe dashboard, Developers, Webhooks, your endpoint',
  NEXT_PUBLIC_SVC_BASE_URL: 'the address of your tracking service',
  NEXT_PUBLIC_SVC_PROGRAM_ID: 'npm run program:create, or the dashboard of a tracking service elsewhere, Settings',
  SVC_API_KEY: 'the same place as the program ID',
  DATABASE_URL: 'your PostgreSQL',
  APP_URL: 'the public address of this app',
};

/** @param {string} message @returns {never} */
function refuse(message) {
  console.error(message);
  process.exit(1);
}

const env = loadEnvironment({ dev: false });
const missing = Object.entries(KEYS)
  .filter(([name]) => name !== 'NEXT_PUBLIC_SVC_BASE_URL') // part: service
  .filter(([name]) => !env[name]);
if (missing.length > 0) {
  refuse(
    [
      'npm start serves real customers, so it needs real keys. Missing:',
      ...missing.map(([name, where]) => `  ${name}  (${where})`),
      'To try the app without any key, run `npm run preview`.', // part: emulators
      '.env.example lists every variable.',
    ].join('\n'),
  );
}
const local = findLocalProviders(env);
if (local.length > 0) {
  refuse(
    [
      'npm start serves real customers, so it asks the providers themselves. These variables lead to this machine:',
      ...local.map((name) => `  ${name}=${env[name]}`),
      'Unset them and run `npm run build` again. `npm run preview` serves a production build with them.',
    ].join('\n'),
  );
}
if (!existsSync(BUILD)) refuse('There is no build yet. Run `npm run build` with the same variables first.');

const port = env.PORT ?? '3000';
const args = [NEXT, 'start', '-p', port];
args.unshift('--import', CLIENT_ADDRESS); // part: service
const child = spawnNode(args, process.env);
const server = superviseChild(child);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.stop());
await server.ended;
process.exit(child.exitCode ?? 0);
