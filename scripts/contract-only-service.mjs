// A tracking service of another company, for tests: it keeps the contract and the wire format, and nothing else. Its IDs,
// its key and its errors have forms of their own, so that code which relies on any other form does not pass.
import { once } from 'node:events';
import { createServer } from 'node:http';

export const FOREIGN_PROGRAM = { id: '123', apiKey: 'a-key-of-another-form', partner: 'ada' };

/** @typedef {{ path: string, body: Record<string, unknown>, hasKey: boolean, status: number }} Call */

/**
 * Starts the service on a free port of this machine.
 * @returns {Promise<{ url: string, stop(): Promise<void> }>} `GET /calls` there lists what it was sent
 */
export async function startContractOnlyService() {
  /** @type {Call[]} */
  const calls = [];
  const clicks = new Set();
  const customers = new Set();

  /** @type {Record<string, (body: any, hasKey: boolean) => { status: number, body: object }>} */
  const routes = {
    '/api/v1/track/click'({ affiliate_url: url, program_id: program }) {
      const isKnown = URL.canParse(url) && new URL(url).searchParams.get('aff') === FOREIGN_PROGRAM.partner;
      if (!isKnown || program !== FOREIGN_PROGRAM.id)
        return { status: 400, body: { error: 'Unknown partner or program.' } };
      const id = `cust_42_${1_714_000_000_000 + clicks.size}`;
      clicks.add(id);
      return {
        status: 200,
        body: { success: true, click_id: id, partner_code: FOREIGN_PROGRAM.partner, cookie_window_days: 30 },
      };
    },
    '/api/v1/track/lead'({ customer_key: customer, click_id: click }, hasKey) {
      if (!clicks.has(click) && !customers.has(customer)) return { status: 400, body: { error: 'Not referred.' } };
      if (!hasKey) return { status: 200, body: { success: true, provisional: true, message: 'Provisional.' } };
      customers.add(customer);
      return { status: 200, body: { success: true, lead_id: String(customers.size), message: 'Settled.' } };
    },
  };

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://service');
    let text = '';
    for await (const chunk of request) text += chunk;
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('content-type', 'application/json');
    if (pathname === '/calls') {
      response.end(JSON.stringify(calls));
      return;
    }
    const { authorization } = request.headers;
    const hasKey = authorization === `Bearer ${FOREIGN_PROGRAM.apiKey}`;
    const route = routes[pathname];
    const body = text ? JSON.parse(text) : {};
    const result =
      authorization && !hasKey
        ? { status: 401, body: { error: 'Unknown key.' } }
        : (route?.(body, hasKey) ?? { status: 404, body: { error: 'Unknown route.' } });
    calls.push({ path: pathname, body, hasKey, status: result.status });
    response.writeHead(result.status).end(JSON.stringify(result.body));
  });
  await once(server.listen(0, 'localhost'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://localhost:${port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
