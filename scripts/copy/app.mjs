// Another product's app: what create-next-app writes, with Clerk, Stripe and Prisma in it (examples/bare), in a folder outside this
// project. Its TypeScript and its tsconfig are create-next-app's own, with more strict options in the app with src/; the other packages
// have this project's versions.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withoutRepository } from '../git-files.mjs';
import { linkPackages } from '../link-packages.mjs';
import { runNode, spawnNode, superviseChild } from '../programs.mjs';
import { untilServed } from '../stack.mjs';

/** @typedef {import('../local-env.mjs').Environment} Environment */

export const CREATE_NEXT_APP = 'create-next-app@16.4.3';
const KIT = path.resolve('.');
const BARE = path.join(KIT, 'examples/bare');
const PACKAGES = ['next', 'react', 'react-dom', '@clerk/nextjs', 'stripe', '@prisma/client', '@prisma/adapter-pg'];
const DEVELOPMENT_PACKAGES = ['prisma'];
/** What many teams turn on, too. `noPropertyAccessFromIndexSignature` is a conflict that the guide names. */
const STRICT_OPTIONS = [
  ...['exactOptionalPropertyTypes', 'noUncheckedIndexedAccess', 'noImplicitOverride', 'noImplicitReturns'],
  ...['noFallthroughCasesInSwitch', 'noUnusedLocals', 'noUnusedParameters'],
  ...['verbatimModuleSyntax', 'erasableSyntaxOnly'],
];

/** npm without questions, and from its cache if it can. */
export const NPM = {
  ...{ npm_config_yes: 'true', npm_config_prefer_offline: 'true', npm_config_audit: 'false', npm_config_fund: 'false' },
  ...{ npm_config_loglevel: 'error', NEXT_TELEMETRY_DISABLED: '1' },
  // Without it `prisma` downloads its engine.
  PRISMA_SCHEMA_ENGINE_BINARY: path.join(KIT, 'scripts/schema-engine/engine.mjs'),
};

/**
 * @param {{ hasSource: boolean, base: Environment }} options whether its code is in `src/`, and the variables of its commands
 * @returns {{ directory: string, source: string, env: Environment, remove(): void }}
 */
export function createApp({ hasSource, base }) {
  const parent = mkdtempSync(path.join(tmpdir(), 'copy-'));
  const directory = path.join(parent, 'app');
  const env = { ...withoutRepository(base), ...NPM, KIT };
  const run = (/** @type {string} */ command, /** @type {string[]} */ args, cwd = directory) =>
    execFileSync(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const options = ['--yes', '--empty', '--skip-install', '--disable-git', '--use-npm', '--no-tailwind', '--no-eslint'];
  run('npx', [CREATE_NEXT_APP, 'app', ...options, hasSource ? '--src-dir' : '--no-src-dir', '--no-agents-md'], parent);
  const source = hasSource ? 'src' : '.';
  for (const folder of ['app', 'lib', 'proxy.ts']) {
    cpSync(path.join(BARE, folder), path.join(directory, source, folder), { recursive: true });
  }
  for (const place of ['prisma', 'prisma.config.ts']) {
    cpSync(path.join(BARE, place), path.join(directory, place), { recursive: true });
  }
  rewrite(path.join(directory, 'prisma/schema.prisma'), (text) => text.replace('"../lib', `"../${source}/lib`));
  rewrite(path.join(directory, 'package.json'), withPackages);
  if (hasSource) rewrite(path.join(directory, 'tsconfig.json'), withStrictOptions);
  linkPackages(directory);
  rmSync(path.join(directory, 'node_modules/@svc'), { recursive: true });
  run('npm', ['install']);
  return { directory, source, env, remove: () => rmSync(parent, { recursive: true, force: true }) };
}

/** @param {string} file @param {(text: string) => string} edit */
const rewrite = (file, edit) => writeFileSync(file, edit(readFileSync(file, 'utf8')));

/** The app's package.json with what it already uses, in this project's versions. @param {string} text */
function withPackages(text) {
  const app = JSON.parse(text);
  const { dependencies, devDependencies, overrides } = JSON.parse(readFileSync(path.join(KIT, 'package.json'), 'utf8'));
  for (const name of PACKAGES) app.dependencies[name] = dependencies[name];
  for (const name of DEVELOPMENT_PACKAGES) app.devDependencies[name] = devDependencies[name];
  return JSON.stringify({ ...app, overrides }, null, 2);
}

/** @param {string} text */
function withStrictOptions(text) {
  const { compilerOptions, ...rest } = JSON.parse(text);
  for (const name of STRICT_OPTIONS) compilerOptions[name] = true;
  return JSON.stringify({ compilerOptions, ...rest }, null, 2);
}

/** @param {string} directory */
const nextOf = (directory) => path.join(directory, 'node_modules/next/dist/bin/next');

/** Type-checks and builds the app. @param {{ directory: string }} app @param {Environment} env */
export const buildApp = ({ directory }, env) => runNode([nextOf(directory), 'build', directory], env);

/** Starts the built app, and resolves when it serves. @param {{ directory: string }} app @param {Environment} env @param {number} port */
export async function startBuiltApp({ directory }, env, port) {
  const args = [nextOf(directory), 'start', directory, '-H', 'localhost', '-p', String(port)];
  const running = superviseChild(spawnNode(args, env, { stdout: 'ignore' }));
  await untilServed(running, port, '/');
  return running;
}
