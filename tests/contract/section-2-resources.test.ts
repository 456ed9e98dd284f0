import { describe, expect, test } from 'vitest';
import { aProgram, isRemote } from '../support/program';
import { ours, REFUSED, SUCCESS, serviceFor } from '../support/service-client';
import { unique } from '../support/unique';

const local = test.skipIf(isRemote);

describe('§2 Click: the click ID', () => {
  local('is safe in a cookie and in a URL as it is', async () => {
    const program = await aProgram();
    const id = await serviceFor(program).clickId();
    expect(encodeURIComponent(id)).toBe(id);
  });
});

describe('§2 Lead', () => {
  test('customer_key is required', async () => {
    const service = serviceFor(await aProgram());
    const response = await service.serverLead({ ...service.testMode });
    expect(response).toMatchObject({ status: REFUSED, body: ours({ error: expect.stringMatching(/customer/i) }) });
  });

  local.each(['ada@example.com', 'müller@example.de', 'a&b@example.com', 'no address', 'x'.repeat(400)])(
    'email is optional, and never costs the lead: %s',
    async (email) => {
      const service = serviceFor(await aProgram());
      const lead = { customer_key: unique('user'), ...service.testMode };
      expect((await service.serverLead({ ...lead, email })).status).toBe(200);
    },
  );

  local.each([null, '', undefined])(
    'click_id is required unless the service knows the customer: %j is none',
    async (click_id) => {
      const service = serviceFor(await aProgram());
      const response = await service.serverLead({ customer_key: unique('user'), click_id });
      expect(response).toMatchObject({ status: 400, body: { code: 'not_referred' } });
    },
  );

  local.each(['test', { test_mode: 'true' }])(
    'additional_data is an object, test_mode in it a boolean: not %j',
    async (additional_data) => {
      const service = serviceFor(await aProgram());
      const lead = { customer_key: unique('user'), click_id: await service.clickId(), additional_data };
      expect(await service.serverLead(lead)).toMatchObject({ status: 400, body: { code: 'invalid_body' } });
    },
  );

  local('fields that are not named are ignored, also those of a click and a sale', async () => {
    const program = await aProgram();
    const service = serviceFor(program);
    expect((await service.click(program.partners.ada, { plan: 'studio' })).status).toEqual(SUCCESS);
    const lead = { customer_key: unique('user'), plan: 'studio', ...service.testMode };
    expect((await service.serverLead(lead)).status).toEqual(SUCCESS);
    expect((await service.sale({ ...lead, transaction_id: unique('in') })).status).toEqual(SUCCESS);
  });

  test('customer_key is the same string at sale time, whatever stands in it', async () => {
    const service = serviceFor(await aProgram());
    const customer_key = `${unique('user')} <b>'"; ü 日本 😀`;
    expect((await service.serverLead({ customer_key, ...service.testMode })).status).toEqual(SUCCESS);
    const sale = { customer_key, transaction_id: unique('in'), ...service.testMode };
    expect((await service.sale(sale)).status).toEqual(SUCCESS);
  });
});

describe('§2 Sale', () => {
  const aTestCustomer = async () => {
    const service = serviceFor(await aProgram());
    const customer_key = unique('user');
    expect((await service.serverLead({ customer_key, ...service.testMode })).status).toEqual(SUCCESS);
    const sale = { customer_key, transaction_id: unique('in'), ...service.testMode };
    return { service, sale };
  };

  test.each(['customer_key', 'amount_cents', 'transaction_id'])('%s is required', async (field) => {
    const { service, sale } = await aTestCustomer();
    expect((await service.sale({ ...sale, [field]: undefined })).status).toEqual(REFUSED);
  });

  test.each([19.5, '1900', null, true])('amount is an integer in cents: not %j', async (amount_cents) => {
    const { service, sale } = await aTestCustomer();
    expect((await service.sale({ ...sale, amount_cents })).status).toEqual(REFUSED);
  });

  local.each([0, -1, 2 ** 53])('amount is at least 1, and a safe integer: not %j', async (amount_cents) => {
    const { service, sale } = await aTestCustomer();
    expect((await service.sale({ ...sale, amount_cents })).status).toBe(400);
  });

  local.each([1, 99_999_999, 100_000_000, Number.MAX_SAFE_INTEGER])('amount %i is one', async (amount_cents) => {
    const { service, sale } = await aTestCustomer();
    expect((await service.sale({ ...sale, amount_cents })).status).toBe(200);
  });

  local('currency is an ISO 4217 code in lower case, usd where absent', async () => {
    const { service, sale } = await aTestCustomer();
    for (const currency of ['USD', 'dollar', 'zzz', 1])
      expect((await service.sale({ ...sale, currency })).status).toBe(400);
    await service.sale({ ...sale, currency: 'jpy' });
    await service.sale({ ...sale, transaction_id: unique('in') });
    expect((await service.events({ kind: 'sale' })).map(({ currency }) => currency)).toEqual(['usd', 'jpy']);
  });

  local('test_mode: true marks a test sale', async () => {
    const { service, sale } = await aTestCustomer();
    await service.sale(sale);
    expect(await service.events({ kind: 'sale' })).toMatchObject([{ test: true, transaction_id: sale.transaction_id }]);
    expect(await service.events({ kind: 'sale', test: 'false' })).toEqual([]);
  });
});
