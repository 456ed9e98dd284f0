// npm run dev: everything on embedded defaults, with reloading. `-- --no-relay` leaves webhooks to a tunnel or the Stripe CLI.
// `-- --no-trace` records no HTTP messages. // part: emulators
import { loadEnvironment } from './local-env.mjs';
import { runStack } from './stack.mjs';

await runStack('dev', loadEnvironment(), { isRelayed: !process.argv.includes('--no-relay') });
