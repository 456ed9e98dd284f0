import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StripeApi, startStripeApi } from '@/tests/support/stripe-api';
import { connectStripe } from './client';
import { listPrices } from './prices';

let api: StripeApi;
beforeAll(async () => {
  api = await startStripeApi();
});
afterAll(() => api.stop());

test('more plans than Stripe takes in one request are found, and of archived prices only those that are asked for', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `plan_${index}`);
  for (const name of names) api.put('prices', { id: name, lookup_key: name, active: name !== 'plan_11' });
  api.put('prices', { id: 'another', lookup_key: 'another', active: true });
  const stripe = connectStripe('sk_test_prices', api.url);
  const idsOf = async (filter?: object) => (await listPrices(stripe, names, filter)).map(({ id }) => id).sort();
  expect(await idsOf()).toEqual([...names].sort());
  expect(await idsOf({ active: true })).toEqual(names.filter((name) => name !== 'plan_11').sort());
  expect(await listPrices(stripe, [])).toEqual([]);
});
