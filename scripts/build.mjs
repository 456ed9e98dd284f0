// npm run build: checks the variables, then builds. Next writes them into what it builds, so a wrong one is found here or by
// your customers. Arguments after `--` are Next's.
import { isActionsKeyMissing } from '../build-variables.mjs';
import { loadEnvironment } from './local-env.mjs';
import { findVariableProblems, NEXT, onEnd, spawnNode, superviseChild } from './programs.mjs';

const env = loadEnvironment({ dev: false });
const problems = await findVariableProblems(env, 'build');
if (problems.length > 0) {
  console.error([...problems, 'Nothing was built.'].join('\n'));
  console.error('To try the app without any key, run `npm run preview`.'); // part: emulators
  process.exit(1);
}
if (isActionsKeyMissing(env)) {
  console.warn(
    'NEXT_SERVER_ACTIONS_ENCRYPTION_KEY is not set: after the next release, forms in open tabs fail, and a sign-up in one hangs. ' +
      'Generate it once with `openssl rand -base64 32`, and build every release with it.',
  );
}
const child = spawnNode([NEXT, 'build', ...process.argv.slice(2)], { ...process.env, NODE_ENV: 'production' });
const build = superviseChild(child);
onEnd(env, build.stop);
await build.ended;
process.exit(child.exitCode ?? 1);
