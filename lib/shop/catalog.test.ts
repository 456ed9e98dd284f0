import Stripe from 'stripe';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { PLANS } from '@/lib/integration/plans';
import { type StripeApi, startStripeApi } from '@/tests/support/stripe-api';
import { isPriceOf, setUpCatalog } from './catalog';

let api: StripeApi;
let stripe: Stripe;
beforeEach(async () => {
  api = await startStripeApi();
  const { hostname: host, port } = new URL(api.url);
  stripe = new Stripe('sk_test_catalog', { host, port, protocol: 'http', telemetry: false });
});
afterEach(() => api.stop());

type Price = Stripe.Price & Record<string, unknown>;
const prices = () => api.all<Price>('prices');
const activePrices = () => prices().filter(({ active }) => active);

describe('the plans in Stripe', () => {
  test('are created with their lookup keys, one product for those that share one', async () => {
    const catalog = await setUpCatalog(stripe);
    expect(catalog.map(({ plan, state }) => [plan, state])).toEqual(PLANS.map(({ name }) => [name, 'created']));
    expect(api.all<Stripe.Product>('products').map(({ name }) => name)).toEqual([
      'Larkdesk Studio',
      'Larkdesk Studio lifetime',
      'Larkdesk Studio Japan',
    ]);
    expect(
      prices().map(({ lookup_key, metadata, unit_amount, currency, recurring }) => [
        lookup_key,
        metadata.plan,
        unit_amount,
        currency,
        recurring?.interval,
      ]),
    ).toEqual(
      PLANS.map(({ name, amount, currency, interval }) => [name, name, amount, currency, interval ?? undefined]),
    );
  });

  test('of one product differ in their interval, or Stripe’s billing portal would refuse them', () => {
    const offered = PLANS.filter(({ interval }) => interval !== null).map(({ product, interval }) => [
      product,
      interval,
    ]);
    expect(new Set(offered.map(String)).size).toBe(offered.length);
  });

  test('are found again, and nothing is written', async () => {
    const first = await setUpCatalog(stripe);
    const writes = () => api.requests.filter(({ method }) => method === 'POST').length;
    const before = writes();
    const second = await setUpCatalog(stripe);
    expect(second).toEqual(first.map((entry) => ({ ...entry, state: 'found' })));
    expect(writes()).toBe(before);
  });

  test('of a product among many of other apps, a new price belongs to the one that is there', async () => {
    await setUpCatalog(stripe);
    for (let index = 0; index < 250; index++) {
      api.put('products', { id: `prod_other_${index}`, name: `Other ${index}`, active: true });
    }
    for (const price of prices()) Object.assign(price, { unit_amount: 1 });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 }); // an idempotency key holds for a minute
    await setUpCatalog(stripe);
    vi.useRealTimers();
    expect(api.all<Stripe.Product>('products').filter(({ name }) => name.startsWith('Larkdesk'))).toHaveLength(3);
  });

  test('every write carries an idempotency key, so two set-ups at once make one catalog', async () => {
    vi.useFakeTimers({ toFake: ['Date'] }); // it holds for a minute, which must not end between the two
    onTestFinished(() => void vi.useRealTimers());
    await Promise.all([setUpCatalog(stripe), setUpCatalog(stripe)]);
    expect(prices()).toHaveLength(PLANS.length);
    expect(api.all('products')).toHaveLength(3);
  });

  test('a changed price is created anew with the lookup key, and the old one is archived and still names its plan', async () => {
    await setUpCatalog(stripe);
    const old = prices().find(({ lookup_key }) => lookup_key === 'studio_monthly');
    Object.assign(old ?? {}, { unit_amount: 1500, metadata: {} });
    const entry = (await setUpCatalog(stripe)).find(({ plan }) => plan === 'studio_monthly');
    expect(entry?.state).toBe('replaced');
    expect(entry?.priceId).not.toBe(old?.id);
    expect(prices().find(({ id }) => id === entry?.priceId)).toMatchObject({
      lookup_key: 'studio_monthly',
      unit_amount: 1900,
      active: true,
    });
    expect(prices().find(({ id }) => id === old?.id)).toMatchObject({
      lookup_key: null,
      active: false,
      metadata: { plan: 'studio_monthly' },
    });
    expect(activePrices()).toHaveLength(PLANS.length);
  });

  test('the old price of a product that has it as its default is archived, too', async () => {
    await setUpCatalog(stripe);
    const old = prices().find(({ lookup_key }) => lookup_key === 'studio_lifetime');
    const product = api.all<Stripe.Product>('products').find(({ id }) => id === old?.product);
    Object.assign(product ?? {}, { default_price: old?.id });
    Object.assign(old ?? {}, { unit_amount: 1 });
    const isArchiving = (path: string, { active }: Record<string, unknown>) =>
      path === `prices/${old?.id}` && active === false;
    api.intercept(({ path, params }) =>
      isArchiving(path, params) && product?.default_price === old?.id ? 400 : undefined,
    );
    const entry = (await setUpCatalog(stripe)).find(({ plan }) => plan === 'studio_lifetime');
    expect(entry?.state).toBe('replaced');
    expect(product?.default_price).toBe(entry?.priceId);
    expect(old?.active).toBe(false);
  });

  test('a plan that moves to another product leaves the old one its default price', async () => {
    await setUpCatalog(stripe);
    const old = prices().find(({ lookup_key }) => lookup_key === 'studio_lifetime');
    const product = api.all<Stripe.Product>('products').find(({ id }) => id === old?.product);
    Object.assign(product ?? {}, { name: 'As it was called before', default_price: old?.id });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 }); // idempotency keys hold for a minute
    onTestFinished(() => void vi.useRealTimers());
    const entry = (await setUpCatalog(stripe)).find(({ plan }) => plan === 'studio_lifetime');
    expect(entry?.state).toBe('replaced');
    expect([product?.default_price, old?.active]).toEqual([old?.id, true]);
    expect((await setUpCatalog(stripe)).every(({ state }) => state === 'found')).toBe(true);
  });

  test('a price of another product with a plan’s lookup key is left alone, and nothing else is written', async () => {
    await setUpCatalog(stripe);
    const other = prices().find(({ lookup_key }) => lookup_key === 'studio_monthly');
    const product = api.all<Stripe.Product>('products').find(({ id }) => id === other?.product);
    Object.assign(other ?? {}, { metadata: {}, unit_amount: 1 });
    Object.assign(product ?? {}, { name: 'Another app' });
    const writes = () => api.requests.filter(({ method }) => method === 'POST').length;
    const before = writes();
    await expect(setUpCatalog(stripe)).rejects.toThrow(`The price ${other?.id} of Another app has the lookup key`);
    expect(writes()).toBe(before);
  });

  test('all have a tax behavior, without which the billing portal offers no change of plan', async () => {
    await setUpCatalog(stripe);
    const [first, second] = prices();
    Object.assign(first ?? {}, { tax_behavior: 'unspecified' });
    Object.assign(second ?? {}, { tax_behavior: 'inclusive' }); // as the seller has set it; Stripe would refuse another
    const states = (await setUpCatalog(stripe)).map(({ state }) => state);
    expect(states).toEqual(['completed', ...states.slice(1).map(() => 'found')]);
    const [one, other, ...rest] = prices().map(({ tax_behavior }) => tax_behavior);
    expect([one, other]).toEqual(['exclusive', 'inclusive']);
    expect(new Set(rest)).toEqual(new Set(['exclusive']));
  });

  test('a plan that moves to another product gets a price there', async () => {
    await setUpCatalog(stripe);
    const yen = prices().find(({ lookup_key }) => lookup_key === 'studio_monthly_jpy');
    Object.assign(yen ?? {}, { product: prices()[0]?.product }); // as before it had a product of its own
    const entry = (await setUpCatalog(stripe)).find(({ plan }) => plan === 'studio_monthly_jpy');
    expect(entry?.state).toBe('replaced');
    expect(prices().find(({ id }) => id === entry?.priceId)?.product).not.toBe(prices()[0]?.product);
  });

  test('an archived price does not count', async () => {
    await setUpCatalog(stripe);
    const archived = prices().find(({ lookup_key }) => lookup_key === 'studio_lifetime');
    Object.assign(archived ?? {}, { active: false });
    const entry = (await setUpCatalog(stripe)).find(({ plan }) => plan === 'studio_lifetime');
    expect(entry?.state).toBe('replaced');
    expect(entry?.priceId).not.toBe(archived?.id);
    expect(activePrices()).toHaveLength(PLANS.length);
  });

  test('an archived product is replaced with its prices, which Stripe would not sell', async () => {
    await setUpCatalog(stripe);
    const [studio] = api.all<Stripe.Product>('products');
    Object.assign(studio ?? {}, { active: false });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 }); // an idempotency key holds for a minute
    onTestFinished(() => void vi.useRealTimers());
    const replaced = (await setUpCatalog(stripe)).filter(({ state }) => state === 'replaced');
    expect(replaced.map(({ plan }) => plan)).toEqual(['studio_monthly', 'studio_yearly']);
    const [monthly, yearly] = replaced.map(({ priceId }) => prices().find(({ id }) => id === priceId)?.product);
    expect(monthly).not.toBe(studio?.id);
    expect(yearly).toBe(monthly);
  });
});

