// How the commands behave when their variables are missing or wrong: they end at once with one sentence that says why, and no
// stack. What that sentence is for each variable, `configuration.test.ts` shows.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { describeBuild } from '../build-variables.mjs';
import { lockDataDirectory } from '../scripts/database/lock.mjs';
import { freePort } from '../scripts/ports.mjs';
import { BLANKS, COMPLETE, UNREACHED, type Variables } from './support/configuration';
import { describeThisProcess } from './support/machine';

const TYPESCRIPT = ['--import', 'tsx', '--conditions=react-server'];

/** What is missing where nothing is set. */
const REQUIRED = new Set(Object.keys(COMPLETE));
// part: service
REQUIRED.delete('NEXT_PUBLIC_SVC_BASE_URL'); // unset, it means the embedded service
REQUIRED.add('SVC_STRIPE_WEBHOOK_SECRET');
// end: service

const PREVIEW = '\nTo try the app without any key, run `npm run preview`.\n'; // part: emulators

const namesOfMissing = (output: string) => new Set(output.match(/^[A-Z_]+(?= is not set)/gm));

const aPort = async () => String(await freePort('localhost'));

async function run(
  args: string[],
  env: Record<string, string | undefined>,
  cwd = '.',
): Promise<{ code: number; output: string }> {
  const environment = { ...process.env, NODE_ENV: 'development' as const, ...BLANKS, ...env };
  const child = spawn(process.execPath, args, { cwd, env: environment });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return { code, output };
}

test('an install without Prisma is complete, and one in which its program has moved ends with the path', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'install-'));
  const install = () => run([path.resolve('scripts/postinstall.mjs')], {}, directory);
  expect(await install()).toEqual({ code: 0, output: '' });
  mkdirSync(path.join(directory, 'node_modules/prisma'), { recursive: true });
  const { code, output } = await install();
  rmSync(directory, { recursive: true });
  expect(code).toBe(1);
  expect(output).toContain(path.join(directory, 'node_modules/prisma/build/index.js'));
});

test('an install on a Node that Prisma does not run on ends with the versions that it does', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'install-'));
  const installOn = (node: string) => {
    const pretend = `data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'${node}'}})`;
    return run(['--import', pretend, path.resolve('scripts/postinstall.mjs')], {}, directory);
  };
  for (const node of ['20.18.3', '21.7.3', '22.11.0', '23.11.1']) {
    const output = `This project needs Node 20.19+, 22.12+ or 24+, and this is ${node}: install a newer one.\n`;
    expect(await installOn(node)).toEqual({ code: 1, output });
  }
  for (const node of ['20.19.0', '22.12.0', '24.0.0']) expect(await installOn(node)).toEqual({ code: 0, output: '' });
  rmSync(directory, { recursive: true });
});

describe('npm start', () => {
  /** What it prints where nothing is built. */
  async function startWithoutBuild(variables: Variables): Promise<string> {
    const fresh = mkdtempSync(path.join(tmpdir(), 'start-'));
    symlinkSync(path.resolve('node_modules'), path.join(fresh, 'node_modules'));
    const env = { ...variables, TSX_TSCONFIG_PATH: path.resolve('tsconfig.json') };
    const { code, output } = await run([path.resolve('scripts/start.mjs')], env, fresh);
    rmSync(fresh, { recursive: true });
    expect(code).toBe(1);
    return output;
  }

  test('without a build says which commands help', async () => {
    const output = await startWithoutBuild(COMPLETE);
    expect(output).toMatch(/^There is no build yet. Run `npm run build`/);
    expect(output).toContain(PREVIEW); // part: emulators
  });

  test('of a fresh clone names every variable that is missing', async () => {
    const output = await startWithoutBuild({});
    expect(namesOfMissing(output)).toEqual(REQUIRED);
    expect(output).toContain('There is no build yet.');
    expect(output).toContain(PREVIEW); // part: emulators
  });

  /** What it prints with a build whose server ends with 1, because of an option that Next does not have. */
  async function startRefused(variables: Variables): Promise<string> {
    const built = mkdtempSync(path.join(tmpdir(), 'start-'));
    mkdirSync(path.join(built, '.next'));
    writeFileSync(path.join(built, '.next', 'BUILD_ID'), '');
    const { code, output } = await run([path.resolve('scripts/start.mjs'), '--color'], variables, built);
    rmSync(built, { recursive: true });
    expect(code).toBe(1);
    return output;
  }

  test('hands its arguments to Next', async () => {
    expect(await startRefused(COMPLETE)).toBe("error: unknown option '--color'\n");
  });

  // part: emulators
  test('without keys says which command needs none, after what the server says', async () => {
    expect(await startRefused({})).toBe(`error: unknown option '--color'${PREVIEW}`);
  });
  // end: emulators

  test('with a provider on this machine ends with 1 and says why', async () => {
    const { code, output } = await run(['scripts/start.mjs'], { ...COMPLETE, STRIPE_API_URL: 'http://localhost:3001' });
    expect(code).toBe(1);
    expect(output).toContain('npm start is for production and calls the real providers.');
    expect(output).toContain('STRIPE_API_URL=http://localhost:3001');
    expect(output).toContain('npm run preview');
  });
});

