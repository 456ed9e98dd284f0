// A reverse proxy in front of the app: it owns the address that people open and forwards to the app behind it. It records
// what passes, adds the bar to pages, and applies the faults that affect the app, so that the app contains no demo code.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { findAsset } from '../core/assets';
import { KEEP_ALIVE_MS, type RecorderOptions } from '../core/config';
import type { Emulator } from '../core/emulator';
import { idsOf } from '../core/faults';
import { describeError } from '../core/format';
import { laneOfPath } from '../core/profile';
import { BLOCKER_COOKIE, readCookie, VISITOR_COOKIE } from '../core/trace-http';
import { mentions } from '../core/trace-ids';
import { clearBrowserFaults, listBrowserFaults } from './browser-faults';
import { cookieNames, cookiesForData, expire, visitorCookie } from './cookies';
import { type Exchange, keep, LONGEST_BODY, record, startExchange } from './exchange';
import { findNotice } from './notices';
import { injectBar, isPage, relaxFraming } from './page';
import { createTunnels } from './tunnels';

/** The recorder's own paths; no app has paths with this name. */
const OWN_PATH = '/__emulators/';

type Recorder = { emulator: Emulator; options: RecorderOptions; agent: Agent };

/**
 * Starts the recorder.
 * @returns a function that stops it
 */
export async function startRecorder(emulator: Emulator, options: RecorderOptions): Promise<() => Promise<void>> {
  // A connection of its own for each request: the app closes idle ones, and may do so while a request is on its way.
  const agent = new Agent({ keepAlive: false });
  const server = createServer((request, response) => {
    handle({ emulator, options, agent }, request, response).catch((error) => fail(response, error));
  });
  const tunnels = createTunnels(options.appPort);
  server.on('upgrade', tunnels.open);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.requestTimeout = 0; // the app has its own timeouts
  await once(server.listen(options.port, 'localhost'), 'listening');
  return async () => {
    server.close();
    server.closeAllConnections();
    tunnels.close();
    agent.destroy();
    await once(server, 'close');
  };
}

async function handle(recorder: Recorder, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { emulator, options } = recorder;
  const { pathname } = new URL(`http://app${request.url}`); // it may start with two slashes
  if (pathname.startsWith(OWN_PATH)) return serveOwn(emulator, pathname.slice(OWN_PATH.length), request, response);
  const isForService = options.servicePath !== null && pathname.startsWith(options.servicePath);
  const lane = isForService ? 'service' : laneOfPath(emulator.config.profile, pathname);
  const exchange = startExchange(request, lane);
  const isBlocked = readCookie(request.headers.cookie, BLOCKER_COOKIE) === 'on';
  try {
    if (isBlocked && options.blockedPath !== null && pathname.startsWith(options.blockedPath)) {
      request.socket.destroy(); // as a blocker does: the browser gets no response at all
    } else if (!isForService || !(await refuseInOutage(emulator, request, response, exchange))) {
      await forward(recorder, request, response, exchange);
    }
  } catch (error) {
    Object.assign(exchange, fail(response, error));
  }
  record(emulator, request, exchange);
}

/** @returns whether the service is down; then this has responded */
async function refuseInOutage(
  emulator: Emulator,
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
): Promise<boolean> {
  await readBeginning(request, exchange.sent);
  if (!(await isDown(emulator, Buffer.concat(exchange.sent).toString('utf8')))) return false;
  request.resume(); // a client may not read the response before it has sent everything
  const error = 'The service is down: turn off “Service outage” in the control room, under Simulate.';
  const text = JSON.stringify({ error, code: 'unavailable' });
  Object.assign(exchange, respond(response, 503, { 'content-type': 'application/json' }, text));
  return true;
}

async function forward(
  { emulator, options: { appPort }, agent }: Recorder,
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
): Promise<void> {
  const isDocument = request.headers.accept?.includes('text/html') ?? false;
  const headers: Record<string, string | string[] | undefined> = { ...request.headers };
  headers['accept-encoding'] = 'identity'; // the bar is inserted into pages, and the trace shows text
  headers['x-forwarded-for'] = request.socket.remoteAddress; // what a client claims is ignored
  const upstream = send({
    host: 'localhost',
    port: appPort,
    method: request.method,
    path: request.url,
    headers,
    agent,
  });
  response.once('close', () => upstream.destroy());
  upstream.on('error', () => {});
  for (const chunk of exchange.sent) upstream.write(chunk);
  request.on('data', (chunk: Buffer) => keep(exchange.sent, chunk));
  request.pipe(upstream);
  // The app may respond before it has read everything: discard the rest. Registered after `pipe`, which pauses the request on close.
  upstream.once('close', () => request.resume());
  const [answered] = (await once(upstream, 'response')) as [IncomingMessage];
  const status = answered.statusCode ?? 502;
  exchange.headers = answered.headers;
  const answerHeaders = relaxFraming({ ...answered.headers }, emulator.config.url);
  const isShown = isDocument && isPage(answered);
  if (isDocument) {
    // Also for a redirect, and for the 304 for a page in the browser's cache.
    const { expired, set } = cookiesForData(emulator, request.headers.cookie);
    if (isShown && !exchange.visitor) {
      exchange.visitor = randomBytes(6).toString('hex');
      set.unshift(visitorCookie(exchange.visitor));
    }
    // The app's cookies come after the expired ones: they belong to the current data.
    const cookies = [...expired, ...(answered.headers['set-cookie'] ?? []), ...set];
    if (cookies.length > 0) answerHeaders['set-cookie'] = cookies;
  }
  if (isShown) {
    delete answerHeaders['content-length'];
    response.writeHead(status, answerHeaders);
    await pipeline(injectBar(answered), response);
  } else {
    response.writeHead(status, answerHeaders);
    answered.on('data', (chunk: Buffer) => keep(exchange.received, chunk));
    await pipeline(answered, response);
  }
  exchange.status = status;
}

