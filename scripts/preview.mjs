// npm run preview: the production build on the embedded database and the sandboxes.
import { loadEnvironment } from './local-env.mjs';
import { runNode, runStack } from './stack.mjs';

const env = { ...loadEnvironment({ dev: false }), SANDBOX: 'on' };
await runNode(['node_modules/next/dist/bin/next', 'build'], env);
await runStack('start', env);
