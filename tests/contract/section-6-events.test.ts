import { describe, expect, test } from 'vitest';
import { aProgram, isRemote } from '../support/program';
import { deliver, request, serviceFor } from '../support/service-client';
import { invoicePaid } from '../support/stripe-events';
import { unique } from '../support/unique';

const local = test.skipIf(isRemote);

/** A program with a settled lead, three sales, and a test lead. */
async function aHistory() {
  const service = serviceFor(await aProgram());
  const customer_key = unique('user');
  await service.serverLead({ customer_key, click_id: await service.clickId() });
  for (let i = 0; i < 3; i++) await service.sale({ customer_key, transaction_id: unique('in') });
  await service.serverLead({ customer_key: unique('user'), ...service.testMode });
  const page = async (query: string) =>
    (await request(`/events?${query}`, { method: 'GET', headers: service.key })).body;
  return { service, customer_key, page };
}

describe("§6 click, lead and sale entries as the program's tracking events", () => {
  local('filtered by kind, by test and by customer', async () => {
    const { service, customer_key } = await aHistory();
    const kinds = async (query: Record<string, string>) => (await service.events(query)).map(({ kind }) => kind);
    expect(await kinds({ kind: 'sale' })).toEqual(['sale', 'sale', 'sale']);
    expect(await kinds({ test: 'true' })).toEqual(['lead']);
    expect(await kinds({ test: 'false', kind: 'lead' })).toEqual(['lead']);
    expect(await kinds({ customer: customer_key })).toEqual(['sale', 'sale', 'sale', 'lead']);
    expect(await kinds({ customer: 'nobody' })).toEqual([]);
  });

  local('page by page they are the same as at once, each exactly once, and a full last page is the last', async () => {
    const { service, page } = await aHistory();
    const ids = [];
    const ends = [];
    let cursor: unknown = '';
    do {
      const { data, has_more, next_cursor } = await page(`limit=2&cursor=${cursor}`);
      ids.push(...(data as Array<{ id: string }>).map(({ id }) => id));
      ends.push(has_more);
      cursor = next_cursor;
    } while (cursor !== null && ends.length < 10);
    expect(ids).toEqual((await service.events()).map(({ id }) => id));
    expect(ends).toEqual([true, true, false]);
  });

  local('a payment that is delivered late is the newest entry, and created_at says when it was recorded', async () => {
    const { service, customer_key, page } = await aHistory();
    const [{ program_id }, started] = [service.testMode.additional_data, Date.now()];
    const payment = invoicePaid({ metadata: { program_id, svc_customer_key: customer_key } });
    expect(await deliver({ ...payment, created: payment.created - 86_400 })).toMatchObject({ status: 200 });
    const [newest] = (await page('limit=1')).data as Array<{ kind: string; created_at: string }>;
    expect(newest).toMatchObject({ kind: 'sale', amount_cents: 1900, currency: 'usd' });
    expect(Date.parse(newest?.created_at ?? '')).toBeGreaterThan(started - 60_000); // the clocks of two machines may differ
  });

  local('what is recorded meanwhile does not move the pages', async () => {
    const { service, page } = await aHistory();
    const first = await page('limit=2');
    await service.clickId();
    const second = await page(`limit=2&cursor=${first.next_cursor}`);
    const rest = (await service.events()).slice(3, 5).map(({ id }) => id);
    expect((second.data as Array<{ id: string }>).map(({ id }) => id)).toEqual(rest);
  });

  local.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'limit=1.5',
    'kind=other',
    'test=maybe',
    'customer=%00',
    'cursor=%00',
    'kind=sale&kind=refund',
  ])('%s is 400', async (query) => {
    const { headers } = { headers: serviceFor(await aProgram()).key };
    expect((await request(`/events?${query}`, { method: 'GET', headers })).status).toBe(400);
  });

  local('a refusal names the parameter, and one that is not known is ignored, whatever it holds', async () => {
    const { key: headers } = serviceFor(await aProgram());
    const get = (query: string) => request(`/events?${query}`, { method: 'GET', headers });
    expect(await get('customer=a%00')).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('customer') },
    });
    expect((await get('other=%00')).status).toBe(200);
  });

  local.each(['x', 'AAAA', 'e30', "' OR 1=1 --"])('the cursor %j is not ours: 400', async (cursor) => {
    const { key: headers } = serviceFor(await aProgram());
    const response = await request(`/events?cursor=${encodeURIComponent(cursor)}`, { method: 'GET', headers });
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
  });

  local("another program's cursor shows nothing of that program", async () => {
    const { page } = await aHistory();
    const { next_cursor } = await page('limit=1');
    const other = serviceFor(await aProgram());
    expect(await other.events({ cursor: String(next_cursor) })).toEqual([]);
  });
});
