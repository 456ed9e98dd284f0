import { describe, expect, test } from 'vitest';
import { updateProgram } from '@/lib/service/dashboard/settings-queries';
import { aProgram, isRemote } from '../support/program';
import { deliver, ours, REFUSED, SUCCESS, serviceFor } from '../support/service-client';
import { sessionCompleted } from '../support/stripe-events';
import { unique } from '../support/unique';

const local = test.skipIf(isRemote);
const settled = { status: SUCCESS, body: ours({ success: true, lead_id: expect.any(String) }) };
const provisional = { status: 200, body: { provisional: true, ...ours({ success: true }) } };

describe('§3 (none), browser signup, server-verified', () => {
  test('the API returns 200 with provisional: true', async () => {
    const service = serviceFor(await aProgram());
    const response = await service.browserLead({ customer_key: unique('user'), click_id: await service.clickId() });
    expect(response).toMatchObject(provisional);
    if (!isRemote) expect(response.body).not.toHaveProperty('lead_id');
  });

  local('the user ID is not saved: a sale for it is a sale for an unknown customer', async () => {
    const service = serviceFor(await aProgram());
    const customer_key = unique('user');
    await service.browserLead({ customer_key, email: 'ada@example.com', click_id: await service.clickId() });
    expect(await service.sale({ customer_key, transaction_id: unique('in') })).toMatchObject({ status: 400 });
    expect(JSON.stringify(await service.events())).not.toContain(customer_key);
  });

  test('a browser call without a known click is 400', async () => {
    const service = serviceFor(await aProgram());
    const customer_key = unique('user');
    const none = await service.browserLead({ customer_key });
    const unknown = await service.browserLead({ customer_key, click_id: unique('clk') });
    expect([none.status, unknown.status]).toEqual([400, 400]);
    if (!isRemote) expect([none.body.code, unknown.body.code]).toEqual(['not_referred', 'unknown_click']);
  });
});

describe('§3 provisional', () => {
  test('a repeat browser signup: 200 with provisional: true', async () => {
    const service = serviceFor(await aProgram());
    const lead = { customer_key: unique('user'), click_id: await service.clickId() };
    await service.browserLead(lead);
    expect(await service.browserLead(lead)).toMatchObject(provisional);
  });

  local('a repeat browser signup: nothing new recorded', async () => {
    const service = serviceFor(await aProgram());
    const lead = { customer_key: unique('user'), click_id: await service.clickId() };
    await service.browserLead(lead);
    const before = await service.events();
    await service.browserLead(lead);
    expect(await service.events()).toEqual(before);
  });

  local('a server lead call with the API key and a valid click settles it', async () => {
    const service = serviceFor(await aProgram());
    const lead = { customer_key: unique('user'), click_id: await service.clickId() };
    await service.browserLead(lead);
    const response = await service.serverLead(lead);
    expect(response).toMatchObject(settled);
    expect(response.body).not.toHaveProperty('provisional');
    const leads = await service.events({ kind: 'lead' });
    expect(leads.map(({ provisional }) => provisional)).toEqual([undefined, true]);
  });

  local('a checkout payment with attribution metadata settles it', async () => {
    const program = await aProgram();
    const service = serviceFor(program);
    const lead = { customer_key: unique('user'), click_id: await service.clickId() };
    await service.browserLead(lead);
    const metadata = {
      program_id: program.programId,
      svc_click_id: lead.click_id,
      svc_customer_key: lead.customer_key,
    };
    expect(await deliver(sessionCompleted({ metadata }))).toMatchObject({ status: 200, body: { outcome: 'sale' } });
    const sale = await service.sale({ customer_key: lead.customer_key, transaction_id: unique('in') });
    expect(sale).toMatchObject({ status: 200, body: { attributed: true } });
  });

  local('a sale sent to the sale endpoint does not settle it', async () => {
    const service = serviceFor(await aProgram());
    const lead = { customer_key: unique('user'), click_id: await service.clickId() };
    await service.browserLead(lead);
    const sale = await service.sale({ customer_key: lead.customer_key, transaction_id: unique('in') });
    expect(sale).toMatchObject({ status: 400, body: { code: 'unknown_customer' } });
    expect(await service.events({ kind: 'lead' })).toMatchObject([{ provisional: true }]);
  });
});

