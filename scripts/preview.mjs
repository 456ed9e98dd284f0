// npm run preview: what `npm run dev` starts, with the production build. It reads the same files, never those for production, whose
// database it would migrate and fill. It takes the same options and variables:
// `-- --no-relay` leaves webhooks to a tunnel or the Stripe CLI.
// `-- --no-trace` starts no recorder: only calls to emulated providers are recorded. // part: emulators
import { runStack } from './stack.mjs';

await runStack('start');
