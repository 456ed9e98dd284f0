// The production build that the reliability and the security suite share: on keys of the real shape, so that it reaches no
// provider. Its variables are those of a deployment; each test adds its own database and address.
import { randomBytes } from 'node:crypto';
import { generateServiceSecrets } from '../lib/service/switch.mjs';
import { buildForTests } from './programs.mjs';
import { realShape } from './real-shape.mjs';

/** @typedef {import('./local-env.mjs').Environment} Environment */

/** @type {Promise<Environment> | undefined} */
let build;

/** Builds once for each process, and returns the environment to start the build with. */
export function buildOnRealKeys() {
  build ??= (async () => {
    const env = {
      ...realShape,
      ...generateServiceSecrets({}),
      NEXT_TELEMETRY_DISABLED: '1',
      NEXT_PUBLIC_SVC_PROGRAM_ID: 'prg_demo',
      CRON_SECRET: randomBytes(24).toString('base64url'),
      APP_URL: 'http://localhost',
      DATABASE_URL: 'postgresql://localhost:1/unreached',
      CLERK_API_URL: 'http://localhost:1', // a request to Clerk fails at once, instead of waiting for a name to resolve
    };
    await buildForTests(env);
    return env;
  })();
  return build;
}
