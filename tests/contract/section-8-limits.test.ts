import { describe, expect, test } from 'vitest';
import { aProgram, isRemote } from '../support/program';
import { deliver, request, serviceFor } from '../support/service-client';
import { invoicePaid } from '../support/stripe-events';
import { unique } from '../support/unique';

// `amount` and `invoiceId`, the other limits of this section, are tested with the sale: §2 and §4.
const local = test.skipIf(isRemote);
const described = { error: expect.stringMatching(/\w.*\.$/), code: expect.stringMatching(/^[a-z_]+$/) };

describe('§8 size limits', () => {
  for (const path of ['/track/click', '/track/lead', '/track/sale']) {
    local(`413 from ${path} over 64 KiB, with and without a declared length`, async () => {
      const body = JSON.stringify({ customer_key: 'x'.repeat(70_000) });
      expect(await request(path, { body })).toMatchObject({ status: 413, body: described });
      const streamed = new Blob([body]).stream();
      expect(await request(path, { body: streamed })).toMatchObject({ status: 413, body: described });
    });
  }
});

describe('§8 payment webhooks', () => {
  local('an invoice of 150 lines, 299 KiB, is recorded', async () => {
    const program = await aProgram();
    const service = serviceFor(program);
    const customer_key = unique('user');
    await service.serverLead({ customer_key, click_id: await service.clickId() });
    const metadata = { program_id: program.programId, svc_customer_key: customer_key };
    const lines = { data: Array.from({ length: 150 }, () => ({ description: 'x'.repeat(2_000) })) };
    const invoiceId = unique('in');
    const response = await deliver(invoicePaid({ metadata, invoiceId }, { lines }));
    expect(response).toMatchObject({ status: 200, body: { outcome: 'sale' } });
    expect(await service.events({ kind: 'sale' })).toMatchObject([{ transaction_id: invoiceId, amount_cents: 1900 }]);
  });

  local('413 over 512 KiB', async () => {
    const event = invoicePaid({ metadata: {} }, { description: 'x'.repeat(513 * 1024) });
    expect(await deliver(event)).toMatchObject({ status: 413, body: described });
  });
});

describe('§8 rate limits', () => {
  local('429 past the limit, with Retry-After, and nothing is recorded', async () => {
    const service = serviceFor(await aProgram({ browserRequestsPerMinute: 3 }));
    const responses = [];
    for (let i = 0; i < 8; i++) responses.push(await service.click('ada')); // 8, in case a minute ends in between
    const limited = responses.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThan(0);
    expect(limited[0]?.body).toMatchObject({ ...described, code: 'rate_limited' });
    expect(Number(limited[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(limited[0]?.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(await service.events({ limit: '100' })).toHaveLength(responses.length - limited.length);
  });

  local('the limit of an API key is its own', async () => {
    const service = serviceFor(await aProgram({ serverRequestsPerMinute: 2 }));
    const statuses = [];
    for (let i = 0; i < 6; i++) statuses.push((await service.serverLead({ customer_key: unique('user') })).status);
    expect(statuses).toContain(429);
    expect((await service.click('ada')).status).toBe(200);
  });
});
