// npm run dev: everything on embedded defaults, with reloading. `-- --no-relay` leaves webhooks to a tunnel or the Stripe CLI.
// `-- --no-trace` records no HTTP messages. // part: emulators
// The port is the variable PORT: PORT=4000 npm run dev
import { loadEnvironment } from './local-env.mjs';
import { readOptions } from './options.mjs';
import { RUN_OPTIONS, runStack } from './stack.mjs';

const { 'no-relay': isTunneled } = readOptions(RUN_OPTIONS);
await runStack('dev', loadEnvironment(), { isRelayed: !isTunneled });
