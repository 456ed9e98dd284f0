import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { METADATA, newEmail, openAccount, SUCCESS_URL } from './testing/account';

const { emulator, app, stripe, clientFor, subscribe, newPrice, eventsAbout } = await openAccount();

const { errors } = Stripe;

describe('the API', () => {
  test('accepts its own secret key only', async () => {
    await expect(clientFor('sk_test_other').customers.list()).rejects.toBeInstanceOf(errors.StripeAuthenticationError);
    const bare = await app.request('/v1/customers');
    expect(bare.status).toBe(401);
  });

  test('accepts the key as the user name of basic authentication', async () => {
    const authorization = `Basic ${Buffer.from(`${emulator.secrets.stripeSecretKey}:`).toString('base64')}`;
    expect((await app.request('/v1/customers', { headers: { authorization } })).status).toBe(200);
  });

  test("returns Stripe's error shape for an unknown route, and names the emulator", async () => {
    await expect(stripe.payouts.list()).rejects.toMatchObject({
      statusCode: 404,
      type: 'StripeInvalidRequestError',
      message: expect.stringContaining('The Stripe emulator does not cover'),
    });
  });

  test('responds in the shape of the version that the request names, with what it lists and expands, and says which it is', async () => {
    const { customer } = await subscribe();
    const authorization = `Bearer ${emulator.secrets.stripeSecretKey}`;
    const ask = (version: string, path: string) =>
      app.request(`/v1/${path}`, { headers: { authorization, 'stripe-version': version } });
    const path = `subscriptions?customer=${customer}&expand[]=data.latest_invoice`;
    for (const version of ['2025-03-31.basil', Stripe.API_VERSION]) {
      const response = await ask(version, path);
      expect(response.headers.get('stripe-version')).toBe(Stripe.API_VERSION);
      const { data } = (await response.json()) as { data: object[] };
      expect(data[0]).not.toHaveProperty('current_period_end');
    }
    const older = await ask('2025-02-24.acacia', path);
    expect(older.headers.get('stripe-version')).toBe('2025-02-24.acacia');
    expect(await older.json()).toMatchObject({
      data: [
        {
          current_period_end: expect.any(Number),
          latest_invoice: { paid: true, payment_intent: expect.stringMatching(/^pi_/) },
        },
      ],
    });
    const expanded = await ask('2024-06-20', `${path}.payment_intent.latest_charge`);
    expect(await expanded.json()).toMatchObject({
      data: [{ latest_invoice: { payment_intent: { status: 'succeeded', latest_charge: { paid: true } } } }],
    });
    expect((await ask(Stripe.API_VERSION, `${path}.payment_intent`)).status).toBe(400);
    const refused = await ask('latest', 'customers');
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { error: { message: 'Invalid Stripe API version: latest' } },
    ]);
  });

  test('refuses a request for a connected account, as the emulator does not cover them', async () => {
    await expect(stripe.customers.create({}, { stripeAccount: 'acct_1' })).rejects.toMatchObject({
      ...{ statusCode: 400, message: 'The Stripe emulator does not cover connected accounts (Stripe-Account).' },
    });
  });

  test('refuses a body over 256 KiB', async () => {
    const authorization = `Bearer ${emulator.secrets.stripeSecretKey}`;
    const body = `description=${'x'.repeat(256 * 1024)}`;
    const response = await app.request('/v1/customers', { method: 'POST', headers: { authorization }, body });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
  });

  test('refuses a null character, in a parameter and in a path', async () => {
    const refused = { statusCode: 400, message: expect.stringContaining('null character') };
    await expect(stripe.customers.create({ name: 'a\0b' })).rejects.toMatchObject(refused);
    await expect(stripe.customers.list({ email: 'a\0b' })).rejects.toMatchObject(refused);
    await expect(stripe.customers.retrieve('cus_\0')).rejects.toMatchObject(refused);
  });

  test('names what is missing, wrong or unknown', async () => {
    const create = (params: unknown) => stripe.prices.create(params as Stripe.PriceCreateParams);
    await expect(create({ unit_amount: 1, product: 'prod_1' })).rejects.toMatchObject({
      code: 'parameter_missing',
      param: 'currency',
    });
    for (const text of ['a lot', '1e3', '0x10', ' 1', '1.5']) {
      await expect(create({ currency: 'usd', unit_amount: text, product: 'prod_1' })).rejects.toMatchObject({
        ...{ code: 'parameter_invalid_integer', param: 'unit_amount', message: `Invalid integer: ${text}` },
      });
    }
    await expect(create({ currency: 'usd', unit_amount: '', product: 'prod_1' })).rejects.toMatchObject({
      ...{ code: 'parameter_invalid_empty', param: 'unit_amount' },
    });
    await expect(create({ currency: 'xyz', unit_amount: 1, product: 'prod_1' })).rejects.toMatchObject({
      ...{ param: 'currency', message: expect.stringContaining('Invalid currency: xyz') },
    });
    await expect(create({ currency: 'usd', unit_amount: 1, color: 'red' })).rejects.toMatchObject({
      code: 'parameter_unknown',
      param: 'color',
    });
    await expect(create({ currency: 'usd', unit_amount: 1, product: 'prod_none' })).rejects.toMatchObject({
      code: 'resource_missing',
      param: 'product',
    });
    await expect(stripe.customers.retrieve('cus_none')).rejects.toMatchObject({ statusCode: 404, param: 'id' });
  });

  test.each([
    [{ subscription_data: { metadata: METADATA } }, 'subscription_data'],
    [{ customer: 'cus_none' }, 'customer'],
    [{ line_items: [] }, 'line_items'],
    [{ line_items: [{ price: 'price_none', quantity: 1 }] }, 'line_items[0][price]'],
    [{ payment_method_types: ['card'] }, 'payment_method_types'],
  ])('refuses a session with %j', async (over, param) => {
    const item = { price_data: { currency: 'usd', unit_amount: 100, product_data: { name: 'Pen' } }, quantity: 1 };
    const params = { mode: 'payment', line_items: [item], success_url: SUCCESS_URL, ...over };
    const creating = stripe.checkout.sessions.create(params as Stripe.Checkout.SessionCreateParams);
    await expect(creating).rejects.toMatchObject({ param });
  });

  test('takes an ID of yours once for a product and once for a coupon, also where they are the same', async () => {
    const id = randomUUID();
    const make = [
      () => stripe.products.create({ id, name: 'Pro' }),
      () => stripe.coupons.create({ id, percent_off: 20 }),
    ];
    for (const create of make) {
      expect((await create()).id).toBe(id);
      await expect(create()).rejects.toMatchObject({ statusCode: 400, code: 'resource_already_exists' });
    }
    await stripe.products.update(id, { name: 'Pro, renamed' });
    expect(await stripe.products.retrieve(id)).toMatchObject({ object: 'product', name: 'Pro, renamed' });
    expect(await stripe.coupons.retrieve(id)).toMatchObject({ object: 'coupon', percent_off: 20 });
  });

  test("keeps to the metadata's limits", async () => {
    const metadata = (key: string, value: string) => stripe.customers.create({ metadata: { [key]: value } });
    await expect(metadata('k'.repeat(41), 'v')).rejects.toThrow(errors.StripeInvalidRequestError);
    await expect(metadata('k', 'v'.repeat(501))).rejects.toThrow(errors.StripeInvalidRequestError);
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`k${index}`, 'v']));
    await expect(stripe.customers.create({ metadata: many })).rejects.toThrow('50 metadata keys');
    const { k50: _last, ...fifty } = many;
    const { id } = await stripe.customers.create({ metadata: fifty });
    const add = (metadata: Record<string, string>) => stripe.customers.update(id, { metadata });
    await expect(add({ one: 'more' })).rejects.toMatchObject({ statusCode: 400, param: 'metadata' });
    expect((await add({ one: 'more', k0: '' })).metadata).toMatchObject({ one: 'more' });
  });

  test('an update merges metadata: an empty value removes its key, an empty string removes all', async () => {
    const { id } = await stripe.customers.create({ metadata: { a: '1', b: '2' } });
    expect((await stripe.customers.update(id, { metadata: { a: '', c: '3' } })).metadata).toEqual({ b: '2', c: '3' });
    expect((await stripe.customers.update(id, { metadata: '' })).metadata).toEqual({});
  });

  test('expands along a path, and names what cannot be expanded', async () => {
    const { session } = await subscribe();
    const expanded = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ['subscription.latest_invoice', 'customer'],
    });
    expect(expanded).toMatchObject({
      customer: { object: 'customer' },
      subscription: { latest_invoice: { object: 'invoice' } },
    });
    const list = await stripe.subscriptions.list({ customer: String(session.customer), expand: ['data.customer'] });
    expect(list.data[0]?.customer).toMatchObject({ object: 'customer' });
  });

  test('expands neither what is no reference to an object, nor from a list without `data`', async () => {
    const { customer, subscription, price } = await subscribe();
    const once = { unit_amount: 100, currency: 'usd', product: String(price.product) };
    const { id: oneTime } = await stripe.prices.create(once);
    const item = await stripe.invoiceItems.create({ customer, pricing: { price: oneTime } });
    const cannot = (path: string) => ({
      ...{ statusCode: 400, type: 'StripeInvalidRequestError', param: 'expand' },
      message: expect.stringContaining(`This property cannot be expanded (${path}).`),
    });
    const [charge] = (await stripe.charges.list({ customer })).data;
    const refusals: [string, (expand: string[]) => Promise<unknown>][] = [
      ['data.nothing', (expand) => stripe.customers.list({ expand })],
      ['customer', (expand) => stripe.subscriptions.list({ customer, expand })],
      ['data', (expand) => stripe.subscriptions.list({ customer, expand })],
      ['payment_method', (expand) => stripe.charges.retrieve(charge?.id ?? '', { expand })],
      ['amount', (expand) => stripe.charges.retrieve(charge?.id ?? '', { expand })],
      ['metadata', (expand) => stripe.customers.retrieve(customer, { expand })],
      ['items.data.subscription', (expand) => stripe.subscriptions.retrieve(subscription, { expand })],
      ['pricing.price_details.product', (expand) => stripe.invoiceItems.retrieve(item.id, { expand })],
    ];
    for (const [path, ask] of refusals) await expect(ask([path])).rejects.toMatchObject(cannot(path));
  });

  test('expands four levels at most, and `data` of a list is one of them', async () => {
    const { subscription, customer } = await subscribe();
    const tooDeep = { statusCode: 400, code: 'property_expansion_max_depth' };
    const list = (expand: string[]) => stripe.subscriptions.list({ customer, expand });
    await expect(list(['data.items.data.price.product'])).rejects.toMatchObject(tooDeep);
    expect((await list(['data.items.data.price'])).data).toMatchObject([{ id: subscription }]);
    const { items } = await stripe.subscriptions.retrieve(subscription, { expand: ['items.data.price.product'] });
    expect(items.data).toMatchObject([{ price: { product: { object: 'product' } } }]);
  });

  test('leaves null where there is nothing to expand, and reaches objects in hashes', async () => {
    const { session, customer } = await subscribe();
    const { customer_account: none } = await stripe.invoices.retrieve(String(session.invoice), {
      expand: ['default_payment_method', 'customer_account'],
    });
    expect(none).toBeNull();
    const invoice = await stripe.invoices.retrieve(String(session.invoice), {
      expand: ['parent.subscription_details.subscription'],
    });
    expect(invoice.parent?.subscription_details?.subscription).toMatchObject({ object: 'subscription', customer });
    const { data } = await stripe.invoicePayments.list({
      invoice: invoice.id ?? '',
      expand: ['data.payment.payment_intent'],
    });
    expect(data[0]?.payment.payment_intent).toMatchObject({ object: 'payment_intent' });
  });

  test('expands what an object has only on request, and the discounts of a subscription', async () => {
    const { id: coupon } = await stripe.coupons.create({
      percent_off: 20,
      duration: 'repeating',
      duration_in_months: 3,
    });
    const { subscription, customer } = await subscribe({ coupon });
    const { discounts, latest_invoice: invoice } = await stripe.subscriptions.retrieve(subscription, {
      expand: ['discounts.source.coupon', 'latest_invoice.discounts'],
    });
    expect(discounts).toMatchObject([{ object: 'discount', subscription, source: { coupon: { percent_off: 20 } } }]);
    expect((invoice as Stripe.Invoice).discounts).toMatchObject([{ object: 'discount', source: { coupon } }]);
    const of = await stripe.customers.retrieve(customer, { expand: ['subscriptions.data.default_payment_method'] });
    expect(of).toMatchObject({
      subscriptions: { data: [{ id: subscription, default_payment_method: { card: { last4: '4242' } } }] },
    });
    const [charge] = (await stripe.charges.list({ customer })).data;
    const { id: refund } = await stripe.refunds.create({ charge: charge?.id ?? '', amount: 100 });
    const refunded = await stripe.charges.retrieve(charge?.id ?? '', { expand: ['refunds'] });
    expect(refunded.refunds?.data.map(({ id }) => id)).toEqual([refund]);
    expect(charge?.refunds).toBeUndefined();
    await stripe.subscriptions.cancel(subscription);
    const left = await stripe.customers.retrieve(customer, { expand: ['subscriptions'] });
    expect((left as Stripe.Customer).subscriptions?.data).toEqual([]);
  });
});

