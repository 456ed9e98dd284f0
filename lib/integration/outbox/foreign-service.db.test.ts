// A tracking service that knows the contract, the paths, the field names and the Bearer scheme, and nothing else of ours. It is
// behind a gateway, whose address has a path.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { database } from '@/prisma/client';
import { clerkUser, userCreated } from '@/tests/support/clerk-user';
import { signClerk } from '@/tests/support/sign-clerk';

const PROGRAM = '123';
const API_KEY = 'Zm9vYmFy/key+of=any form';
const SECRET = `whsec_${Buffer.from('a secret of this test only').toString('base64')}`;
const clickId = 'cust_42_1714000000000';

type Body = Record<string, unknown>;
/** The service's records: customers by ID with their click, and sales by invoice ID. */
const leads = new Map<unknown, unknown>();
const sales = new Map<unknown, Body>();
let server: Server;
let integration: typeof import('@/lib/integration/clerk/webhook') &
  typeof import('@/lib/integration/attribution-metadata') &
  typeof import('@/lib/integration/env') &
  typeof import('./deliver');

/** §4 and §7, with error bodies that hold no code. */
function respond(path: string, authorization: string | undefined, body: Body): [status: number, body?: object] {
  if (authorization !== `Bearer ${API_KEY}`) return [401, { message: 'Who are you?' }];
  const customer = body.customer_key;
  if (path === '/tracking/api/v1/track/lead') {
    if (body.click_id !== undefined && body.click_id !== clickId) return [400, { message: 'No such click' }];
    if (body.click_id === undefined && !leads.has(customer)) return [400, { message: 'No click, no customer' }];
    if (!leads.has(customer)) leads.set(customer, body.click_id);
    return [201];
  }
  if (path !== '/tracking/api/v1/track/sale') return [405, {}];
  if (!leads.has(customer)) return [400, {}];
  if (sales.has(body.transaction_id)) return [409, {}];
  sales.set(body.transaction_id, body);
  return [204];
}

async function readJson(request: IncomingMessage): Promise<Body> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text ? JSON.parse(text) : {};
}

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = await readJson(request);
    const [status, result] = respond(request.url ?? '', request.headers.authorization, body);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(result && JSON.stringify(result));
  });
  await once(server.listen(0, 'localhost'), 'listening');
  const variables = {
    NEXT_PUBLIC_SVC_PROGRAM_ID: PROGRAM,
    NEXT_PUBLIC_SVC_BASE_URL: `http://localhost:${(server.address() as AddressInfo).port}/tracking/`,
    SVC_API_KEY: API_KEY,
    NEXT_PUBLIC_CLERK_PUBLISHABLE_KEY: `pk_test_${btoa('clerk.example.com$')}`,
    CLERK_SECRET_KEY: 'sk_test_foreign',
    CLERK_WEBHOOK_SIGNING_SECRET: SECRET,
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  vi.resetModules();
  integration = {
    ...(await import('@/lib/integration/clerk/webhook')),
    ...(await import('@/lib/integration/attribution-metadata')),
    ...(await import('@/lib/integration/env')),
    ...(await import('./deliver')),
  };
});
afterAll(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  leads.clear();
  sales.clear();
});

/** What the webhook route does with a `user.created` that Clerk signed. */
async function signUp(visitorsClick: string | null, emails: string[] = []) {
  const userId = `user_${randomUUID()}`;
  const user = clerkUser({ id: userId, unsafeMetadata: { theme: 'dark', svc_click_id: visitorsClick }, emails });
  const [messageId, body] = [`msg_${randomUUID()}`, JSON.stringify(userCreated(user))];
  const headers = new Headers(signClerk(body, { secret: SECRET, id: messageId }));
  const webhook = integration.verifyClerkWebhook(body, headers);
  const report = webhook && integration.reportOf(webhook.event);
  if (!report) throw new Error('The webhook was refused.');
  await integration.receiveReport(webhook.messageId, report);
  return { userId, entry: await database().shopOutboxEntry.findUniqueOrThrow({ where: { id: messageId } }) };
}

async function reportSale(customerExternalId: string, renewal: { isRecurring?: true; subscriptionId?: string } = {}) {
  const invoiceId = `invoice/${randomUUID()}`;
  const report = { kind: 'sale', customerExternalId, amount: 1900, currency: 'usd', invoiceId, ...renewal } as const;
  await integration.receiveReport(invoiceId, report);
  return { invoiceId, entry: await database().shopOutboxEntry.findUniqueOrThrow({ where: { id: invoiceId } }) };
}

test('the funnel runs: the click ID from sign-up settles the lead, and the sale follows', async () => {
  const { userId, entry } = await signUp(clickId, ['ada@example.com']);
  expect(entry).toMatchObject({ state: 'done', attempts: 1, lastStatus: 201 });
  expect(leads).toEqual(new Map([[userId, clickId]]));

  const sale = await reportSale(userId);
  expect(sale.entry).toMatchObject({ state: 'done', lastStatus: 204 });
  expect(sales.get(sale.invoiceId)).toMatchObject({ customer_key: userId, amount_cents: 1900 });
  expect(sales.get(sale.invoiceId)).not.toHaveProperty('is_recurring');

  const renewal = await reportSale(userId, { isRecurring: true, subscriptionId: 'sub_1' });
  expect(sales.get(renewal.invoiceId)).toMatchObject({ is_recurring: true, subscription_id: 'sub_1' });
});

test('§2: the program ID and the click ID reach the checkout metadata unchanged', async () => {
  const programId = integration.publicEnv().NEXT_PUBLIC_SVC_PROGRAM_ID;
  expect(integration.attributionMetadata({ clickId, customerExternalId: 'user_1', programId })).toEqual({
    svc_click_id: clickId,
    svc_customer_key: 'user_1',
    program_id: '123',
  });
});

test('a service without erasure is asked at its own address; the log says that nothing was erased', async () => {
  const [id, customerExternalId] = [`msg_${randomUUID()}`, `user_${randomUUID()}`];
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  await integration.receiveReport(id, { kind: 'erasure', customerExternalId });
  const lines = warn.mock.calls.flat().filter((line) => String(line).includes(id));
  warn.mockRestore();
  expect(lines).toEqual([expect.stringContaining('an erasure found nothing to erase')]);
  expect(await database().shopOutboxEntry.findUniqueOrThrow({ where: { id } })).toMatchObject({
    state: 'skipped',
    lastStatus: 405,
  });
});

test('a 400 without a code for a report without a click ID means that the customer was not referred', async () => {
  const { userId, entry } = await signUp(null);
  expect(entry).toMatchObject({ state: 'skipped', lastReason: 'not referred by a partner' });
  expect((await reportSale(userId)).entry).toMatchObject({ state: 'skipped', lastReason: 'not referred by a partner' });
});

test('a 400 without a code for a click ID is tried once more without the email, then it is a dead letter', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.spyOn(console, 'error').mockReturnValue();
  const { entry } = await signUp('cust_0_0', ['ada@example.com']);
  expect(entry).toMatchObject({ state: 'dead', attempts: 1, lastReason: 'the service refused the report' });
  expect(console.warn).toHaveBeenCalledTimes(1);
  vi.restoreAllMocks();
});
