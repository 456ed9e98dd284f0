import { describe, expect, test } from 'vitest';
import { aProgram, isRemote } from '../support/program';
import { ours, request, SUCCESS, serviceFor } from '../support/service-client';
import { unique } from '../support/unique';

const local = test.skipIf(isRemote);

/** SALE_ROUNDS=100 is the proof; the default shows that it runs. */
const SALE_ROUNDS = Number(process.env.SALE_ROUNDS ?? 5);

describe('§4 POST /api/v1/track/lead', () => {
  test('2xx without provisional: true: lead settled', async () => {
    const service = serviceFor(await aProgram());
    const response = await service.serverLead({ customer_key: unique('user'), click_id: await service.clickId() });
    expect(response.status).toEqual(SUCCESS);
    expect(response.body.provisional).not.toBe(true);
    if (!isRemote) expect(response.body).not.toHaveProperty('provisional');
  });

  local('400: no click ID was given and the customer ID is unknown; nothing is recorded', async () => {
    const service = serviceFor(await aProgram());
    const response = await service.serverLead({ customer_key: unique('user') });
    expect(response).toMatchObject({ status: 400, body: { code: 'not_referred' } });
    expect(await service.events()).toEqual([]);
  });

  local('a click of another program is an unknown click', async () => {
    const [service, other] = [serviceFor(await aProgram()), serviceFor(await aProgram())];
    const lead = { customer_key: unique('user'), click_id: await other.clickId() };
    expect(await service.serverLead(lead)).toMatchObject({ status: 400, body: { code: 'unknown_click' } });
    expect(await service.events()).toEqual([]);
  });

  local('a click whose attribution window has passed is an unknown click', async () => {
    const service = serviceFor(await aProgram({ attributionWindowDays: 0 }));
    const lead = { customer_key: unique('user'), click_id: await service.clickId() };
    expect(await service.serverLead(lead)).toMatchObject({ status: 400, body: { code: 'unknown_click' } });
  });

  local('test mode: test_mode: true without program_id is 400', async () => {
    const service = serviceFor(await aProgram());
    const lead = { customer_key: unique('user'), additional_data: { test_mode: true } };
    expect((await service.serverLead(lead)).status).toBe(400);
  });

  local('test mode: the program_id has to be the one of the API key', async () => {
    const service = serviceFor(await aProgram());
    const lead = { customer_key: unique('user'), additional_data: { test_mode: true, program_id: 'prg_other' } };
    expect((await service.serverLead(lead)).status).toBe(400);
  });

  local('a browser lead may come as text/plain, from any origin', async () => {
    const program = await aProgram();
    const click_id = await serviceFor(program).clickId();
    const body = JSON.stringify({ program_id: program.programId, customer_key: unique('user'), click_id });
    const headers = { 'content-type': 'text/plain', origin: 'https://shop.example' };
    const response = await request('/track/lead', { body, headers });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  local(
    'the page of another origin can read why a browser lead is refused, and no response to an API key',
    async () => {
      const program = await aProgram();
      const service = serviceFor(program);
      const lead = { customer_key: unique('user'), click_id: unique('clk') };
      const refused = await service.browserLead(lead);
      expect(refused.status).toBe(400);
      expect(refused.headers.get('access-control-allow-origin')).toBe('*');
      for (const click_id of [lead.click_id, await service.clickId()]) {
        const response = await service.serverLead({ ...lead, click_id });
        expect(response.headers.get('access-control-allow-origin')).toBeNull();
      }
    },
  );
});

describe('§4 POST /api/v1/track/sale', () => {
  test('2xx on success', async () => {
    const service = serviceFor(await aProgram());
    const customer_key = unique('user');
    await service.serverLead({ customer_key, ...service.testMode });
    const response = await service.sale({ customer_key, transaction_id: unique('in'), ...service.testMode });
    expect(response).toMatchObject({ status: SUCCESS, body: ours({ success: true }) });
  });

  local('the response says whether a partner brought the customer, and why not', async () => {
    const service = serviceFor(await aProgram());
    const [referred, direct] = [unique('user'), unique('user')];
    await service.serverLead({ customer_key: referred, click_id: await service.clickId() });
    await service.serverLead({ customer_key: direct, ...service.testMode });
    const attributed = await service.sale({ customer_key: referred, transaction_id: unique('in') });
    expect(attributed.body).toEqual({ success: true, sale_id: expect.stringMatching(/^sal_/), attributed: true });
    const other = await service.sale({ customer_key: direct, transaction_id: unique('in'), ...service.testMode });
    expect(other.body).toMatchObject({ success: true, attributed: false, reason: 'no_partner' });
  });

  test('a sale of a customer without a lead is 400, and nothing is recorded', async () => {
    const service = serviceFor(await aProgram());
    const transaction_id = unique('in');
    const customer_key = unique('user');
    expect((await service.sale({ customer_key, transaction_id, ...service.testMode })).status).toBe(400);
    await service.serverLead({ customer_key, ...service.testMode });
    expect((await service.sale({ customer_key, transaction_id, ...service.testMode })).status).toEqual(SUCCESS);
  });

  test('409 when the invoice ID was already used', async () => {
    const service = serviceFor(await aProgram());
    const customer_key = unique('user');
    const sale = { customer_key, transaction_id: unique('in'), ...service.testMode };
    await service.serverLead({ customer_key, ...service.testMode });
    expect((await service.sale(sale)).status).toEqual(SUCCESS);
    expect((await service.sale(sale)).status).toBe(409);
    expect((await service.sale({ ...sale, amount_cents: 1 })).status).toBe(409);
  });

  test('of twenty at once with one invoice ID, exactly one is recorded', async () => {
    const service = serviceFor(await aProgram());
    const customer_key = unique('user');
    await service.serverLead({ customer_key, ...service.testMode });
    for (let round = 0; round < SALE_ROUNDS; round++) {
      const sale = { customer_key, transaction_id: unique('in'), ...service.testMode };
      const responses = await Promise.all(Array.from({ length: 20 }, () => service.sale(sale)));
      const statuses = responses.map(({ status }) => status).sort();
      expect(statuses).toEqual([SUCCESS, ...Array.from({ length: 19 }, () => 409)]);
    }
  }, 600_000);

  local('the same invoice ID may exist once in each mode', async () => {
    const service = serviceFor(await aProgram());
    const customer_key = unique('user');
    await service.serverLead({ customer_key, click_id: await service.clickId() });
    await service.serverLead({ customer_key, ...service.testMode });
    const sale = { customer_key, transaction_id: unique('in') };
    expect((await service.sale(sale)).status).toBe(200);
    expect((await service.sale({ ...sale, ...service.testMode })).status).toBe(200);
    expect((await service.sale({ ...sale, ...service.testMode })).status).toBe(409);
  });

  local('the same invoice ID may exist in another program', async () => {
    const transaction_id = unique('in');
    for (const service of [serviceFor(await aProgram()), serviceFor(await aProgram())]) {
      const customer_key = unique('user');
      await service.serverLead({ customer_key, click_id: await service.clickId() });
      expect((await service.sale({ customer_key, transaction_id })).status).toBe(200);
    }
  });
});

describe('DELETE /api/v1/customers/:customer_key/email, an extension of ours', () => {
  local('removes the email in both modes and leaves the attribution', async () => {
    const service = serviceFor(await aProgram());
    const customer_key = unique('user/with slash');
    await service.serverLead({ customer_key, click_id: await service.clickId(), email: 'ada@example.com' });
    await service.serverLead({ customer_key, email: 'ada@example.com', ...service.testMode });
    const path = `/customers/${encodeURIComponent(customer_key)}/email`;
    const erase = () => request(path, { method: 'DELETE', headers: service.key });
    expect(await erase()).toMatchObject({ status: 200, body: { success: true, erased: 2 } });
    expect(await erase()).toMatchObject({ status: 200, body: { success: true, erased: 0 } });
    expect(await service.sale({ customer_key, transaction_id: unique('in') })).toMatchObject({
      body: { attributed: true },
    });
  });

  local('needs the API key, and reaches its own program only', async () => {
    const [service, other] = [serviceFor(await aProgram()), serviceFor(await aProgram())];
    const customer_key = unique('user');
    await service.serverLead({ customer_key, click_id: await service.clickId(), email: 'ada@example.com' });
    const path = `/customers/${customer_key}/email`;
    expect((await request(path, { method: 'DELETE' })).status).toBe(401);
    expect(await request(path, { method: 'DELETE', headers: other.key })).toMatchObject({ body: { erased: 0 } });
  });
});
