// A reverse proxy in front of the app: it owns the address that people open and forwards to the app behind it. It records
// what passes, adds the bar to pages, and applies the faults that concern the app, so that the app holds no demo code.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  request as send,
} from 'node:http';
import { findAsset } from '../core/assets';
import { type Emulator, KEEP_ALIVE_MS, webhookSecrets } from '../core/emulator';
import { clearFaults, listFaults } from '../core/faults';
import { type Lane, laneOfPath, NO_PROFILE } from '../core/profile';
import { checkSignature } from '../core/signature';
import { BLOCKER_COOKIE, READABLE, readCookie, senderOf, VISITOR_COOKIE } from '../core/trace-http';
import { mentions } from '../core/trace-ids';
import { injectBar, isPage, relaxFraming } from './page';
import { createTunnels } from './tunnels';

export type RecorderOptions = {
  /** The port that people open. */
  port: number;
  /** Where the app listens. */
  appPort: number;
  /** The paths of a service that runs in the app: a lane of its own, which can be taken down. */
  servicePath: string | null;
  /** The paths that a tracking blocker would block. */
  blockedPath: string | null;
};

/** The recorder's own paths; an app has none of this name. */
export const OWN_PATH = '/__emulators/';
const STATIC = /^\/_next\/|\.(ico|svg|png|webp|woff2?|js|css|map)$/;
const LONGEST_BODY = 512 * 1024;

type Exchange = { from: Lane; to: Lane; at: Date; startedAt: number; sent: Buffer[]; visitor: string | undefined };

/**
 * Starts the recorder.
 * @returns ends it
 */
export async function startRecorder(emulator: Emulator, options: RecorderOptions): Promise<() => Promise<void>> {
  // A connection of its own for each request: the app closes idle ones, and may do so while a request is on its way.
  const agent = new Agent({ keepAlive: false });
  const server = createServer((request, response) => {
    handle(emulator, options, agent, request, response).catch((error) => fail(response, error));
  });
  const tunnels = createTunnels(options.appPort);
  server.on('upgrade', tunnels.open);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.requestTimeout = 0; // the app has time-outs of its own
  await listen(server, options.port);
  return async () => {
    server.close();
    server.closeAllConnections();
    tunnels.close();
    agent.destroy();
    await once(server, 'close');
  };
}

async function listen(server: Server, port: number): Promise<void> {
  await once(server.listen(port, 'localhost'), 'listening');
}

async function handle(
  emulator: Emulator,
  options: RecorderOptions,
  agent: Agent,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://app');
  if (pathname.startsWith(OWN_PATH)) return serveOwn(emulator, pathname.slice(OWN_PATH.length), request, response);
  const { servicePath, blockedPath } = options;
  const isForService = servicePath !== null && pathname.startsWith(servicePath);
  const lane = isForService ? 'service' : laneOfPath(emulator.config.profile ?? NO_PROFILE, pathname);
  const isBlocked = readCookie(request.headers.cookie, BLOCKER_COOKIE) === 'on';
  if (isBlocked && blockedPath !== null && pathname.startsWith(blockedPath)) {
    request.socket.destroy(); // as a blocker does: the browser gets no response at all
    record(emulator, request, startExchange(request, lane), null, {}, Buffer.alloc(0));
    return;
  }
  const beginning = isForService ? await readBeginning(request) : Buffer.alloc(0);
  const exchange = startExchange(request, lane);
  exchange.sent.push(beginning);
  if (isForService && (await isDown(emulator, beginning.toString('utf8')))) {
    request.resume(); // a client may read no response before it has sent everything
    const text = JSON.stringify({
      error: 'The service is down: an outage is switched on in the control room.',
      code: 'unavailable',
    });
    response.writeHead(503, { 'content-type': 'application/json' }).end(text);
    record(emulator, request, exchange, 503, { 'content-type': 'application/json' }, Buffer.from(text));
    return;
  }
  await forward(emulator, options, agent, request, response, exchange);
}

const startExchange = (request: IncomingMessage, to: Lane): Exchange => ({
  from: senderOf(request.headers),
  to,
  at: new Date(),
  startedAt: performance.now(),
  sent: [],
  visitor: readCookie(request.headers.cookie, VISITOR_COOKIE),
});