/** Reads the body, or the beginning of a long one, into `chunks`. The rest can be read from the request. */
async function readBeginning(request: IncomingMessage, chunks: Buffer[]): Promise<void> {
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    chunks.push(chunk);
    if (length > 2 * LONGEST_BODY) break;
  }
}

/** Whether the service is down: the setting of the customer that this body names, else for everyone. */
async function isDown({ database }: Emulator, body: string): Promise<boolean> {
  const settings = await database.query((sql) =>
    sql<{ subject: string; value: string; ids: string[] }>(
      `SELECT f.subject, f.value, ARRAY(${idsOf('f.subject')}) AS ids
       FROM fault f WHERE f.name = 'outage' ORDER BY f.subject DESC`,
    ),
  );
  const isMeant = ({ subject, ids }: (typeof settings)[number]) =>
    subject === '' || [subject, ...ids].some((name) => mentions(body, name));
  return settings.find(isMeant)?.value === 'true';
}

/** Serves the bar's script, the new-visitor button, the list and reset of this browser's faults, and its newest notice. */
async function serveOwn(
  emulator: Emulator,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { config } = emulator;
  if (name === 'new-visitor' && request.method === 'POST') {
    respondToForm(response, isOwnForm(request, config.url), cookieNames(request.headers.cookie).map(expire));
    return;
  }
  if (name === 'faults/reset' && request.method === 'POST') {
    const isOwn = isOwnForm(request, config.url);
    if (isOwn) await clearBrowserFaults(emulator, request.headers.cookie);
    respondToForm(response, isOwn, [expire(BLOCKER_COOKIE)]);
    return;
  }
  if (name === 'faults' || name === 'notice') {
    const read = name === 'faults' ? listBrowserFaults : findNotice;
    const data = await read(emulator, request.headers.cookie);
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(JSON.stringify({ data }));
    return;
  }
  const script = name === 'bar.js' ? findAsset('bar.js') : null;
  const visitor = readCookie(request.headers.cookie, VISITOR_COOKIE) ?? '';
  const { tour, subjects } = config.profile;
  const globals = {
    emulatorsUrl: config.url,
    hasTour: tour !== undefined,
    hasNotices: subjects.some(({ notice }) => notice),
    emulatorsVisitor: visitor,
  };
  const head = `Object.assign(globalThis, ${JSON.stringify(globals)});\n`;
  response.writeHead(script ? 200 : 404, {
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-store',
  });
  response.end(script ? Buffer.concat([Buffer.from(head), script]) : undefined);
}

/** Whether a form is on a page of the app or of the control room. */
const isOwnForm = ({ headers }: IncomingMessage, url: string): boolean =>
  headers['sec-fetch-site'] === 'same-origin' || headers.origin === new URL(url).origin;

function respondToForm(response: ServerResponse, isOwn: boolean, cookies: string[]): void {
  response.writeHead(isOwn ? 303 : 403, { location: '/', ...(isOwn && { 'set-cookie': cookies }) }).end();
}

type Responded = Pick<Exchange, 'status' | 'headers' | 'received'>;

/** Responds instead of the app. */
function respond(response: ServerResponse, status: number, headers: Record<string, string>, text: string): Responded {
  response.writeHead(status, headers).end(text);
  return { status, headers, received: [Buffer.from(text)] };
}

/** @returns the response, or null if none can be sent any more */
function fail(response: ServerResponse, error: unknown): Responded | null {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return null;
  }
  const again = response.req.method === 'GET' && { refresh: '2' }; // an open tab shows the app once it has started
  const text = `The app does not respond: ${describeError(error)}. It may still be starting; if not, check its terminal.\n`;
  return respond(response, 502, { 'content-type': 'text/plain; charset=utf-8', ...again }, text);
}
