// A tracking service of another company, for tests: it keeps the contract and the wire format, and nothing else. Where they are
// silent it has forms of its own (IDs, the key, bodies, 201 for 2xx, 403 for 401, 422 for what it cannot read, no preflight), so that
// code which relies on any other form does not pass.
import { once } from 'node:events';
import { createServer } from 'node:http';

export const FOREIGN_PROGRAM = { id: '123', apiKey: 'a-key-of-another-form', partner: 'ada' };

/** @typedef {{ status: number, body: object | string }} Result a text body is sent as text/plain */
/** @typedef {{ path: string, body: unknown, hasKey: boolean, status: number }} Call */

/** @param {string} error @returns {Result} */
const refuse = (error, status = 400) => ({ status, body: { error } });
const FORBIDDEN = { status: 403, body: 'Forbidden' };

/**
 * Starts the service on a free port of this machine.
 * @param {{ refusesEvery?: number }} options how many requests it takes until it refuses one with 429; by default it never does
 * @returns {Promise<{ url: string, stop(): Promise<void> }>} `GET /calls` there lists what it was sent
 */
export async function startContractOnlyService({ refusesEvery = Number.POSITIVE_INFINITY } = {}) {
  let received = 0;
  /** @type {Call[]} */
  const calls = [];
  const clicks = new Set();
  const customers = new Set();
  const invoices = new Set();

  /** @type {Record<string, (body: any, hasKey: boolean) => Result>} */
  const routes = {
    '/api/v1/track/click'({ affiliate_url: url, program_id: program }) {
      const isKnown = URL.canParse(url) && new URL(url).searchParams.get('aff') === FOREIGN_PROGRAM.partner;
      if (!isKnown || program !== FOREIGN_PROGRAM.id) return refuse('Unknown partner or program.');
      const id = `cust_42_${1_714_000_000_000 + clicks.size}`;
      clicks.add(id);
      return { status: 201, body: { click_id: id, cookie_window_days: 30 } };
    },
    '/api/v1/track/lead'(lead, hasKey) {
      const { customer_key: customer, click_id: click, program_id: program, additional_data: data } = lead;
      if (typeof customer !== 'string') return refuse('No customer.', 422);
      if (!hasKey) {
        const isKnown = program === FOREIGN_PROGRAM.id && clicks.has(click);
        return isKnown ? { status: 200, body: { provisional: true } } : refuse('Unknown program or click.');
      }
      const isTest = data?.test_mode === true && data.program_id === FOREIGN_PROGRAM.id;
      if (!isTest && !clicks.has(click) && !customers.has(customer)) return refuse('Not referred.');
      customers.add(customer);
      return { status: 201, body: { id: customers.size } };
    },
    '/api/v1/track/sale'({ customer_key: customer, amount_cents: amount, transaction_id: invoice }, hasKey) {
      if (!hasKey) return FORBIDDEN;
      if (typeof customer !== 'string' || !Number.isInteger(amount) || typeof invoice !== 'string')
        return refuse('No customer, amount or invoice.', 422);
      if (!customers.has(customer)) return refuse('Unknown customer.');
      if (invoices.has(invoice)) return refuse('Used invoice.', 409);
      invoices.add(invoice);
      return { status: 201, body: {} };
    },
  };

  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://service');
    let text = '';
    for await (const chunk of request) text += chunk;
    if (pathname === '/calls') {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(calls));
      return;
    }
    const { authorization, origin } = request.headers;
    if (origin && pathname !== '/api/v1/track/sale') {
      response.setHeader('access-control-allow-origin', origin).setHeader('vary', 'origin');
    }
    if (request.method !== 'POST') {
      response.writeHead(405).end();
      return;
    }
    received += 1;
    if (received % refusesEvery === 0) {
      response.writeHead(429, { 'retry-after': '1' }).end();
      return;
    }
    const hasKey = authorization === `Bearer ${FOREIGN_PROGRAM.apiKey}`;
    const body = parse(text);
    const { status, body: answer } =
      authorization && !hasKey
        ? FORBIDDEN
        : body === null
          ? refuse('No JSON object.', 422)
          : (routes[pathname]?.(body, hasKey) ?? refuse('Unknown route.', 404));
    calls.push({ path: pathname, body, hasKey, status });
    const isText = typeof answer === 'string';
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' });
    response.end(isText ? answer : JSON.stringify(answer));
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

/** @param {string} text @returns {unknown} null for what is no JSON */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
