// One request and its response as they pass, recorded for the trace.
import type { IncomingMessage } from 'node:http';
import { type Emulator, webhookSecrets } from '../core/emulator';
import type { Lane } from '../core/profile';
import { checkSignature } from '../core/signature';
import { isRecorded, readCookie, senderOf, VISITOR_COOKIE } from '../core/trace-http';

const STATIC = /^\/_next\/|\.(ico|svg|png|webp|woff2?|js|css|map)$/;
export const LONGEST_BODY = 512 * 1024;

type Headers = Record<string, string | string[] | undefined>;

export type Exchange = {
  from: Lane;
  to: Lane;
  at: Date;
  startedAt: number;
  sent: Buffer[];
  /** Null until the response is complete. */
  status: number | null;
  /** The headers of the response; none if there is no response. */
  headers: Headers;
  received: Buffer[];
  visitor: string | undefined;
};

export const startExchange = (request: IncomingMessage, to: Lane): Exchange => ({
  from: senderOf(request.headers),
  to,
  at: new Date(),
  startedAt: performance.now(),
  sent: [],
  status: null,
  headers: {},
  received: [],
  visitor: readCookie(request.headers.cookie, VISITOR_COOKIE),
});

/** Keeps the beginning of a body for the trace. */
export function keep(chunks: Buffer[], chunk: Buffer): void {
  if (chunks.reduce((sum, { length }) => sum + length, 0) < LONGEST_BODY) chunks.push(chunk);
}

/** Records an exchange that has ended or failed, with what was received until then. */
export function record(
  emulator: Emulator,
  request: IncomingMessage,
  { from, to, at, startedAt, sent, status, headers, received, visitor }: Exchange,
): void {
  const path = request.url ?? '/';
  if (STATIC.test(path.split('?')[0] ?? '')) return;
  const asked = { headers: flat(request.headers), body: textOf(request.headers, sent) };
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

function textOf(headers: Headers, body: Buffer[]): string {
  const type = String(headers['content-type'] ?? '');
  if (!isRecorded(type) || headers['content-encoding']) return '';
  return Buffer.concat(body).toString('utf8');
}
