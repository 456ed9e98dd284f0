import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bareEnvironment, blankEnvironment, completeEnvironment, type Environment, readDemoEnv } from './local-env.mjs';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'env-'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(directory, { recursive: true });
});

const MODULE = new URL('./local-env.mjs', import.meta.url);

test('a program with a bare environment has no variable of yours, neither of the shell nor of .env.local', () => {
  const source = `import(${JSON.stringify(MODULE)}).then(({ loadEnvironment: load }) => console.log(load().SVC_API_KEY ?? 'unset'))`;
  const read = (given: Environment) => {
    const env = { ...given, NODE_ENV: 'production' as const }; // for tests, Next's loader leaves .env.local out
    return execFileSync(process.execPath, ['-e', source], { cwd: directory, env, encoding: 'utf8' });
  };
  writeFileSync(path.join(directory, '.env.local'), 'SVC_API_KEY=yours\n');
  const { __NEXT_PROCESSED_ENV, ...unset } = bareEnvironment();
  expect(read(unset)).toBe('yours\n');
  expect(read(bareEnvironment())).toBe('unset\n');
  expect(bareEnvironment()).not.toHaveProperty('SVC_API_KEY');
});

test.each(['production', 'development'])(
  'NODE_ENV=%s of the shell reaches no program: a command has its own',
  (NODE_ENV) => {
    const source = `import(${JSON.stringify(MODULE)}).then(({ loadEnvironment: load }) =>
    console.log(JSON.stringify([load().NODE_ENV, load({ dev: false }).NODE_ENV])))`;
    const env = { ...process.env, NODE_ENV: NODE_ENV as 'production' };
    const loaded = execFileSync(process.execPath, ['-e', source], { cwd: directory, env, encoding: 'utf8' });
    expect(JSON.parse(loaded)).toEqual([null, 'production']);
    vi.stubEnv('NODE_ENV', NODE_ENV);
    expect(bareEnvironment()).not.toHaveProperty('NODE_ENV');
    expect(blankEnvironment()).not.toHaveProperty('NODE_ENV');
  },
);

test('NODE_ENV=test of the shell hides no file: a command would use another data folder', () => {
  writeFileSync(path.join(directory, '.env.local'), 'DATA_DIR=.data-mine\n');
  const source = `import(${JSON.stringify(MODULE)}).then(({ loadEnvironment: load }) => console.log(load().DATA_DIR))`;
  const { VITEST: _, __NEXT_PROCESSED_ENV, ...shell } = process.env;
  const env = { ...shell, DATA_DIR: undefined, NODE_ENV: 'test' as const };
  expect(execFileSync(process.execPath, ['-e', source], { cwd: directory, env, encoding: 'utf8' })).toBe(
    '.data-mine\n',
  );
});

test('what a local run generates is kept, also by a run in a shell that has sourced it', () => {
  const { CRON_SECRET } = completeEnvironment({ DATA_DIR: directory }, {});
  const generated = readDemoEnv({ DATA_DIR: directory });
  expect(generated).toMatchObject({ CRON_SECRET });
  expect(statSync(path.join(directory, 'demo.env')).mode & 0o777, 'its owner alone reads it').toBe(0o600);
  completeEnvironment({ ...generated, DATA_DIR: directory }, {});
  expect(readDemoEnv({ DATA_DIR: directory })).toEqual(generated);
});

test('your own values win over what is generated, kept from earlier runs, or chosen for this one', () => {
  completeEnvironment({ DATA_DIR: directory }, {});
  const own = { DATA_DIR: directory, CRON_SECRET: 'yours', DATABASE_URL: 'postgres://localhost/yours' };
  expect(completeEnvironment(own, { DATABASE_URL: 'postgres://localhost/embedded' })).toMatchObject(own);
  expect(readDemoEnv(own), 'a later command would write to it').not.toHaveProperty('DATABASE_URL');
  expect(readDemoEnv(own), 'a shell with it would call the app with another one').not.toHaveProperty('CRON_SECRET');
});

// part: service
test('a local run generates the keys of the demo programs, unless you have a program of your own', () => {
  const key = expect.stringMatching(/^svc_sk_/);
  const demo = completeEnvironment({ DATA_DIR: directory }, {});
  expect(demo).toMatchObject({ SVC_API_KEY: key, SVC_OPEN_API_KEY: key });
  const own = completeEnvironment({ DATA_DIR: directory, SVC_API_KEY: 'svc_sk_own' }, {});
  const { SVC_OPEN_API_KEY, ...others } = demo; // without it nothing is seeded
  expect(own).toEqual({ ...others, DATA_DIR: directory, SVC_API_KEY: 'svc_sk_own' });
});
// end: service