async function forward(
  emulator: Emulator,
  { appPort }: RecorderOptions,
  agent: Agent,
  request: IncomingMessage,
  response: ServerResponse,
  exchange: Exchange,
): Promise<void> {
  const isDocument = request.headers.accept?.includes('text/html') ?? false;
  const headers: Record<string, string | string[] | undefined> = { ...request.headers };
  headers['accept-encoding'] = 'identity'; // the bar is written into pages, and the trace shows texts
  headers['x-forwarded-for'] = request.socket.remoteAddress; // what a client claims of itself counts for nothing
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
  for (const chunk of exchange.sent) if (chunk.length > 0) upstream.write(chunk);
  request.on('data', (chunk: Buffer) => keep(exchange.sent, chunk));
  request.pipe(upstream);
  // The app may respond before it has read everything: discard the rest. Registered after `pipe`, which pauses the request on close.
  upstream.once('close', () => request.resume());
  const [answered] = (await once(upstream, 'response')) as [IncomingMessage];
  const status = answered.statusCode ?? 502;
  const received: Buffer[] = [];
  const answerHeaders = relaxFraming({ ...answered.headers }, emulator.config.url);
  if (isDocument && isPage(answered)) {
    delete answerHeaders['content-length'];
    if (!exchange.visitor) {
      exchange.visitor = randomBytes(6).toString('hex');
      const cookie = `${VISITOR_COOKIE}=${exchange.visitor}; Path=/; HttpOnly; SameSite=Lax`;
      answerHeaders['set-cookie'] = [...(answered.headers['set-cookie'] ?? []), cookie];
    }
    response.writeHead(status, answerHeaders);
    for await (const chunk of injectBar(answered)) {
      keep(received, chunk);
      if (!response.write(chunk)) await once(response, 'drain');
    }
    response.end();
  } else {
    response.writeHead(status, answerHeaders);
    answered.on('data', (chunk: Buffer) => keep(received, chunk));
    answered.pipe(response);
    await once(answered, 'close');
  }
  record(emulator, request, exchange, status, answered.headers, Buffer.concat(received));
}

/** Keeps the beginning of a body for the trace. */
function keep(chunks: Buffer[], chunk: Buffer): void {
  if (chunks.reduce((sum, { length }) => sum + length, 0) < LONGEST_BODY) chunks.push(chunk);
}

/** The body, or the beginning of a long one. What is left can be read from the request. */
async function readBeginning(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += chunk.length;
    chunks.push(chunk);
    if (length > 2 * LONGEST_BODY) break;
  }
  return Buffer.concat(chunks);
}

/** Whether the service is down: for the customer whose email address is in this body, where that is set, else for everyone. */
async function isDown({ database }: Emulator, body: string): Promise<boolean> {
  const settings = await database.query((sql) =>
    sql<{ subject: string; value: string }>(
      "SELECT subject, value FROM fault WHERE name = 'outage' ORDER BY subject DESC",
    ),
  );
  return settings.find(({ subject }) => subject === '' || mentions(body, subject))?.value === 'true';
}

type Headers = Record<string, string | string[] | undefined>;

function record(
  emulator: Emulator,
  request: IncomingMessage,
  { from, to, at, startedAt, sent, visitor }: Exchange,
  status: number | null,
  headers: Headers,
  received: Buffer,
): void {
  const path = request.url ?? '/';
  if (STATIC.test(path.split('?')[0] ?? '')) return;
  const asked = { headers: flat(request.headers), body: textOf(request.headers, Buffer.concat(sent)) };
  const signature = checkSignature(asked, webhookSecrets(emulator));
  emulator.trace.record({
    at: at.toISOString(),
    from,
    to,
    method: request.method ?? 'GET',
    path,
    status,
    duration_ms: Math.round(performance.now() - startedAt),
    request: asked,
    response: { headers: flat(headers), body: textOf(headers, received) },
    ...(visitor && { visitor }),
    ...(signature && { signature }),
  });
}

const flat = (headers: Headers): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]));

function textOf(headers: Headers, body: Buffer): string {
  const type = String(headers['content-type'] ?? '');
  if (!READABLE.test(type) || type.includes('html') || headers['content-encoding']) return '';
  return body.toString('utf8');
}

/** The bar's script, and the button that starts again as a new visitor. */
async function serveOwn(
  emulator: Emulator,
  name: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { config, database } = emulator;
  if (name === 'new-visitor' && request.method === 'POST') {
    const names = (request.headers.cookie ?? '').split(/;\s*/).map((pair) => pair.split('=')[0] ?? '');
    const cookies = names.filter(Boolean).map((cookie) => `${cookie}=; Path=/; Max-Age=0`);
    respondToForm(response, isOwnForm(request, config.url), cookies);
    return;
  }
  if (name === 'faults/reset' && request.method === 'POST') {
    const isOwn = isOwnForm(request, config.url);
    if (isOwn) await clearFaults(emulator);
    respondToForm(response, isOwn, [`${BLOCKER_COOKIE}=; Path=/; Max-Age=0`]);
    return;
  }
  if (name === 'faults') {
    const isBlocked = readCookie(request.headers.cookie, BLOCKER_COOKIE) === 'on';
    const blocker = isBlocked ? [{ name: 'tracker_blocked', subject: '', value: 'true' }] : [];
    const data = [...(await database.query(listFaults)), ...blocker];
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(JSON.stringify({ data }));
    return;
  }
  const script = name === 'bar.js' ? findAsset('bar.js') : null;
  const visitor = readCookie(request.headers.cookie, VISITOR_COOKIE) ?? '';
  const globals = { emulatorsUrl: config.url, hasTour: config.profile?.tour !== undefined, emulatorsVisitor: visitor };
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

function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const reason = error instanceof Error ? error.message : String(error);
  const again = response.req.method === 'GET' && { refresh: '2' }; // a tab that was open shows the app once it has started
  response.writeHead(502, { 'content-type': 'text/plain; charset=utf-8', ...again });
  response.end(`The app does not answer: ${reason}. It may still be starting; its terminal says more.\n`);
}
