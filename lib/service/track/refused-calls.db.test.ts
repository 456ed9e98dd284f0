import { expect, test } from 'vitest';
import { database } from '@/prisma/client';
import { aKnownCustomer } from '@/tests/support/known-customer';
import { aProgram } from '@/tests/support/program';
import { unique } from '@/tests/support/unique';
import { hashSecret } from '../api-key';
import type { NewProgram } from '../create-program';
import type { Caller } from '../http/caller';
import { createId } from '../ids';
import { recordSale } from '../payments/record-sale';
import { leadBody, saleBody } from '../schemas';
import { recordLead } from './record-lead';

/** A customer, a click of another visitor, and those who call. */
async function aShop(options: Partial<NewProgram> = {}) {
  const { programId, apiKey, customerKey } = await aKnownCustomer(options);
  const partner = await database().partner.findFirstOrThrow({ where: { programId, code: 'ada' } });
  const [clickId, now] = [createId('clk'), new Date()];
  await database().click.create({
    data: {
      id: clickId,
      programId,
      partnerId: partner.id,
      affiliateUrl: 'https://shop.example/?aff=ada',
      createdAt: now,
    },
  });
  const caller = { address: unique('a'), now };
  const server: Caller = { ...caller, credentials: { mode: 'server', keyHash: hashSecret(apiKey) } };
  const browser: Caller = { ...caller, credentials: { mode: 'browser' } };
  return { programId, customerKey, lead: { customer_key: unique('user'), click_id: clickId }, server, browser };
}

type Call = (shop: Awaited<ReturnType<typeof aShop>>, program_id: string) => ReturnType<typeof recordLead>;

const leadOfServer: Call = ({ lead, server }, program_id) =>
  recordLead(leadBody.parse({ ...lead, additional_data: { program_id } }), server);
const testLead: Call = ({ lead, server }, program_id) =>
  recordLead(leadBody.parse({ ...lead, additional_data: { program_id, test_mode: true } }), server);
const leadOfBrowser: Call = ({ lead, browser }, program_id) =>
  recordLead(leadBody.parse({ ...lead, program_id }), browser);
const sale: Call = ({ customerKey, server }, program_id) => {
  const body = { customer_key: customerKey, amount_cents: 1_900, transaction_id: unique('in') };
  return recordSale(saleBody.parse({ ...body, additional_data: { program_id } }), server);
};

/** What a call may write: rows, the feed and the totals. */
async function recordsOf(programId: string) {
  const where = { programId };
  return {
    leads: await database().lead.count({ where }),
    waiting: await database().provisionalLead.count({ where }),
    sales: await database().sale.count({ where }),
    feed: await database().trackingEvent.count({ where }),
    counts: await database().dailyCount.findMany({ where }),
    amounts: await database().dailyAmount.findMany({ where }),
  };
}

test.each([
  ['lead of a server', leadOfServer],
  ['test lead', testLead],
  ['lead of a browser', leadOfBrowser],
  ['sale', sale],
])('§8: a %s past the rate limit is refused and not written, and the same call within it is', async (_, call) => {
  const shop = await aShop({ serverRequestsPerMinute: 0, browserRequestsPerMinute: 0 });
  const { programId } = shop;
  const before = await recordsOf(programId);
  expect(await call(shop, programId)).toMatchObject({ ok: false, code: 'rate_limited' });
  expect(await recordsOf(programId)).toEqual(before);
  await database().program.update({
    where: { id: programId },
    data: { serverRequestsPerMinute: 9, browserRequestsPerMinute: 9 },
  });
  expect(await call(shop, programId)).toMatchObject({ ok: true });
  expect(await recordsOf(programId)).not.toEqual(before);
});

test.each([
  ['lead', leadOfServer],
  ['test lead', testLead],
  ['sale', sale],
])("a %s that names another program than the API key's is refused and not written", async (_, call) => {
  const [shop, other] = [await aShop(), await aProgram()];
  const records = async () => [await recordsOf(shop.programId), await recordsOf(other.programId)];
  const before = await records();
  expect(await call(shop, other.programId)).toMatchObject({ ok: false, code: 'program_mismatch' });
  expect(await records()).toEqual(before);
  expect(await call(shop, shop.programId)).toMatchObject({ ok: true });
  expect(await records()).not.toEqual(before);
});