describe('idempotency keys', () => {
  test('the same key and parameters return the first response', async () => {
    const [idempotencyKey, email] = [randomUUID(), newEmail()];
    const first = await stripe.customers.create({ email }, { idempotencyKey });
    const again = await stripe.customers.create({ email }, { idempotencyKey });
    expect(again.id).toBe(first.id);
    const headers = new Headers(again.lastResponse.headers);
    expect(headers.get('idempotent-replayed')).toBe('true');
    expect(headers.get('original-request')).toBe(first.lastResponse.requestId);
    expect((await stripe.customers.list({ email })).data).toHaveLength(1);
  });

  test('twenty concurrent requests create one customer', async () => {
    const [idempotencyKey, email] = [randomUUID(), newEmail()];
    const made = await Promise.all(
      Array.from({ length: 20 }, () => stripe.customers.create({ email }, { idempotencyKey })),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect((await stripe.customers.list({ email })).data).toHaveLength(1);
  });

  test('other parameters under a used key are refused', async () => {
    const idempotencyKey = randomUUID();
    await stripe.customers.create({ email: newEmail() }, { idempotencyKey });
    await expect(stripe.customers.create({ email: newEmail() }, { idempotencyKey })).rejects.toBeInstanceOf(
      errors.StripeIdempotencyError,
    );
  });

  test('a key is forgotten after a day', async () => {
    const [idempotencyKey, email] = [randomUUID(), newEmail()];
    const first = await stripe.customers.create({ email }, { idempotencyKey });
    const age = (hours: number) =>
      emulator.database.change((sql) =>
        sql("UPDATE idempotency_key SET created_at = now() - $2 * interval '1 hour' WHERE key = $1", [
          idempotencyKey,
          hours,
        ]),
      );
    await age(23);
    expect((await stripe.customers.create({ email }, { idempotencyKey })).id).toBe(first.id);
    await age(25);
    expect((await stripe.customers.create({ email }, { idempotencyKey })).id).not.toBe(first.id);
  });

  test('a request that was refused leaves its key free', async () => {
    const idempotencyKey = randomUUID();
    const refused = stripe.customers.create({ email: 'not an address' }, { idempotencyKey });
    await expect(refused).rejects.toThrow(errors.StripeInvalidRequestError);
    expect((await stripe.customers.create({ email: newEmail() }, { idempotencyKey })).id).toMatch(/^cus_/);
  });

  test('a payment that was refused is refused again, whatever has changed since', async () => {
    const { id: customer } = await stripe.customers.create({ email: newEmail() });
    const use = async (card: string) => (await stripe.paymentMethods.attach(card, { customer })).id;
    const charge = async (card: string) =>
      stripe.customers.update(customer, { invoice_settings: { default_payment_method: await use(card) } });
    await charge('pm_card_chargeCustomerFail');
    const order: Stripe.SubscriptionCreateParams = {
      ...{ customer, items: [{ price: (await newPrice()).id }], payment_behavior: 'error_if_incomplete' },
    };
    const idempotencyKey = randomUUID();
    const refused = { statusCode: 402, code: 'card_declined' };
    await expect(stripe.subscriptions.create(order, { idempotencyKey })).rejects.toMatchObject(refused);
    await charge('pm_card_visa');
    await expect(stripe.subscriptions.create(order, { idempotencyKey })).rejects.toMatchObject(refused);
    expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toEqual([]);
    expect(await stripe.subscriptions.create(order, { idempotencyKey: randomUUID() })).toMatchObject({
      status: 'active',
    });
  });
});

describe('lists', () => {
  test('are newest first, in pages, and paginate automatically', async () => {
    const email = newEmail();
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1) made.unshift((await stripe.customers.create({ email })).id);
    const first = await stripe.customers.list({ email, limit: 3 });
    expect(first.data.map(({ id }) => id)).toEqual(made.slice(0, 3));
    expect(first.has_more).toBe(true);
    const back = await stripe.customers.list({ email, limit: 2, ending_before: made[3] ?? '' });
    expect(back.data.map(({ id }) => id)).toEqual(made.slice(1, 3));
    const all: string[] = [];
    for await (const { id } of stripe.customers.list({ email, limit: 2 })) all.push(id);
    expect(all).toEqual(made);
  });

  test('refuse a limit of 0 or 101 and an unknown cursor', async () => {
    await expect(stripe.customers.list({ limit: 101 })).rejects.toMatchObject({ param: 'limit' });
    await expect(stripe.customers.list({ limit: 0 })).rejects.toMatchObject({ param: 'limit' });
    await expect(stripe.customers.list({ starting_after: 'cus_none' })).rejects.toMatchObject({
      param: 'starting_after',
    });
  });

  test('of a customer that does not exist are refused, also below its path', async () => {
    const missing = { code: 'resource_missing', message: "No such customer: 'cus_none'" };
    const customer = 'cus_none';
    const lists = [stripe.subscriptions, stripe.invoices, stripe.paymentMethods, stripe.checkout.sessions];
    for (const resource of lists) {
      await expect(resource.list({ customer })).rejects.toMatchObject({
        ...missing,
        statusCode: 400,
        param: 'customer',
      });
    }
    await expect(stripe.customers.listPaymentMethods(customer)).rejects.toMatchObject({ ...missing, statusCode: 404 });
    const balance = stripe.customers.listBalanceTransactions(customer);
    await expect(balance).rejects.toMatchObject({ ...missing, statusCode: 404 });
    const { id } = await stripe.customers.create({ email: newEmail() });
    for (const resource of lists) expect((await resource.list({ customer: id })).data).toEqual([]);
    expect((await stripe.customers.listPaymentMethods(id)).data).toEqual([]);
    expect((await stripe.customers.listBalanceTransactions(id)).data).toEqual([]);
    const other = await stripe.customers.create({ email: newEmail() });
    const credit = await stripe.customers.createBalanceTransaction(other.id, { amount: -500, currency: 'usd' });
    expect(await stripe.customers.retrieveBalanceTransaction(other.id, credit.id)).toEqual(credit);
    await expect(stripe.customers.retrieveBalanceTransaction(id, credit.id)).rejects.toMatchObject({ statusCode: 404 });
  });

  test('prices are found by lookup key, which only one price has', async () => {
    const key = randomUUID();
    const { id: product } = await stripe.products.create({ name: 'Studio' });
    const params = { product, currency: 'usd', unit_amount: 100, lookup_key: key };
    const price = await stripe.prices.create(params);
    await expect(stripe.prices.create(params)).rejects.toMatchObject({ param: 'lookup_key' });
    const next = await stripe.prices.create({ ...params, transfer_lookup_key: true });
    expect((await stripe.prices.list({ lookup_keys: [key] })).data.map(({ id }) => id)).toEqual([next.id]);
    expect(await stripe.prices.retrieve(price.id)).toMatchObject({ lookup_key: null });
  });

  test('an update of a price takes a lookup key from another one only where it says so', async () => {
    const [key, holder, price] = [randomUUID(), await newPrice(), await newPrice()];
    const update = (id: string, params: Stripe.PriceUpdateParams) => stripe.prices.update(id, params);
    await update(holder.id, { lookup_key: key });
    expect(await update(holder.id, { lookup_key: key, nickname: 'mine' })).toMatchObject({ lookup_key: key });
    await expect(update(price.id, { lookup_key: key })).rejects.toMatchObject({ statusCode: 400, param: 'lookup_key' });
    const moved = await update(price.id, { lookup_key: key, transfer_lookup_key: true });
    expect(moved).toMatchObject({ lookup_key: key });
    expect((await stripe.prices.list({ lookup_keys: [key] })).data.map(({ id }) => id)).toEqual([price.id]);
    const updates = (await eventsAbout(holder.id)).filter(({ type }) => type === 'price.updated');
    expect(updates.at(-1)?.data).toMatchObject({
      object: { lookup_key: null },
      previous_attributes: { lookup_key: key },
    });
  });
});

describe('a price', () => {
  test('has decimals as strings on the wire, as the SDK expects', async () => {
    const price = await newPrice({ amount: 1900 });
    expect(String(price.unit_amount_decimal)).toBe('1900');
  });
});
