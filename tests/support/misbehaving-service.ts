import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the service does with one call. `reset` records it and hangs up before the answer, `hang` never answers. */
type Behavior =
  | { status: number; body?: object | string; headers?: Record<string, string> }
  | 'record'
  | 'reset'
  | 'hang';

export type Call = {
  path: string;
  method: string;
  customer: string;
  requestId: string | undefined;
  body: Record<string, unknown>;
};

export type MisbehavingService = {
  baseUrl: string;
  apiKey: string;
  calls: Call[];
  /** How often the lead of each customer was recorded. A service of the contract would count one. */
  leads: Map<string, number>;
  behave: (decide: (call: Call) => Behavior) => void;
  stop: () => Promise<void>;
};

/** A tracking service over real HTTP that does what a test tells it to: well-behaved until then. */
export async function startMisbehavingService(): Promise<MisbehavingService> {
  let decide: (call: Call) => Behavior = () => 'record';
  const calls: Call[] = [];
  const leads = new Map<string, number>();

  const server = createServer(async (request, response) => {
    const call = await readCall(request);
    calls.push(call);
    const behavior = decide(call);
    if (behavior === 'hang') return;
    if (behavior === 'record' || behavior === 'reset') {
      leads.set(call.customer, (leads.get(call.customer) ?? 0) + 1);
      if (behavior === 'reset') return request.socket.destroy();
      return answer(response, 200, { success: true, lead_id: `led_${randomUUID()}` });
    }
    answer(response, behavior.status, behavior.body ?? { error: 'As told.', code: 'as_told' }, behavior.headers);
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    baseUrl: `http://localhost:${port}`,
    apiKey: 'svc_sk_test',
    calls,
    leads,
    behave: (next) => {
      decide = next;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readCall(request: IncomingMessage): Promise<Call> {
  let text = '';
  for await (const chunk of request) text += chunk;
  const body = text ? JSON.parse(text) : {};
  const path = request.url ?? '';
  const customer = body.customer_key ?? decodeURIComponent(path.split('/')[4] ?? '');
  const requestId = request.headers['x-request-id']?.toString();
  return { path, method: request.method ?? '', customer, requestId, body };
}

function answer(response: ServerResponse, status: number, body: object | string, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}
