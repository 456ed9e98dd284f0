// The tracker's cookies in a real browser, on two hosts of one site: docs/decisions/0012. The pages have no React and
// stand beside a service that knows the contract only.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { build } from 'esbuild';
import { expect, test } from './fixtures';

const source = (name: string) => path.resolve(import.meta.dirname, '../lib/tracker/src', name);

let server: Server;
let port: number;
let folder: string;
let script = '';
let handleFirstParty: (request: Request) => Promise<Response>;
let clicks: Array<Record<string, unknown>> = [];

/** `?tag=` is the script element of the page, without its name and source. */
function respondWithPage(url: URL, response: ServerResponse) {
  const attributes = `data-program-id="42" ${url.searchParams.get('tag') ?? ''}`;
  const element = `<script async src="/tracker.js" ${attributes}></script>`;
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(`<!doctype html><html lang="en"><title>Shop</title>${element}<h1>Shop</h1></html>`);
}

async function respond(request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
  const body = await text(request).catch(() => null);
  if (body === null) return; // the page was left
  if (url.pathname === '/tracker.js') return response.setHeader('content-type', 'text/javascript').end(script);
  if (url.pathname === '/favicon.ico') return response.writeHead(204).end();
  if (url.pathname.startsWith('/svc/')) {
    const headers = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const forwarded = await handleFirstParty(new Request(url, { method: 'POST', headers, body }));
    response.setHeader('set-cookie', forwarded.headers.getSetCookie());
    return response.writeHead(forwarded.status).end(await forwarded.text());
  }
  if (url.pathname !== '/api/v1/track/click') return respondWithPage(url, response);
  clicks.push(JSON.parse(body));
  const answer = { success: true, click_id: `cust_42_${clicks.length}`, cookie_window_days: 30 };
  return response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
}

test.beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [source('script.ts')],
    bundle: true,
    format: 'esm',
    write: false,
  });
  script = outputFiles[0]?.text ?? '';
  server = createServer((request, response) => void respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  port = (server.address() as AddressInfo).port;
  folder = mkdtempSync(path.join(tmpdir(), 'tracker-server-'));
  const outfile = path.join(folder, 'server.mjs');
  await build({ entryPoints: [source('server.ts')], bundle: true, format: 'esm', platform: 'node', outfile });
  const { createFirstPartyHandler } = await import(pathToFileURL(outfile).href);
  handleFirstParty = createFirstPartyHandler({ baseUrl: `http://localhost:${port}` });
});

test.beforeEach(() => {
  clicks = [];
});

test.afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

const address = (host: string, query: Record<string, string> = {}) =>
  `http://${host}.localhost:${port}/?${new URLSearchParams(query)}`;

const cookiesOf = async (page: Page, name = 'svc_click_id') =>
  (await page.context().cookies()).filter((cookie) => cookie.name === name);

const whenReady = (page: Page) =>
  page.waitForFunction(() => window.svcTracker).then(() => page.evaluate(() => window.svcTracker?.whenReady()));

test('a click on www.shop.localhost counts on app.shop.localhost', async ({ page }) => {
  await page.goto(address('www.shop', { aff: 'ada' }));
  await expect
    .poll(() => cookiesOf(page))
    .toMatchObject([{ value: 'cust_42_1', domain: '.shop.localhost', path: '/' }]);
  expect(await cookiesOf(page, 'svc_partner')).toMatchObject([{ value: '42ada', domain: '.shop.localhost' }]);
  await page.goto(address('app.shop'));
  expect(await whenReady(page)).toBe('cust_42_1');
  await page.goto(address('app.shop', { aff: 'ada' }));
  expect(await whenReady(page)).toBe('cust_42_1');
  expect(clicks, 'the same partner again makes no new click').toHaveLength(1);
});

test('a new click expires a host-only cookie of an earlier version', async ({ page }) => {
  await page.goto(address('www.shop'));
  await page.evaluate(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: as the earlier version wrote it
    document.cookie = 'svc_click_id=clk_old;Path=/;Max-Age=99';
  });
  expect(await whenReady(page)).toBe('clk_old');
  await page.goto(address('www.shop', { aff: 'grace' }));
  await expect.poll(() => cookiesOf(page)).toMatchObject([{ value: 'cust_42_1', domain: '.shop.localhost' }]);
  expect(clicks).toMatchObject([{ existing_click_id: 'clk_old' }]);
});

test('the first-party path sets the cookie by its response, on the domain of the site', async ({ page }) => {
  await page.addInitScript(() => {
    const cookie = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie') ?? {};
    const written: string[] = [];
    Reflect.set(window, 'writtenCookies', written);
    Object.defineProperty(Document.prototype, 'cookie', {
      ...cookie,
      set(text: string) {
        written.push(text);
        cookie.set?.call(this, text);
      },
    });
  });
  await page.goto(address('www.shop', { aff: 'ada', tag: 'data-base-url="/svc"' }));
  await expect.poll(() => whenReady(page)).toBe('cust_42_1');
  expect(await cookiesOf(page)).toMatchObject([{ value: 'cust_42_1', domain: '.shop.localhost', sameSite: 'Lax' }]);
  const written = await page.evaluate<string[]>(() => Reflect.get(window, 'writtenCookies'));
  expect(
    written.filter((text) => text.startsWith('svc_click_id=')),
    'no script has written it',
  ).toEqual([]);
  await page.goto(address('app.shop'));
  expect(await whenReady(page)).toBe('cust_42_1');
});

test('before consent nothing is stored or sent; then the link of the landing page counts', async ({ page }) => {
  await page.goto(address('www.shop', { aff: 'ada', tag: 'data-consent="required"' }));
  expect(await whenReady(page)).toBeNull();
  expect(clicks).toEqual([]);
  expect(await page.context().cookies()).toEqual([]);
  await page.evaluate(() => history.pushState(null, '', '/pricing'));
  await page.evaluate(() => window.svcTracker?.consent());
  await expect.poll(() => cookiesOf(page)).toMatchObject([{ value: 'cust_42_1' }]);
  await page.evaluate(() => window.svcTracker?.withdrawConsent());
  expect(await cookiesOf(page)).toEqual([]);
});
