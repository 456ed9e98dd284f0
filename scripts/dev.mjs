// npm run dev: everything on embedded defaults, with reloading. `-- --no-relay` leaves webhooks to a tunnel or the Stripe CLI.
// `-- --no-trace` starts no recorder: only calls to emulated providers are recorded. // part: emulators
// The port is the variable PORT: PORT=4000 npm run dev
import { runStack } from './stack.mjs';

await runStack('dev');
