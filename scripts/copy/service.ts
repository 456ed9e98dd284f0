// The tracking service without Next: its route handlers on Node's own server. For tests that need the real service beside an app
// of another origin, where a build of the whole project would cost a minute.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import * as rest from '@/app/(service)/api/v1/[[...path]]/route.service';
import * as events from '@/app/(service)/api/v1/events/route.service';
import * as click from '@/app/(service)/api/v1/track/click/route.service';
import * as lead from '@/app/(service)/api/v1/track/lead/route.service';
import * as sale from '@/app/(service)/api/v1/track/sale/route.service';
import * as stripe from '@/app/(service)/api/v1/webhooks/stripe/route.service';
import { createProgram } from '@/lib/service/create-program';
import { serviceEnv } from '@/lib/service/env';

type Handlers = Record<string, unknown>;

const ROUTES: Record<string, Handlers> = {
  '/api/v1/track/click': click,
  '/api/v1/track/lead': lead,
  '/api/v1/track/sale': sale,
  '/api/v1/events': events,
  '/api/v1/webhooks/stripe': stripe,
};

async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { method = 'GET', headers, url = '/' } = incoming;
  const request = new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: Object.entries(headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    ...(method === 'POST' && { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' }),
  });
  const handlers: Handlers = ROUTES[new URL(request.url).pathname] ?? rest;
  const handler = handlers[method];
  const response =
    typeof handler === 'function' ? ((await handler(request)) as Response) : new Response(null, { status: 405 });
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(await response.text());
}

const [port, programId] = process.argv.slice(2);
const partners = [{ code: 'ada', name: 'Ada' }];
const payments = { accountId: 'acct_copy', mode: 'test' } as const;
const { SVC_API_KEY: apiKey } = serviceEnv();
await createProgram({ ...(programId && { id: programId }), name: 'Copy', partners, payments, apiKey });
createServer((incoming, outgoing) => void handle(incoming, outgoing)).listen(Number(port), 'localhost', () => {
  process.send?.('ready');
});