describe('a price is that of the plan', () => {
  const [monthly, , lifetime] = PLANS;
  const product = { name: 'Larkdesk Studio', active: true } as Stripe.Product;
  const price = {
    product,
    unit_amount: 1900,
    currency: 'usd',
    recurring: { interval: 'month', interval_count: 1 } as Stripe.Price.Recurring,
  };

  const oncePaid = { product: { ...product, name: 'Larkdesk Studio lifetime' }, recurring: null };

  test('where product, amount, currency and interval agree', () => {
    expect(isPriceOf(monthly, price)).toBe(true);
    expect(isPriceOf(lifetime, { ...oncePaid, unit_amount: 39900, currency: 'usd' })).toBe(true);
  });

  test.each([
    ['the product', { product: { ...product, name: 'Larkdesk Other' } }],
    ['that the product is active', { product: { ...product, active: false } }],
    ['that the product is there', { product: { id: 'prod_1', deleted: true } as Stripe.DeletedProduct }],
    ['the amount', { unit_amount: 1901 }],
    ['the currency', { currency: 'eur' }],
    ['the interval', { recurring: { ...price.recurring, interval: 'year' as const } }],
    ['the number of intervals', { recurring: { ...price.recurring, interval_count: 3 } }],
    ['that it recurs', { recurring: null }],
  ])('and not where %s differs', (_, change) => {
    expect(isPriceOf(monthly, { ...price, ...change })).toBe(false);
  });
});
