import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { examineService } from './service';

/** What doctor says about the click of a service on another origin, and the requests that it made. */
async function examineClick(responseHeaders: Record<string, string>) {
  const asked: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/click')) asked.push(request.headers);
    response.writeHead(200, { 'content-type': 'application/json', ...responseHeaders }).end('{"click_id":"c_1"}');
    request.resume();
  });
  await once(server.listen(0, 'localhost'), 'listening');
  const baseUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
  const target = { baseUrl, programId: 'p_1', apiKey: 'key', appUrl: 'https://shop.example' };
  const findings = await examineService(target, 'ada');
  server.closeAllConnections();
  server.close();
  return { click: findings.find(({ check }) => check === 'Click'), asked };
}

test('doctor makes a click as the tracker does: text of another origin, which needs no preflight', async () => {
  const { click, asked } = await examineClick({ 'access-control-allow-origin': '*' });
  expect(click?.state).toBe('ok');
  expect(asked).toMatchObject([{ 'content-type': 'text/plain;charset=UTF-8', origin: 'https://shop.example' }]);
});

test.each([
  [{}, 'warning'],
  [{ 'access-control-allow-origin': 'https://other.example' }, 'warning'],
  [{ 'access-control-allow-origin': 'https://shop.example' }, 'ok'],
])('with %j the tracker’s click is %s: on a path of the app’s own it needs no such header', async (headers, state) => {
  const { click } = await examineClick(headers as Record<string, string>);
  expect(click?.state).toBe(state);
  if (state === 'warning') expect(click?.detail).toContain('pages of https://shop.example may not read the response');
});
