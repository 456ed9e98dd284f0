// npm start: the production server on real keys. It never runs on the sandboxes; `npm run preview` does.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { decideSandbox } from '../lib/sandbox/switch.mjs';
import { loadEnvironment } from './local-env.mjs';

const BUILD = '.next/required-server-files.json';

const KEYS = {
  NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: 'Clerk dashboard, API keys',
  CLERK_SECRET_KEY: 'Clerk dashboard, API keys',
  CLERK_WEBHOOK_SIGNING_SECRET: 'Clerk dashboard, Webhooks, your endpoint, Signing secret',
  STRIPE_SECRET_KEY: 'Stripe dashboard, Developers, API keys',
  STRIPE_WEBHOOK_SECRET: 'Stripe dashboard, Developers, Webhooks, your endpoint',
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
const missing = Object.entries(KEYS).filter(([name]) => !env[name]);
if (missing.length > 0) {
  refuse(
    [
      'npm start serves real customers, so it needs real keys. Missing:',
      ...missing.map(([name, where]) => `  ${name}  (${where})`),
      'To try the app without any key, run `npm run preview`. .env.example lists every variable.',
    ].join('\n'),
  );
}
if (!existsSync(BUILD)) refuse('There is no build yet. Run `npm run build` with the same variables first.');
/** @type {{ config: { pageExtensions: string[] } }} */
const build = JSON.parse(readFileSync(BUILD, 'utf8'));
const sandbox = decideSandbox(env);
if (sandbox.clerk || sandbox.stripe || build.config.pageExtensions.includes('sandbox.ts')) {
  refuse('This build contains the sandboxes. Run `npm run build` again with your real keys set.');
}

const port = env.PORT ?? '3000';
const server = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'start', '-p', port], { stdio: 'inherit' });
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) process.on(signal, () => server.kill(signal));
server.on('exit', (code) => process.exit(code ?? 0));
