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
  const response = await fetch(url, { headers: { 'x-forwarded-for': '203.0.113.7' } });
  console.log(await response.text());
  process.exit();
});
`;

async function seenAddress(env: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', PRELOAD, '--input-type=module', '--eval', PROGRAM],
    { env: { ...process.env, TRUSTED_PROXIES: '', ...env } },
  );
  return stdout.trim();
}

test('without a proxy of yours the address is that of the socket, whatever a client claims', async () => {
  expect(await seenAddress({})).toBe('127.0.0.1');
  expect(await seenAddress({ TRUSTED_PROXIES: '0' })).toBe('127.0.0.1');
});

test('behind proxies of yours the header stays as they wrote it', async () => {
  expect(await seenAddress({ TRUSTED_PROXIES: '1' })).toBe('203.0.113.7');
});