describe('§3 settled', () => {
  local('a repeat of the server call is 2xx with the same lead, and changes nothing', async () => {
    const service = serviceFor(await aProgram());
    const customer_key = unique('user');
    const first = await service.serverLead({ customer_key, click_id: await service.clickId('ada') });
    const repeat = await service.serverLead({ customer_key, click_id: await service.clickId('grace') });
    expect(repeat).toMatchObject({ status: 200, body: { lead_id: first.body.lead_id } });
    const sale = await service.sale({ customer_key, transaction_id: unique('in') });
    expect(sale.status).toBe(200);
    expect(await service.events({ kind: 'sale' })).toMatchObject([{ partner_code: 'ada' }]);
  });

  local('a server lead call without a click settles for a known customer ID', async () => {
    const service = serviceFor(await aProgram());
    const customer_key = unique('user');
    await service.serverLead({ customer_key, click_id: await service.clickId() });
    expect(await service.serverLead({ customer_key })).toMatchObject(settled);
  });

  local('on a server-verified program the browser is answered as before: it learns nothing', async () => {
    const service = serviceFor(await aProgram());
    const lead = { customer_key: unique('user'), click_id: await service.clickId() };
    await service.serverLead(lead);
    const before = await service.events();
    expect(await service.browserLead(lead)).toMatchObject(provisional);
    expect(await service.events()).toEqual(before);
  });

  local('twenty server calls at once settle one lead', async () => {
    const service = serviceFor(await aProgram());
    const lead = { customer_key: unique('user'), click_id: await service.clickId() };
    const responses = await Promise.all(Array.from({ length: 20 }, () => service.serverLead(lead)));
    expect(new Set(responses.map(({ body }) => body.lead_id)).size).toBe(1);
    expect(await service.events({ kind: 'lead' })).toHaveLength(1);
  });
});

describe('§3 browser_allowed', () => {
  const open = () => aProgram({ leadAuthPolicy: 'browser_allowed' });

  local('the first browser signup settles the lead', async () => {
    const service = serviceFor(await open());
    const customer_key = unique('user');
    expect(await service.browserLead({ customer_key, click_id: await service.clickId() })).toMatchObject(settled);
    expect((await service.sale({ customer_key, transaction_id: unique('in') })).status).toBe(200);
  });

  local('a repeat browser signup is rejected with 400', async () => {
    const service = serviceFor(await open());
    const lead = { customer_key: unique('user'), click_id: await service.clickId() };
    await service.browserLead(lead);
    const before = await service.events();
    expect(await service.browserLead(lead)).toMatchObject({ status: 400, body: { code: 'lead_already_settled' } });
    expect(await service.events()).toEqual(before);
  });

  local('of twenty browser signups at once one settles the lead, and the others are rejected with 400', async () => {
    const service = serviceFor(await open());
    const lead = { customer_key: unique('user'), click_id: await service.clickId() };
    const responses = await Promise.all(Array.from({ length: 20 }, () => service.browserLead(lead)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)]);
    expect(await service.events({ kind: 'lead' })).toHaveLength(1);
  });

  local('a browser signup after the server settled the lead is rejected with 400', async () => {
    const service = serviceFor(await open());
    const lead = { customer_key: unique('user'), click_id: await service.clickId() };
    await service.serverLead(lead);
    expect(await service.browserLead(lead)).toMatchObject({ status: 400, body: { code: 'lead_already_settled' } });
  });
});

describe('§3 test leads', () => {
  test('test_mode: true with program_id and the API key settles a test lead, without a click', async () => {
    const service = serviceFor(await aProgram());
    const response = await service.serverLead({ customer_key: unique('user'), ...service.testMode });
    expect(response).toMatchObject(settled);
    expect(response.body.provisional).not.toBe(true);
  });

  local('a customer known only by a test lead is unknown outside of test mode', async () => {
    const program = await aProgram();
    const service = serviceFor(program);
    const customer_key = unique('user');
    await service.serverLead({ customer_key, ...service.testMode });
    const live = await service.serverLead({ customer_key, additional_data: {} });
    expect(live).toMatchObject({ status: 400, body: { code: 'not_referred' } });
  });

  test('a test lead without the API key is refused', async () => {
    const service = serviceFor(await aProgram());
    const { status } = await service.browserLead({ customer_key: unique('user'), ...service.testMode });
    expect(status).toEqual(isRemote ? REFUSED : 401);
  });

  local('a test lead leaves the provisional lead of its click alone', async () => {
    const program = await aProgram();
    const service = serviceFor(program);
    const lead = { customer_key: unique('user'), click_id: await service.clickId() };
    await service.browserLead(lead);
    await service.serverLead({ ...lead, ...service.testMode });
    expect(await service.events({ kind: 'lead', test: 'true' })).toHaveLength(1);
    // After the window only a provisional lead that still waits makes the click count.
    await updateProgram(program.programId, { attributionWindowDays: 0 });
    const metadata = {
      program_id: program.programId,
      svc_click_id: lead.click_id,
      svc_customer_key: lead.customer_key,
    };
    expect(await deliver(sessionCompleted({ metadata }))).toMatchObject({ status: 200, body: { outcome: 'sale' } });
  });
});
