// npm run preview: what `npm run dev` starts, with the production build.
import { loadEnvironment } from './local-env.mjs';
import { runStack } from './stack.mjs';

await runStack('start', loadEnvironment({ dev: false }), { isRelayed: !process.argv.includes('--no-relay') });
