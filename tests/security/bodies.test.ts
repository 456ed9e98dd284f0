import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signStripe } from '../support/calls';
import { signClerk } from '../support/sign-clerk';
import { type SuiteApp, startSuiteApp } from './suite-app';

// Bodies that are larger or slower than any genuine one. BODY_BOMBS=100 BODY_MEGABYTES=200 is the proof; the default is small.

const BOMBS = Number(process.env.BODY_BOMBS ?? 12);
const MEGABYTES = Number(process.env.BODY_MEGABYTES ?? 60);
const ALLOWED_GROWTH_KB = 20 * 1024;
const SLOW = 100;
const CHUNK = Buffer.alloc(64 * 1024, 'a');

let app: SuiteApp;
beforeAll(async () => {
  // With a small heap: in Node's own, which may have gigabytes, what was read and dropped waits for the collector and counts.
  app = await startSuiteApp({ nodeFlags: ['--max-old-space-size=128'] });
});
afterAll(() => app?.end());

const ROUTES = [
  '/api/v1/track/click',
  '/api/v1/track/lead',
  '/api/v1/track/sale',
  '/api/v1/webhooks/stripe',
  '/api/webhooks/clerk',
  '/api/webhooks/stripe',
  '/api/checkout',
  '/api/bank-transfer', // part: demo
  '/api/billing',
];

const routeOf = (index: number) => ROUTES[index % ROUTES.length] ?? '/';

const LENGTHS = ['declared', 'chunked'] as const;

/** What the process has in memory now, in KiB, as Linux counts it. */
const memory = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${app.pid}/status`, 'utf8'))?.[1]);

/** Sends a body over a connection of its own, as fast as it is taken. @returns the status; null if it was hung up on */
async function sendBody(path: string, length: (typeof LENGTHS)[number], bytes: number): Promise<number | null> {
  const socket = connect(app.port, 'localhost');
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
  socket.on('error', () => {}); // the app may hang up
  const closed = once(socket, 'close').catch(() => {});
  const answered = once(socket, 'data').catch(() => {});
  const type = path.startsWith('/api/v1') ? 'application/json' : 'application/x-www-form-urlencoded';
  const isDeclared = length === 'declared';
  const size = isDeclared ? `Content-Length: ${bytes}` : 'Transfer-Encoding: chunked';
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost:${app.port}\r\nContent-Type: ${type}\r\nSec-Fetch-Site: same-origin\r\n${size}\r\n\r\n`,
  );
  for (let sent = 0; sent < bytes && !socket.destroyed && answer === ''; sent += CHUNK.length) {
    const part = CHUNK.subarray(0, bytes - sent);
    if (!isDeclared) socket.write(`${part.length.toString(16)}\r\n`);
    if (socket.write(isDeclared ? part : Buffer.concat([part, Buffer.from('\r\n')]))) continue;
    await Promise.race([once(socket, 'drain').catch(() => {}), answered, closed]);
  }
  if (!isDeclared && !socket.destroyed) socket.write('0\r\n\r\n');
  await Promise.race([answered, closed]);
  socket.destroy();
  await closed;
  return answer === '' ? null : Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

/** The highest memory while the work runs. */
async function highestMemory(work: Promise<unknown>): Promise<number> {
  let highest = memory();
  const timer = setInterval(() => {
    highest = Math.max(highest, memory());
  }, 25);
  await work.finally(() => clearInterval(timer));
  return highest;
}

/** As many bodies at once on each route, one route after the other. @returns each status, with the route and the kind of length */
async function sendWave(megabytes = MEGABYTES): Promise<Array<[kind: string, status: number | null]>> {
  const statuses: Array<[string, number | null]> = [];
  for (const path of ROUTES) {
    const bodies = Array.from({ length: BOMBS }, async (_, index): Promise<[string, number | null]> => {
      const length = LENGTHS[index % 2] ?? 'chunked';
      return [`${path} ${length}`, await sendBody(path, length, megabytes * 1024 * 1024)];
    });
    statuses.push(...(await Promise.all(bodies)));
  }
  return statuses;
}