test.each(['build', 'start'])('npm run %s is for production, also with a NODE_ENV of the shell', async (name) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'commands-'));
  mkdirSync(path.join(directory, '.next'));
  writeFileSync(path.join(directory, '.next/BUILD_ID'), '');
  symlinkSync(path.resolve('node_modules'), path.join(directory, 'node_modules'));
  writeFileSync(path.join(directory, 'next.config.mjs'), 'console.log(process.env.NODE_ENV); process.exit(1);\n');
  const TSX_TSCONFIG_PATH = path.resolve('tsconfig.json');
  const given = { ...COMPLETE, NODE_ENV: 'development', PORT: await aPort(), TSX_TSCONFIG_PATH };
  const { output } = await run([path.resolve(`scripts/${name}.mjs`)], given, directory);
  rmSync(directory, { recursive: true });
  expect(output).toMatch(/^production$/m);
  expect(output).not.toContain('development');
});

test('npm run build of a deployment warns where each build would have its own key for server actions', async () => {
  const { output } = await run(['scripts/build.mjs', '--help'], COMPLETE);
  expect(output).toMatch(/^NEXT_SERVER_ACTIONS_ENCRYPTION_KEY is not set: .* Generate it once with/);
});

const callExport = (module: string, name: string) => [
  ...[...TYPESCRIPT, '--input-type=module', '-e'],
  `await (await import('${module}')).${name}(); console.log('started')`,
];
const REGISTER = callExport('./instrumentation.ts', 'register');

test('the server itself, however it is started, names every variable that is missing, of all parts', async () => {
  const { code, output } = await run(REGISTER, { NEXT_RUNTIME: 'nodejs' });
  expect(code).toBe(1);
  expect(namesOfMissing(output)).toEqual(REQUIRED);
  expect(output).not.toContain('started');
});

test('the integration by itself, as an app has copied it, names the database with its other variables', async () => {
  const given = { ...COMPLETE, SVC_API_KEY: '', DATABASE_URL: '' };
  const { code, output } = await run(callExport('./lib/integration/start.ts', 'startIntegration'), given);
  expect(code).toBe(1);
  expect(namesOfMissing(output)).toEqual(new Set(['SVC_API_KEY', 'DATABASE_URL']));
});

test('the server itself, however it is started, names every malformed variable with its place, and ends with 1', async () => {
  const malformed = { CLERK_SECRET_KEY: 'clerk', STRIPE_SECRET_KEY: 'pk_test_1', APP_URL: 'app.example.com' };
  const given = { ...COMPLETE, ...malformed, NEXT_RUNTIME: 'nodejs' };
  const { code, output } = await run(REGISTER, given);
  expect(code).toBe(1);
  expect(output).toContain('CLERK_SECRET_KEY is malformed (has to start with sk_). Where to find it: Clerk dashboard');
  expect(output).toContain('STRIPE_SECRET_KEY is malformed');
  expect(output).toContain('APP_URL is malformed');
  expect(output).not.toContain('started');
  expect(output).not.toMatch(/^\s+at .*[:(]/m); // no stack
});

// part: emulators
test('npm run dev with a malformed variable ends the emulators that it has started for the rest', async () => {
  const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'start-'));
  const EMULATORS_PORT = await aPort();
  const given = { ...UNREACHED, STRIPE_SECRET_KEY: 'foo', DATA_DIR, PORT: await aPort(), EMULATORS_PORT };
  const { code, output } = await run(['scripts/dev.mjs'], given);
  expect(code).toBe(1);
  expect(output).toContain('STRIPE_SECRET_KEY is malformed');
  rmSync(path.join(DATA_DIR, 'emulators'), { recursive: true }); // throws if they were never started
  await expect(fetch(`http://localhost:${EMULATORS_PORT}/`)).rejects.toThrow();
  rmSync(DATA_DIR, { recursive: true });
});
// end: emulators

