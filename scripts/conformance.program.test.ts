// `npm run conformance` on a service of another company that keeps the contract, in forms of its own.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { secondsToWait } from '../tests/support/service-client';
import { findObstacle } from './conformance';
import { FOREIGN_PROGRAM, startContractOnlyService } from './contract-only-service.mjs';

async function run(url: string, key = FOREIGN_PROGRAM.apiKey) {
  const { id, partner } = FOREIGN_PROGRAM;
  const service = ['--base-url', url, '--program', id, '--key', key, '--partner', partner];
  const command = ['--import', 'tsx', '--conditions=react-server', 'scripts/conformance.ts', ...service];
  const { stdout, stderr, code = 0 } = await promisify(execFile)(process.execPath, command).catch((failed) => failed);
  return { stdout, stderr, code };
}

test('npm run conformance waits for a service of another company that limits the rate, finds no statement that it fails, and ends with 0', async () => {
  const { url, stop } = await startContractOnlyService({ refusesEvery: 40 });
  const { stdout, code } = await run(url);
  await stop();
  expect(stdout.split('\n').filter((line: string) => line.includes('FAILS '))).toEqual([]);
  expect(stdout).toMatch(/^holds: [1-9]\d*, FAILS: 0, cannot be tested: \d+/m);
  expect(code).toBe(0);
});

test('a key, a program or an address that is wrong is no failure of the service', async () => {
  const { url, stop } = await startContractOnlyService();
  const { id: program, apiKey: key, partner } = FOREIGN_PROGRAM;
  const target = { baseUrl: url, program, key, partner };
  expect(await run(url, 'wrong')).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('does not know this --key'),
  });
  expect(await findObstacle({ ...target, program: 'wrong' })).toContain('--key is not a key of wrong');
  expect(await findObstacle({ ...target, baseUrl: `${url}/api` })).toContain('has no /api/v1/track/lead');
  expect(await findObstacle(target)).toBeNull();
  await stop();
  expect(await findObstacle(target)).toContain(`No response from ${url}`);
});

test.each([
  ['7', 7],
  ['3600', 60],
  ['Wed, 21 Oct 2026 07:28:00 GMT', 10],
  ['-5', 10],
  [null, 10],
])('Retry-After: %s is waited for %i s, a minute at most, so that no run hangs for an hour', (header, seconds) => {
  expect(secondsToWait(header)).toBe(seconds);
});
