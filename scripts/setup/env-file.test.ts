import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { decideDataDirectory, editEnv, newSecrets, readEnvFile, writeEnvFile } from './env-file';

const directory = mkdtempSync(path.join(tmpdir(), 'setup-'));
afterAll(() => rmSync(directory, { recursive: true }));

describe('an env file', () => {
  test('keeps every other line, comment and order; what is missing follows at the end', () => {
    const text = '# Mine\nAPP_URL=http://localhost:4000\nDATA_DIR=\nOTHER="a # b"\n';
    expect(editEnv(text, { DATA_DIR: '.data-test', CRON_SECRET: 'abc' })).toBe(
      '# Mine\nAPP_URL=http://localhost:4000\nDATA_DIR=.data-test\nOTHER="a # b"\n\n# Written by npm run setup\nCRON_SECRET=abc\n',
    );
  });

  test('a copy of .env.example keeps its comments and has each variable once', () => {
    const edited = editEnv(readFileSync('.env.example', 'utf8'), { STRIPE_SECRET_KEY: 'sk_test_1', DATA_DIR: 'x' });
    expect(edited).toMatch(/^# API keys, .*\nSTRIPE_SECRET_KEY=sk_test_1$/m);
    expect(edited.match(/^STRIPE_SECRET_KEY=/gm)).toHaveLength(1);
    expect(edited).not.toContain('Written by');
    expect(parseEnv(edited)).toMatchObject({ STRIPE_SECRET_KEY: 'sk_test_1', DATA_DIR: 'x' });
  });

  test('repeating the same values changes nothing', () => {
    const once = editEnv('', { A_KEY: 'a+/=', B_KEY: 'it costs $1' });
    expect(editEnv(once, { A_KEY: 'a+/=', B_KEY: 'it costs $1' })).toBe(once);
    expect(parseEnv(once)).toEqual({ A_KEY: 'a+/=', B_KEY: 'it costs $1' });
  });

  test('with the line ends of Windows has each variable once', () => {
    const edited = editEnv('A_KEY=old # mine\r\nB_KEY=b\r\n', { A_KEY: 'new' });
    expect(edited).toBe('A_KEY=new # mine\r\nB_KEY=b\r\n');
  });

  test('a value may have an apostrophe or a space', () => {
    const values = { A_KEY: "Ada's", B_KEY: 'of two words' };
    expect(parseEnv(editEnv('', values))).toEqual(values);
    expect(parseEnv(editEnv('A_KEY="old" # mine\n', values))).toEqual(values);
  });

  test('is readable by its owner only, also where it was readable by all before', () => {
    const file = path.join(directory, '.env.local');
    writeFileSync(file, 'APP_URL=http://localhost:4000\n', { mode: 0o644 });
    writeEnvFile(directory, { CRON_SECRET: 'abc' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readEnvFile(directory)).toEqual({ APP_URL: 'http://localhost:4000', CRON_SECRET: 'abc' });
    expect(readdirSync(directory)).toEqual(['.env.local']);
  });
});

describe('the secrets of the local webhooks', () => {
  test('are generated where there is none, each another one', () => {
    const secrets = newSecrets({});
    const names = ['CLERK_WEBHOOK_SIGNING_SECRET', 'STRIPE_WEBHOOK_SECRET', 'CRON_SECRET'];
    expect(Object.keys(secrets)).toEqual(expect.arrayContaining(names));
    expect(secrets.STRIPE_WEBHOOK_SECRET).toMatch(/^whsec_[\w+/]{32}$/);
    expect(new Set(Object.values(secrets)).size).toBe(Object.keys(secrets).length);
  });

  test('stay where they are set; a blank one is none', () => {
    const secrets = newSecrets({ STRIPE_WEBHOOK_SECRET: 'whsec_mine', CLERK_WEBHOOK_SIGNING_SECRET: ' ' });
    expect(secrets).not.toHaveProperty('STRIPE_WEBHOOK_SECRET');
    expect(secrets).toHaveProperty('CLERK_WEBHOOK_SIGNING_SECRET');
  });

  // part: service
  test('are for the embedded service too, and not where it is another one', () => {
    expect(newSecrets({})).toHaveProperty('SVC_STRIPE_WEBHOOK_SECRET');
    expect(newSecrets({ NEXT_PUBLIC_SVC_BASE_URL: 'https://svc.example.com' })).not.toHaveProperty(
      'SVC_STRIPE_WEBHOOK_SECRET',
    );
  });
  // end: service
});

describe('the data folder', () => {
  const taken = (...folders: string[]) => ({
    exists: (folder: string) => folders.includes(folder),
  });
  const decide = (current: string | undefined, isSameKeys: boolean, { exists } = taken()) =>
    decideDataDirectory({ current, isSameKeys }, exists);

  test('is a new one for new keys', () => {
    expect(decide(undefined, false)).toBe('.data-test');
    expect(decide(undefined, false, taken('.data-test', '.data-test-2'))).toBe('.data-test-3');
    expect(decide('.data-test', false, taken('.data-test'))).toBe('.data-test-2');
  });

  test('stays for the same keys, and where the folder is yet to be made', () => {
    expect(decide('.data-test', true, taken('.data-test'))).toBe('.data-test');
    expect(decide('.mine', false)).toBe('.mine');
  });
});
