import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Plan } from '@/lib/integration/plans';
import { type StripeApi, startStripeApi } from '@/tests/support/stripe-api';
import { connectStripe } from './client';
import { ensureConfiguration } from './portal';

let api: StripeApi;
beforeAll(async () => {
  api = await startStripeApi();
});
afterAll(() => api.stop());

const planOf = (index: number, interval: Plan['interval'] = 'month'): Plan => ({
  name: `plan_${index}`,
  label: `Plan ${index}`,
  product: `Product ${index}`,
  amount: 1900,
  currency: 'usd',
  interval,
});

test('of more products than Stripe takes the portal offers the first ten, in the order of the plans, and one line says so', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const plans = [planOf(99, null), ...Array.from({ length: 11 }, (_, index) => planOf(11 - index))];
  for (const { name } of plans) {
    api.put('prices', { id: `price_${name}`, lookup_key: name, active: true, product: `prod_${name}` });
  }
  const stripe = connectStripe('sk_test_portal', api.url);
  const { id } = await ensureConfiguration(stripe, plans);
  expect(await ensureConfiguration(stripe, plans)).toEqual({ id, isNew: false });
  const [configuration] = api.all<{ id: string; features: object }>('billing_portal/configurations');
  const offered = plans.slice(1, 11).map(({ name }) => ({ product: `prod_${name}`, prices: [`price_${name}`] }));
  expect(configuration?.features).toMatchObject({ subscription_update: { products: offered } });
  expect(warn.mock.calls.map(([line]) => line)).toEqual([expect.stringContaining('plans="plan_1"')]);
  await ensureConfiguration(stripe, plans.slice(0, 11));
  expect(warn).toHaveBeenCalledTimes(1); // ten products fit
  warn.mockRestore();
});

test('of two plans with one product and billing interval the portal offers the first, and one line names the other', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const plans = [planOf(101), planOf(102), planOf(103, 'year')];
  for (const { name, interval } of plans) {
    const recurring = { interval, interval_count: 1 };
    api.put('prices', { id: `price_${name}`, lookup_key: name, active: true, product: 'prod_tiers', recurring });
  }
  const { id } = await ensureConfiguration(connectStripe('sk_test_portal', api.url), plans);
  const configuration = api
    .all<{ id: string; features: object }>('billing_portal/configurations')
    .find((each) => each.id === id);
  const offered = [{ product: 'prod_tiers', prices: ['price_plan_101', 'price_plan_103'] }];
  expect(configuration?.features).toMatchObject({ subscription_update: { products: offered } });
  expect(warn.mock.calls.map(([line]) => line)).toEqual([expect.stringContaining('plans="plan_102"')]);
});