/** Of `npm run dev`, which runs the same function, the rows below try one thing. */
describe('npm run preview', () => {
  const script = ['scripts/preview.mjs'];
  let DATA_DIR: string;

  beforeAll(() => {
    DATA_DIR = mkdtempSync(path.join(tmpdir(), 'start-'));
  });
  afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }));

  test('with malformed variables builds and starts no app, and names each with its place', async () => {
    const malformed = {
      STRIPE_SECRET_KEY: 'foo',
      // part: service
      NEXT_PUBLIC_SVC_BASE_URL: '',
      SVC_STRIPE_WEBHOOK_SECRET: 'bar',
      // end: service
    };
    const { code, output } = await run(script, { ...COMPLETE, ...malformed, DATA_DIR, PORT: await aPort() });
    expect(code).toBe(1);
    expect(output).toContain('STRIPE_SECRET_KEY is malformed (has to start with sk_ or rk_). Where to find it: Stripe');
    // part: service
    expect(output).toContain(
      'SVC_STRIPE_WEBHOOK_SECRET is malformed (has to be whsec_ and letters and digits). Where to find it: Stripe',
    );
    // end: service
    expect(output).toMatch(/The app was not started\.\n$/);
    expect(output).not.toMatch(/^\s+at .*[:(]/m); // no stack
  });

  test('on a named port that is taken names the process, instead of taking its server for the app', async () => {
    const other = createServer((_, response) => response.end());
    await once(other.listen(0, 'localhost'), 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, output } = await run(script, { ...UNREACHED, DATA_DIR, PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(output).toMatch(new RegExp(`^Port ${port} is in use by ${describeThisProcess()}\\. Stop it`, 'm'));
  });
});

test('a command asks which database is meant where only the files for production name one', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'commands-'));
  writeFileSync(path.join(directory, '.env.production'), 'DATABASE_URL=postgresql://db.example.com/app\n');
  const script = ['--import', import.meta.resolve('tsx'), path.resolve('scripts/use-environment.ts')];
  const given = { DATABASE_URL: undefined, __NEXT_PROCESSED_ENV: undefined }; // it reads the files of its folder
  const asked = await run(script, { ...given, NODE_ENV: '' }, directory);
  expect(asked).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^DATABASE_URL is in \.env\.production, which/),
  });
  for (const NODE_ENV of ['production', 'development']) {
    expect(await run(script, { ...given, NODE_ENV }, directory)).toEqual({ code: 0, output: '' });
  }
  rmSync(directory, { recursive: true });
});

test('a preview reads the files of a local run, and not those for production, whose database it would fill', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'commands-'));
  const taken = createConnection().listen(0, 'localhost');
  await once(taken, 'listening');
  const { port } = taken.address() as AddressInfo;
  writeFileSync(path.join(directory, '.env.development'), `PORT=${port}\n`);
  writeFileSync(
    path.join(directory, '.env.production'),
    `DATABASE_URL=${UNREACHED.DATABASE_URL}\nPORT=${await aPort()}\n`,
  );
  for (const made of ['node_modules/tsx', 'prisma/generated'])
    mkdirSync(path.join(directory, made), { recursive: true });
  const given = { PORT: undefined, DATABASE_URL: undefined, __NEXT_PROCESSED_ENV: undefined };
  const { code, output } = await run([path.resolve('scripts/preview.mjs')], given, directory);
  expect(output).toContain(`Port ${port} is in use`);
  expect(code).toBe(1);
  taken.close();
  rmSync(directory, { recursive: true });
});

test('npm test that is told to end leaves no test runner behind', async () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'commands-')); // else it would delete the results of an earlier run
  symlinkSync(path.resolve('node_modules'), path.join(directory, 'node_modules'));
  mkdirSync(path.join(directory, 'prisma/generated'), { recursive: true });
  writeFileSync(
    path.join(directory, 'vitest.config.mjs'),
    "export default { test: { projects: [{ test: { name: 'programs' } }] } };\n",
  );
  const args = [path.resolve('scripts/test.mjs'), 'programs', '--', '--watch']; // a run that would not end by itself
  const child = spawn(process.execPath, args, { cwd: directory, detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close'); // once the runner, which has the same output, has ended, too
  await once(child.stdout, 'data');
  child.stdout.resume();
  child.kill('SIGTERM');
  const ended = await Promise.race([closed, once(AbortSignal.timeout(20_000), 'abort')]);
  if (ended.length === 1 && child.pid) process.kill(-child.pid, 'SIGKILL');
  rmSync(directory, { recursive: true });
  expect(ended).toEqual([null, 'SIGTERM']);
});

