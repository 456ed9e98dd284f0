// npm run test:deploy: what the Dockerfile does, on a machine without Docker: installs, builds, migrates, starts as a user
// without rights, and asks the image's own health check. Then the same build on a plain Node server: `npm ci --omit=dev` and
// `npm start`.
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { IN_MEMORY, startDatabase } from './database/start.mjs';
import { buildStage, environmentOf, readStages } from './dockerfile.mjs';
import { VARIABLES } from './local-env.mjs';
import { freePort } from './ports.mjs';
import { superviseChild } from './programs.mjs';
import { realShape } from './real-shape.mjs';
import { untilServed } from './stack.mjs';

const stages = readStages(readFileSync('Dockerfile', 'utf8'));
const built = new Map();
const database = await startDatabase(IN_MEMORY);
const port = await freePort('localhost');

/** @type {import('./local-env.mjs').Environment} */
const variables = {
  ...realShape,
  DATABASE_URL: database.url,
  APP_URL: 'https://app.example.com',
  NEXT_PUBLIC_SVC_BASE_URL: 'https://svc.example.com',
  NEXT_PUBLIC_SVC_PROGRAM_ID: '123',
  SVC_API_KEY: 'any key/form=',
};
/** What `docker run --env-file` brings: the project's variables, and nothing of this machine. */
const given = Object.fromEntries(VARIABLES.flatMap((name) => (variables[name] ? [[name, variables[name]]] : [])));

/** The same without what the build holds. */
const secrets = Object.fromEntries(Object.entries(given).filter(([name]) => !name.startsWith('NEXT_PUBLIC_')));

/** As in the image: a user that may write nowhere. Only root can change to another user. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/**
 * @template Result
 * @param {string} what @param {() => Result | Promise<Result>} work
 */
async function step(what, work) {
  const started = performance.now();
  const result = await work();
  console.log(`holds  ${what} (${((performance.now() - started) / 1000).toFixed(0)} s)`);
  return result;
}

/** @param {import('./dockerfile.mjs').Image} image @param {import('./local-env.mjs').Environment} env */
async function serve(
  { directory, command: [program = '', ...args], health: [healthProgram = '', ...healthArgs] },
  env,
) {
  const child = spawn(program, args, {
    cwd: directory,
    env: environmentOf(env),
    stdio: ['ignore', 'ignore', 'inherit'],
    ...user,
  });
  const server = superviseChild(child);
  try {
    await untilServed(server, port);
    const page = await fetch(`http://localhost:${port}/`);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /_next\/static/);
    assert.match(page.headers.get('strict-transport-security') ?? '', /^max-age=/);
    const { status } = spawnSync(healthProgram, healthArgs, { cwd: directory, env: environmentOf(env), ...user });
    assert.equal(status, 0, 'the health check');
  } finally {
    await server.stop();
  }
}

try {
  const build = await step('the build stage installs and builds', () => buildStage(stages, 'build', given, built));
  await step('the migrate stage creates the tables', () => {
    const {
      directory,
      env,
      command: [program = '', ...args],
    } = buildStage(stages, 'migrate', given, built);
    execFileSync(program, args, { cwd: directory, env: environmentOf({ ...env, ...given }), stdio: 'pipe' });
  });
  const image = await step('the server stage is assembled', () => buildStage(stages, 'server', given, built));
  assert.notEqual(image.user, 'root');
  await step(`the image serves as a user without rights, and is healthy`, () =>
    serve(image, { ...image.env, ...secrets, PORT: String(port) }),
  );

  await step('npm ci --omit=dev installs what the server needs', () => {
    rmSync(path.join(build.directory, 'node_modules'), { recursive: true });
    execFileSync('npm', ['ci', '--omit=dev'], { cwd: build.directory, env: environmentOf({}), stdio: 'pipe' });
  });
  await step('npm start serves on it', () =>
    serve(
      { ...image, directory: build.directory, command: ['node', 'scripts/start.mjs'] },
      { ...given, PORT: String(port) },
    ),
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await database.stop();
  for (const { directory } of built.values()) rmSync(directory, { recursive: true, force: true });
}
