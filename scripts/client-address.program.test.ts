import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const PRELOAD = pathToFileURL(path.join(import.meta.dirname, 'client-address.mjs')).href;

const PROGRAM = `
import { createServer } from 'node:http';
const server = createServer((request, response) => response.end(request.headers['x-forwarded-for']));
server.listen(0, '127.0.0.1', async () => {
  const url = 'http://127.0.0.1:' + server.address().port;
  for (const headers of [{}, { 'x-forwarded-for': '203.0.113.7' }, { 'x-forwarded-for': '203.0.113.7' }]) {
    console.log(await (await fetch(url, { headers })).text());
  }
  process.exit();
});
`;

/** @returns what the server has seen without the header and, twice, with it; and what it has printed */
async function seen(env: Record<string, string>): Promise<{ addresses: string[]; warnings: string }> {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--import', PRELOAD, '--input-type=module', '--eval', PROGRAM],
    { env: { ...process.env, TRUSTED_PROXIES: '', ...env } },
  );
  return { addresses: stdout.trimEnd().split('\n'), warnings: stderr };
}

test('without a proxy of yours the address is that of the socket, whatever a client claims', async () => {
  for (const env of [{}, { TRUSTED_PROXIES: '0' }]) {
    expect((await seen(env)).addresses).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1']);
  }
});

test('an unknown proxy is reported once, since its visitors share one limit', async () => {
  expect((await seen({})).warnings.match(/set TRUSTED_PROXIES/g)).toHaveLength(1);
});

test('behind proxies of yours the header stays as they wrote it', async () => {
  const { addresses, warnings } = await seen({ TRUSTED_PROXIES: '1' });
  expect([addresses, warnings]).toEqual([['', '203.0.113.7', '203.0.113.7'], '']);
});
