// npm run build: checks the variables, then builds. Next writes them into what it builds, so a wrong one is found here or by
// your customers. Arguments after `--` are Next's.
import { loadEnvironment } from './local-env.mjs';
import { NEXT, onEnd, ProgramError, runScript, spawnNode, superviseChild } from './programs.mjs';

const env = loadEnvironment({ dev: false });
try {
  await runScript('scripts/check-environment.ts', env, ['build']);
} catch (error) {
  if (!(error instanceof ProgramError)) throw error;
  console.error(`${error.output.trimEnd()}\nNothing was built.`);
  process.exit(1);
}
const child = spawnNode([NEXT, 'build', ...process.argv.slice(2)], { ...process.env, NODE_ENV: 'production' });
const build = superviseChild(child);
onEnd(env, build.stop);
await build.ended;
process.exit(child.exitCode ?? 1);
