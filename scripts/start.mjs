// npm start: the production server on real keys. It refuses a provider whose address is on this machine. The server itself,
// however it is started, checks the variables first: instrumentation.ts. Without a build, they are checked here. Arguments after
// `--` are Next's.
import { existsSync } from 'node:fs';
import { findLocalProviders } from '../provider-addresses.mjs';
import { loadEnvironment } from './local-env.mjs';
import { findVariableProblems, NEXT, onEnd, spawnNode, superviseChild } from './programs.mjs';

const BUILD = '.next/BUILD_ID';
const PREVIEW = 'To try the app without any key, run `npm run preview`.'; // part: emulators
const CLIENT_ADDRESS = new URL('./client-address.mjs', import.meta.url).href; // part: service

/** @param {string} message @returns {never} */
function refuse(message) {
  console.error(message);
  process.exit(1);
}

const env = loadEnvironment({ dev: false });
const local = findLocalProviders(env);
if (local.length > 0) {
  refuse(
    [
      'npm start is for production and calls the real providers. These variables point to this machine:',
      ...local.map((name) => `  ${name}=${env[name]}`),
      'Unset them and run `npm run build` again. `npm run preview` serves a production build with them.',
    ].join('\n'),
  );
}
if (!existsSync(BUILD)) {
  refuse(
    [
      ...(await findVariableProblems(env, 'run')),
      'There is no build yet. Run `npm run build` with the same variables first: .env.example lists them.',
      PREVIEW, // part: emulators
    ].join('\n'),
  );
}

const args = [NEXT, 'start', '-p', env.PORT ?? '3000', ...process.argv.slice(2)];
args.unshift('--import', CLIENT_ADDRESS); // part: service
const child = spawnNode(args, { ...process.env, NODE_ENV: 'production' });
const server = superviseChild(child);
onEnd(env, server.stop);
const how = await server.ended;
if (child.exitCode === null) console.error(`The server ${how}.`);
if (child.exitCode === 1 && !(env.CLERK_SECRET_KEY && env.STRIPE_SECRET_KEY)) console.error(PREVIEW); // part: emulators
process.exit(child.exitCode ?? 1);
