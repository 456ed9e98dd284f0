// npm run dev: everything on embedded defaults, with reloading.
import { loadEnvironment } from './local-env.mjs';
import { runStack } from './stack.mjs';

await runStack('dev', loadEnvironment());
