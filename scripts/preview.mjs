// npm run preview: the production build on the embedded database and the emulators.
import { loadEnvironment } from './local-env.mjs';
import { runStack } from './stack.mjs';

await runStack('start', loadEnvironment({ dev: false }));