describe('npm run db:reset', () => {
  let DATA_DIR: string;
  const databaseFolder = () => path.join(DATA_DIR, 'postgres');
  beforeEach(() => {
    DATA_DIR = mkdtempSync(path.join(tmpdir(), 'reset-'));
    mkdirSync(databaseFolder());
  });
  afterEach(() => rmSync(DATA_DIR, { recursive: true, force: true }));
  const reset = (env: Variables = {}) => run(['scripts/db-reset.mjs'], { DATA_DIR, ...env });

  test('deletes nothing while a run has the folder open, and names it; then all of it', async () => {
    const lock = await lockDataDirectory(databaseFolder(), { command: 'npm run dev' });
    const refused = await reset();
    expect(refused.code).toBe(1);
    expect(refused.output).toContain(`${databaseFolder()} is in use by process ${process.pid} (npm run dev)`);
    expect(existsSync(databaseFolder())).toBe(true);
    await lock.release();
    expect((await reset()).output).toContain(`Deleted the local data in ${DATA_DIR}.`);
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  test('deletes no database of a PostgreSQL server, such as the volume of a container', async () => {
    writeFileSync(path.join(databaseFolder(), 'postmaster.opts'), 'postgres\n');
    expect(await reset()).toEqual({
      code: 1,
      output: expect.stringContaining(`${databaseFolder()} is a database of another program. Set DATA_DIR`),
    });
    expect(readdirSync(databaseFolder())).toEqual(['postmaster.opts']);
  });

  test('leaves what no run has put into the folder', async () => {
    for (const name of ['demo.env', 'prepared.json', 'relay.json', 'notes.txt', 'postgres.dump']) {
      writeFileSync(path.join(DATA_DIR, name), '');
    }
    expect(await reset()).toMatchObject({ code: 0 });
    expect(readdirSync(DATA_DIR).sort()).toEqual(['notes.txt', 'postgres.dump']);
  });

  test('leaves the database that DATABASE_URL names alone', async () => {
    const connected = vi.fn();
    const own = createConnection(connected);
    await once(own.listen(0, 'localhost'), 'listening');
    const { port } = own.address() as AddressInfo;
    expect(await reset({ DATABASE_URL: `postgresql://localhost:${port}/shop` })).toMatchObject({ code: 0 });
    own.close();
    expect(existsSync(DATA_DIR)).toBe(false);
    expect(connected).not.toHaveBeenCalled();
  });
});

test('npm run reconcile names the users whose webhook never arrived', async () => {
  const app = createServer(({ url, headers: { authorization } }, response) => {
    const isAsked = url === '/api/cron/reconcile' && authorization === `Bearer ${CRON_SECRET}`;
    response.writeHead(isAsked ? 200 : 500).end(JSON.stringify({ users: 3, missing: ['user_1'], done: true }));
  });
  await once(app.listen(0, 'localhost'), 'listening');
  const APP_URL = `http://localhost:${(app.address() as AddressInfo).port}`;
  const result = await run(COMMANDS.reconcile ?? [], { ...COMPLETE, CRON_SECRET, APP_URL });
  app.close();
  expect(result).toMatchObject({
    code: 0,
    output: expect.stringMatching(/^Checked 3 users .*\n {2}user_1 {2}reported now\n$/),
  });
});

const COMMANDS: Record<string, string[]> = {
  dev: ['scripts/dev.mjs'],
  build: ['scripts/build.mjs'],
  start: REGISTER,
  doctor: [...TYPESCRIPT, 'scripts/doctor.ts'],
  reconcile: [...TYPESCRIPT, 'scripts/reconcile.ts'],
  // part: service
  'program:create': [...TYPESCRIPT, 'scripts/create-program.ts', '--name', 'Acme'],
  // end: service
};

const CRON_SECRET = '0123456789abcdef';
const ROWS: Array<[command: string, what: string, variables: Variables, text: RegExp]> = [
  [
    'build',
    'a publishable key without a host',
    { NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: 'pk_test_foo' },
    new RegExp(
      [
        '^NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY is malformed .*',
        'Nothing was built\\.',
        'To try the app without any key, run `npm run preview`\\.', // part: emulators
        '$',
      ].join('\\n'),
    ),
  ],
  [
    'dev',
    'a database that is down',
    {},
    /^DATABASE_URL: nothing listens at localhost:1\..*\nThe app was not started\.$/m,
  ],
  [
    'start',
    'another value than the build',
    { BUILT_WITH: describeBuild({ ...COMPLETE, NEXT_PUBLIC_SVC_PROGRAM_ID: '456' }) },
    /built with another value of NEXT_PUBLIC_SVC_PROGRAM_ID\. Run `npm run build`/,
  ],
  [
    'doctor',
    'a missing and a malformed variable',
    { APP_URL: 'localhost:4111', STRIPE_SECRET_KEY: '', STRIPE_KEY: 'sk_test_1' },
    /^blocker {2}Variables: APP_URL is malformed[\s\S]*STRIPE_KEY is set: rename it/m,
  ],
  [
    'reconcile',
    'two malformed variables',
    { CRON_SECRET: 'short', APP_URL: 'localhost:4111' },
    /^APP_URL is malformed \(has to be a URL such as .*\nCRON_SECRET is malformed \(has to be 16 characters or longer\)/,
  ],
  // part: service
  [
    'program:create',
    'a malformed database URL',
    { DATABASE_URL: 'mysql://localhost/shop' },
    /^DATABASE_URL is malformed \(has to start with postgresql:\/\//,
  ],
  [
    'program:create',
    'a database that is down',
    {},
    /^DATABASE_URL: nothing listens at localhost:1\. Start the database/,
  ],
  // end: service
];

describe('the options of a command', () => {
  const LISTED: Array<[command: string, args: string[], options: string[]]> = [
    ['dev', ['scripts/dev.mjs'], ['--no-relay', 'PORT=']],
    ['preview', ['scripts/preview.mjs'], ['--no-relay']],
    ['db:reset', ['scripts/db-reset.mjs'], []],
    ['docs', ['scripts/docs.mjs'], ['--build', '--source']],
    [
      'doctor',
      [...TYPESCRIPT, 'scripts/doctor.ts'],
      ['--json', '--partner', '--app-url', '--source', '--clerk-webhook'],
    ],
    ['reconcile', [...TYPESCRIPT, 'scripts/reconcile.ts'], []],
    ['setup', [...TYPESCRIPT, 'scripts/setup.ts'], ['--keyless', '--live', '--deployed', '--dry-run', '--json']],
    // part: emulators, service
    ['walkthrough', ['--import', 'tsx', 'scripts/walkthrough.ts'], ['--record', '--pace']],
    ['gallery', ['scripts/gallery.mjs'], []],
    // end: emulators, service
    // part: service
    ['program:create', [...TYPESCRIPT, 'scripts/create-program.ts'], ['--name', '--policy', '--partner']],
    ['key:create', [...TYPESCRIPT, 'scripts/create-key.ts'], ['--program', '--label', '--access']],
    ['conformance', [...TYPESCRIPT, 'scripts/conformance.ts'], ['--base-url', '--program', '--key', '--partner']],
    // end: service
    ['eject', ['scripts/eject.mjs'], []], // part: eject
  ];

  test.each(LISTED)(
    'npm run %s with an option that it does not have does nothing but name those that it has',
    async (_, args, options) => {
      const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'options-'));
      mkdirSync(path.join(DATA_DIR, 'postgres'));
      const { code, output } = await run([...args, '--color'], { ...COMPLETE, DATA_DIR });
      expect(output).toMatch(/^Unknown option '--color'/);
      expect(output).not.toMatch(/^\s+at .*[:(]/m);
      for (const option of options) expect(output).toContain(option);
      expect(code).toBe(1);
      expect(readdirSync(DATA_DIR)).toEqual(['postgres']);
      rmSync(DATA_DIR, { recursive: true });
    },
  );

  test('are also listed by --help', async () => {
    expect(await run(['scripts/db-reset.mjs', '--help'], COMPLETE)).toEqual({
      code: 0,
      output: expect.stringMatching(/^npm run db:reset: deletes/),
    });
  });
});

describe('a command on a complete configuration but for one thing', () => {
  let DATA_DIR: string;
  beforeAll(() => {
    DATA_DIR = mkdtempSync(path.join(tmpdir(), 'commands-'));
  });
  afterAll(() => rmSync(DATA_DIR, { recursive: true, force: true }));

  test.each(ROWS)('npm run %s with %s ends with 1 and one sentence', async (command, _, variables, text) => {
    const given = { ...COMPLETE, DATA_DIR, PORT: await aPort(), NEXT_RUNTIME: command === 'start' ? 'nodejs' : '' };
    const { output, code } = await run(COMMANDS[command] ?? [], { ...given, ...variables });
    expect(output).toMatch(text);
    expect(output).not.toMatch(/^\s+at .*[:(]/m);
    expect(code).toBe(1);
  });
});