/** Opens connections that each send half of a body, and no more. @returns what closes them */
async function openSlow(): Promise<() => void> {
  const sockets = Array.from({ length: SLOW }, (_, index) => {
    const socket = connect(app.port, 'localhost');
    socket.on('error', () => {});
    socket.write(
      `POST ${routeOf(index)} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nSec-Fetch-Site: same-origin\r\n` +
        `Content-Length: 4000\r\n\r\n${'a'.repeat(2000)}`,
    );
    return socket;
  });
  await Promise.all(sockets.map((socket) => (socket.connecting ? once(socket, 'connect') : null)));
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

const ROUNDS = 4;

// What is held or kept shows in every round; code that is compiled, and garbage that is not collected yet, in some.
describe.runIf(process.platform === 'linux')('memory', () => {
  test(`${SLOW} connections that stop half way cost less than 200 kB each, and others are served meanwhile`, async () => {
    for (let round = 0; round < ROUNDS; round++)
      await Promise.all(Array.from({ length: SLOW }, (_, index) => sendBody(routeOf(index), 'declared', 4000))); // compiles code
    const before = memory();
    const highest: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const close = await openSlow();
      const others = Promise.all(Array.from({ length: 20 }, () => fetch(`${app.url}/healthz`)));
      highest.push(await highestMemory(others));
      expect((await others).every(({ status }) => status === 200)).toBe(true);
      close();
    }
    expect((Math.min(...highest) - before) / SLOW).toBeLessThan(200);
  });

  test(`${BOMBS} bodies of ${MEGABYTES} MB on each route, with a length and without: 413, none is held, and nothing of it kept`, async () => {
    await sendWave(1); // compiles code
    const small = await highestMemory(sendWave(1));
    const statuses = new Map<string, Set<number | null>>();
    const large: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const wave = sendWave();
      large.push(await highestMemory(wave));
      for (const [kind, status] of await wave) statuses.set(kind, (statuses.get(kind) ?? new Set()).add(status));
    }
    console.info(`memory ${small} KiB, with large bodies ${large.join(', ')} KiB`);
    expect(statuses.size).toBe(2 * ROUTES.length);
    for (const [kind, found] of statuses) {
      found.delete(null); // a connection that the app has closed while the body was being sent
      expect([...found], kind).toEqual([413]);
    }
    // Behind proxy.ts, Next reads a body to its end and drops it: pieces of all of them are on their way, and nothing more.
    expect(Math.min(...large) - small).toBeLessThan(2 * MEGABYTES * 1024);
    expect(((large.at(-1) ?? 0) - (large[0] ?? 0)) / (ROUNDS - 1)).toBeLessThan(ALLOWED_GROWTH_KB);
  }, 900_000);
});

describe('the limit of each route is its own, and no buffer in front of it cuts a body off', () => {
  const send = (path: string, body: string, headers: Record<string, string>) =>
    fetch(app.url + path, { method: 'POST', body, headers, redirect: 'manual' });
  const padded = (size: number) => {
    const event = (padding: string) =>
      JSON.stringify({
        id: 'evt_1',
        object: 'event',
        type: 'session.created',
        created: 1,
        livemode: false,
        data: { object: {}, padding },
      });
    return event('x'.repeat(size - event('').length));
  };
  const json = { 'content-type': 'application/json', authorization: `Bearer ${process.env.SVC_API_KEY}` };
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  const lead = (size: number) => {
    const body = (padding: string) => JSON.stringify({ customer_key: 'user_limit', click_id: 'unknown', padding });
    return body('x'.repeat(size - body('').length));
  };
  const checkout = (size: number) => `x=${'x'.repeat(size - 'x=&plan=studio_monthly'.length)}&plan=studio_monthly`;
  /** What only the end of a body decides: a redirect, the code of an error, or else the status. */
  const answerTo = async (response: Response) =>
    response.headers.get('location') ?? (await response.json().catch(() => ({}))).code ?? response.status;

  test.each([
    ['/api/v1/track/lead', 64 * 1024, lead, () => json, 'unknown_click'],
    ['/api/webhooks/clerk', 64 * 1024, padded, (body: string) => signClerk(body), 200],
    [
      '/api/webhooks/stripe',
      512 * 1024,
      padded,
      (body: string) => signStripe(body, process.env.STRIPE_WEBHOOK_SECRET ?? ''),
      200,
    ],
    [
      '/api/v1/webhooks/stripe',
      512 * 1024,
      padded,
      (body: string) => signStripe(body, process.env.SVC_STRIPE_WEBHOOK_SECRET ?? ''),
      200,
    ],
    ['/api/checkout', 4 * 1024, checkout, () => form, '/checkout?plan=studio_monthly&resume=payment'],
  ] as const)('%s reads %i bytes whole and refuses one more', async (path, limit, bodyOf, headersOf, expected) => {
    const [whole, over] = [bodyOf(limit), bodyOf(limit + 1)];
    expect([whole.length, over.length]).toEqual([limit, limit + 1]);
    expect(await answerTo(await send(path, whole, headersOf(whole)))).toBe(expected);
    expect((await send(path, over, headersOf(over))).status).toBe(413);
  });
});
