import { expect, test } from 'vitest';
import { database } from '@/prisma/client';
import { aKnownCustomer } from '@/tests/support/known-customer';
import { unique } from '@/tests/support/unique';
import { hashSecret } from '../api-key';
import type { Caller } from '../http/caller';
import { leadBody, saleBody } from '../schemas';
import { recordLead } from '../track/record-lead';
import { recordSale } from './record-sale';

const NOW = new Date('2026-11-01T12:00:00Z');

async function aShop() {
  const { programId, apiKey, customerKey } = await aKnownCustomer();
  const caller: Caller = {
    credentials: { mode: 'server', keyHash: hashSecret(apiKey) },
    address: unique('a'),
    now: NOW,
  };
  const sale = { customer_key: customerKey, transaction_id: unique('in'), amount_cents: 1_900 };
  const where = { where: { programId } };
  return { programId, customerKey, caller, sale, where };
}

test('a renewal of path B is one: its record, its entry and its place in the totals say so', async () => {
  const { caller, sale, where } = await aShop();
  const fields = { currency: 'eur', subscription_id: unique('sub'), is_recurring: true };
  expect(await recordSale(saleBody.parse({ ...sale, ...fields }), caller)).toMatchObject({ ok: true });
  expect(await database().sale.findMany(where)).toMatchObject([
    { subscriptionId: fields.subscription_id, isRecurring: true, source: 'api', amountCents: 1_900n, currency: 'eur' },
  ]);
  expect(await database().trackingEvent.findMany(where)).toMatchObject([{ kind: 'renewal', partnerCode: 'ada' }]);
  expect(await database().dailyCount.findMany(where)).toMatchObject([{ sales: 1, renewals: 1, partnerCode: 'ada' }]);
  expect(await database().dailyAmount.findMany(where)).toMatchObject([{ currency: 'eur', salesCents: 1_900n }]);
});

test('a sale that does not say so is no renewal', async () => {
  const { caller, sale, where } = await aShop();
  await recordSale(saleBody.parse(sale), caller);
  expect(await database().trackingEvent.findMany(where)).toMatchObject([{ kind: 'sale' }]);
  expect(await database().dailyCount.findMany(where)).toMatchObject([{ sales: 1, renewals: 0 }]);
});

test('test leads and test sales are flagged, and outside every total', async () => {
  const { programId, caller, customerKey, sale, where } = await aShop();
  const additional_data = { test_mode: true, program_id: programId };
  await recordLead(leadBody.parse({ customer_key: customerKey, additional_data }), caller);
  await recordSale(saleBody.parse({ ...sale, additional_data }), caller);
  const events = await database().trackingEvent.findMany({ ...where, orderBy: { kind: 'asc' } });
  expect(events).toMatchObject([
    { kind: 'lead', test: true },
    { kind: 'sale', test: true },
  ]);
  expect(await database().dailyCount.findMany(where)).toEqual([]);
  expect(await database().dailyAmount.findMany(where)).toEqual([]);
});
