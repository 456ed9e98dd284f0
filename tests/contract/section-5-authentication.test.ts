import { describe, expect, test } from 'vitest';
import { aProgram, isRemote } from '../support/program';
import { request, serviceFor, UNAUTHORIZED } from '../support/service-client';
import { invoicePaid, signatureOf } from '../support/stripe-events';
import { unique } from '../support/unique';

const local = test.skipIf(isRemote);

// Some servers cannot tell an empty header from none.
const wrong = ['Bearer svc_sk_wrong', 'Bearer', 'Bearer ', 'Basic c3ZjOnNr', 'svc_sk_wrong', ...(isRemote ? [] : [''])];

describe('§5 Server calls for leads and sales: the program API key', () => {
  test.each(wrong)('a lead with the authorization %j is refused, never a browser lead', async (authorization) => {
    const program = await aProgram();
    const body = { customer_key: unique('user'), program_id: program.programId, click_id: 'clk_1' };
    expect((await request('/track/lead', { body, headers: { authorization } })).status).toEqual(UNAUTHORIZED);
  });

  test.each(wrong)('a sale with the authorization %j is refused', async (authorization) => {
    const body = { customer_key: unique('user'), amount_cents: 1, transaction_id: unique('in') };
    expect((await request('/track/sale', { body, headers: { authorization } })).status).toEqual(UNAUTHORIZED);
  });

  local.each(wrong)('events with the authorization %j are 401', async (authorization) => {
    expect((await request('/events', { method: 'GET', headers: { authorization } })).status).toBe(401);
  });

  local.each([
    ['POST', '/track/lead', '{"customer_key"'],
    ['POST', '/track/lead', '{}'],
    ['POST', '/track/lead', '{"customer_key":"user_1","additional_data":{"test_mode":true}}'],
    ['POST', '/track/sale', '[]'],
    ['GET', '/events?limit=x', undefined],
  ])('a stranger learns nothing of what is wrong with a request: %s %s %s is 401', async (method, path, body) => {
    const headers = { authorization: 'Bearer svc_sk_wrong' };
    expect(await request(path, { method, body, headers })).toMatchObject({
      status: 401,
      body: { code: 'invalid_api_key' },
    });
  });

  local('a malformed sale without any key is 401, too', async () => {
    expect(await request('/track/sale', { body: '{}' })).toMatchObject({
      status: 401,
      body: { code: 'missing_api_key' },
    });
  });

  local('malformed requests count as requests', async () => {
    const { apiKey } = await aProgram({ serverRequestsPerMinute: 0 });
    const response = await request('/track/sale', { body: '{}', headers: { authorization: `Bearer ${apiKey}` } });
    expect(response.status).toBe(429);
  });

  local('the scheme is read in any case', async () => {
    const program = await aProgram();
    const headers = { authorization: `bearer ${program.apiKey}` };
    expect((await request('/events', { method: 'GET', headers })).status).toBe(200);
  });

  local('a key opens its own program only', async () => {
    const [mine, other] = [await aProgram(), await aProgram()];
    const service = serviceFor(mine);
    const customer_key = unique('user');
    await service.serverLead({ customer_key, click_id: await service.clickId() });
    const sale = await serviceFor(other).sale({ customer_key, transaction_id: unique('in') });
    expect(sale).toMatchObject({ status: 400, body: { code: 'unknown_customer' } });
    expect(await serviceFor(other).events()).toEqual([]);
  });
});

describe('§5 Browser tracker: program ID only', () => {
  // A click names its program, so a service may do without the field.
  local('a browser lead without a program ID is 400', async () => {
    const body = { customer_key: unique('user'), click_id: await serviceFor(await aProgram()).clickId() };
    expect((await request('/track/lead', { body })).status).toBe(400);
  });

  local('a browser lead of an unknown program is 400', async () => {
    const click_id = await serviceFor(await aProgram()).clickId();
    const body = { customer_key: unique('user'), click_id, program_id: 'prg_nowhere' };
    const response = await request('/track/lead', { body });
    expect(response).toMatchObject({ status: 400, body: { code: 'unknown_program' } });
  });
});

describe('§5 Payment-provider webhooks: through the connected payment account', () => {
  const send = (body: string, headers: Record<string, string>) => request('/webhooks/stripe', { body, headers });
  const body = JSON.stringify(invoicePaid({ metadata: {} }));
  const invalid = { status: 400, body: { code: 'invalid_signature' } };

  local('an event without a signature is 400', async () => {
    expect(await send(body, {})).toMatchObject(invalid);
  });

  local('an event with the signature of another secret is 400', async () => {
    expect(await send(body, { 'stripe-signature': signatureOf(body, { key: 'whsec_other' }) })).toMatchObject(invalid);
  });

  local('an event that was changed after it was signed is 400', async () => {
    expect(await send(body.replace('1900', '9900'), { 'stripe-signature': signatureOf(body) })).toMatchObject(invalid);
  });

  local('an event that was signed long ago is 400', async () => {
    const timestamp = Math.floor(Date.now() / 1000) - 600;
    expect(await send(body, { 'stripe-signature': signatureOf(body, { timestamp }) })).toMatchObject(invalid);
  });
});
