import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllEnvs());

/** A module of its own, since values are read once. */
async function readEnv(variables: Record<string, string>) {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  vi.resetModules();
  return import('./env');
}

test('the line break of a mounted secret is ignored', async () => {
  const { serviceEnv } = await readEnv({
    SVC_STRIPE_WEBHOOK_SECRET: 'whsec_1\n',
    CRON_SECRET: ' secret\r\n',
    TRUSTED_PROXIES: '2\n',
  });
  expect(serviceEnv()).toMatchObject({
    SVC_STRIPE_WEBHOOK_SECRET: 'whsec_1',
    CRON_SECRET: 'secret',
    TRUSTED_PROXIES: 2,
  });
});

test('blank means unset', async () => {
  const { serviceEnv, findServiceEnvProblems } = await readEnv({
    SVC_STRIPE_WEBHOOK_SECRET: ' ',
    CRON_SECRET: '',
    TRUSTED_PROXIES: ' ',
  });
  expect(serviceEnv()).toMatchObject({
    SVC_STRIPE_WEBHOOK_SECRET: undefined,
    CRON_SECRET: undefined,
    TRUSTED_PROXIES: 0,
  });
  expect(findServiceEnvProblems('build')).toEqual([]);
  expect(findServiceEnvProblems('run').map(({ variable }) => variable)).toEqual(['SVC_STRIPE_WEBHOOK_SECRET']);
});

test('everything that is wrong is named at once', async () => {
  const { findServiceEnvProblems } = await readEnv({ SVC_STRIPE_WEBHOOK_SECRET: 'sk_test_1', TRUSTED_PROXIES: '11' });
  expect(findServiceEnvProblems('build').map(({ variable }) => variable)).toEqual([
    'SVC_STRIPE_WEBHOOK_SECRET',
    'TRUSTED_PROXIES',
  ]);
});
