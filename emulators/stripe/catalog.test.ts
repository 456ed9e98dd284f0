import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { newEmail, openAccount, SUCCESS_URL } from './testing/account';

const { stripe, newPrice, pay, typesAbout } = await openAccount();

describe('a product', () => {
  test('has images, features and the other fields that shops show', async () => {
    const shown = {
      images: ['https://acme.example/pen.png'],
      marketing_features: [{ name: 'Blue ink' }],
      statement_descriptor: 'ACME PEN',
      tax_code: 'txcd_10103001',
      unit_label: 'seat',
      url: 'https://acme.example/pen',
      shippable: false,
    };
    const { id } = await stripe.products.create({ name: 'Pen', ...shown });
    expect(await stripe.products.retrieve(id)).toMatchObject(shown);
    expect(await stripe.products.update(id, { images: '', marketing_features: '', unit_label: '' })).toMatchObject({
      ...{ images: [], marketing_features: [], unit_label: null, tax_code: 'txcd_10103001' },
    });
  });

  test('can be written out with its images in a price of a checkout', async () => {
    const product_data = { name: 'Pen', images: ['https://acme.example/pen.png'], metadata: { ink: 'blue' } };
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price_data: { currency: 'usd', unit_amount: 900, product_data }, quantity: 1 }],
      success_url: 'http://localhost:1/done',
      expand: ['line_items.data.price.product'],
    });
    expect(session.line_items?.data[0]?.price?.product).toMatchObject(product_data);
  });

  test('is made with its default price, which can be changed to another one of its own', async () => {
    const product = await stripe.products.create({
      name: 'Pen',
      default_price_data: { currency: 'usd', unit_amount: 900, recurring: { interval: 'month' }, metadata: { a: '1' } },
      expand: ['default_price'],
    });
    expect(product.default_price).toMatchObject({ unit_amount: 900, product: product.id, metadata: { a: '1' } });
    const price = await stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 100 });
    const use = (id: string) => stripe.products.update(product.id, { default_price: id });
    expect(await use(price.id)).toMatchObject({ default_price: price.id });
    await expect(use((await newPrice()).id)).rejects.toMatchObject({ statusCode: 400, param: 'default_price' });
    const { data } = await stripe.products.list({ ids: [product.id], expand: ['data.default_price'] });
    expect(data[0]?.default_price).toMatchObject({ id: price.id, unit_amount: 100 });
  });

  test('keeps its default price active', async () => {
    const { id, default_price } = await stripe.products.create({
      name: 'Pen',
      default_price_data: { currency: 'usd', unit_amount: 900 },
    });
    const archive = () => stripe.prices.update(String(default_price), { active: false });
    await expect(archive()).rejects.toThrow('the default price of its product');
    const other = await stripe.prices.create({ product: id, currency: 'usd', unit_amount: 100 });
    await stripe.products.update(id, { default_price: other.id });
    expect(await archive()).toMatchObject({ active: false });
  });

  test('is deleted unless it has prices', async () => {
    const { id } = await stripe.products.create({ name: 'Pen' });
    expect(await stripe.products.del(id)).toEqual(expect.objectContaining({ id, object: 'product', deleted: true }));
    await expect(stripe.products.retrieve(id)).rejects.toMatchObject({ statusCode: 404 });
    expect(await typesAbout(id)).toEqual(['product.created', 'product.deleted']);
    const { product } = await newPrice();
    await expect(stripe.products.del(String(product))).rejects.toThrow('it has one or more user-created prices');
  });

  test('that is deleted leaves a coupon of the same ID', async () => {
    const id = `launch_${randomUUID()}`;
    await stripe.products.create({ id, name: 'Launch' });
    await stripe.coupons.create({ id, percent_off: 50, duration: 'forever' });
    await stripe.products.del(id);
    expect(await stripe.coupons.retrieve(id)).toMatchObject({ id, percent_off: 50 });
    await expect(stripe.products.retrieve(id)).rejects.toMatchObject({ statusCode: 404 });
  });
});

test('a recurring price keeps its trial days, and is listed by its interval', async () => {
  const { id: product } = await stripe.products.create({ name: 'Pen' });
  const create = (recurring: Stripe.PriceCreateParams.Recurring) =>
    stripe.prices.create({ product, currency: 'usd', unit_amount: 900, recurring });
  const monthly = await create({ interval: 'month', trial_period_days: 7 });
  const yearly = await create({ interval: 'year' });
  expect(monthly.recurring?.trial_period_days).toBe(7);
  const { data } = await stripe.prices.list({ product, recurring: { interval: 'year' } });
  expect(data.map(({ id }) => id)).toEqual([yearly.id]);
});

test.each([
  ['day', 1095],
  ['week', 156],
  ['month', 36],
  ['year', 3],
] as const)('a price by the %s has at most %d of them in its interval', async (interval, most) => {
  const { id: product } = await stripe.products.create({ name: 'Plan' });
  const create = (interval_count: number) =>
    stripe.prices.create({ product, currency: 'usd', unit_amount: 500, recurring: { interval, interval_count } });
  expect((await create(most)).recurring).toMatchObject({ interval, interval_count: most });
  await expect(create(most + 1)).rejects.toMatchObject({ statusCode: 400, param: 'recurring[interval_count]' });
});

test('a plan in rupiah may cost millions, and can be paid', async () => {
  const price = await newPrice({ amount: 150_000_000, currency: 'idr' });
  const { id } = await stripe.checkout.sessions.create({
    ...{ mode: 'subscription', line_items: [{ price: price.id, quantity: 2 }], success_url: SUCCESS_URL },
  });
  await pay(id, newEmail());
  const { customer } = await stripe.checkout.sessions.retrieve(id);
  expect((await stripe.invoices.list({ customer: String(customer) })).data).toMatchObject([
    { currency: 'idr', amount_paid: 300_000_000, status: 'paid' },
  ]);
});

test.each([
  ['usd', 100_000_000, 'Amount must be no more than $999,999.99'],
  ['kwd', 7667, 'must be evenly divisible by 10'],
  ['isk', 550, 'must be evenly divisible by 100'],
])('a price in %s is not %d, which no payment may be for', async (currency, unit_amount, message) => {
  const { id: product } = await stripe.products.create({ name: 'Pen' });
  const refusal = { statusCode: 400, param: 'unit_amount', message: expect.stringContaining(message) };
  await expect(stripe.prices.create({ product, currency, unit_amount })).rejects.toMatchObject(refusal);
  const written = stripe.products.create({ name: 'Pen', default_price_data: { currency, unit_amount } });
  await expect(written).rejects.toMatchObject(refusal);
});

test('a price takes a tax behavior once', async () => {
  const { id, tax_behavior } = await newPrice();
  expect(tax_behavior).toBe('unspecified');
  const use = (behavior: 'exclusive' | 'inclusive') => stripe.prices.update(id, { tax_behavior: behavior });
  expect(await use('exclusive')).toMatchObject({ tax_behavior: 'exclusive' });
  expect(await use('exclusive')).toMatchObject({ tax_behavior: 'exclusive' });
  await expect(use('inclusive')).rejects.toMatchObject({ param: 'tax_behavior' });
});
