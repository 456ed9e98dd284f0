import Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { newEmail, openAccount } from './testing/account';

const { stripe, subscribe, typesAbout, buy, advance } = await openAccount();

describe('a customer', () => {
  test('has a shipping address, locales and a tax status', async () => {
    const shipping = { name: 'Ada', address: { line1: '1 Main St', city: 'Oslo', country: 'NO', postal_code: '0150' } };
    const { id } = await stripe.customers.create({ shipping, preferred_locales: ['nb'], tax_exempt: 'exempt' });
    expect(await stripe.customers.retrieve(id)).toMatchObject({
      ...{ shipping, preferred_locales: ['nb'], tax_exempt: 'exempt' },
    });
    expect(await stripe.customers.update(id, { shipping: '', tax_exempt: 'none' })).toMatchObject({
      ...{ shipping: null, tax_exempt: 'none', preferred_locales: ['nb'] },
    });
  });

  test('is made with a payment method, which can be the default one', async () => {
    const { id: method } = await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } });
    const customer = await stripe.customers.create({
      payment_method: method,
      invoice_settings: { default_payment_method: method },
    });
    expect(customer.invoice_settings.default_payment_method).toBe(method);
    expect(await stripe.customers.retrievePaymentMethod(customer.id, method)).toMatchObject({ customer: customer.id });
    const named = { payment_method: 'pm_card_visa', invoice_settings: { default_payment_method: 'pm_card_visa' } };
    const readyMade = await stripe.customers.create(named);
    const [attached] = (await stripe.customers.listPaymentMethods(readyMade.id)).data;
    expect(readyMade.invoice_settings.default_payment_method).toBe(attached?.id);
    const other = await stripe.customers.create();
    await expect(stripe.customers.retrievePaymentMethod(other.id, method)).rejects.toMatchObject({ statusCode: 404 });
  });
});

describe("a customer's email address", () => {
  test.each(['a..b@docomo.ne.jp', 'ada.@docomo.ne.jp', "o'hara+1@example.co.uk", '"ada"@example.com'])(
    'may be %s',
    async (email) => {
      const { id } = await stripe.customers.create({ email });
      expect(await stripe.customers.update(id, { email: `x${email}` })).toMatchObject({ email: `x${email}` });
    },
  );

  test.each(['zoë@example.com', 'ada@exämple.com', 'ada example@example.com', 'ada@example.com ', 'ada@com', 'ada'])(
    'is refused as invalid where it is %j',
    async (email) => {
      const refusal = { statusCode: 400, code: 'email_invalid', message: `Invalid email address: ${email}` };
      const { id } = await stripe.customers.create({ name: 'Ada' });
      for (const wrong of [stripe.customers.create({ email }), stripe.customers.update(id, { email })]) {
        await expect(wrong).rejects.toMatchObject({ ...refusal, param: 'email' });
      }
      await expect(
        stripe.paymentIntents.create({ amount: 100, currency: 'usd', receipt_email: email }),
      ).rejects.toMatchObject({ ...refusal, param: 'receipt_email' });
    },
  );

  test('can be removed', async () => {
    const { id } = await stripe.customers.create({ email: newEmail() });
    expect(await stripe.customers.update(id, { email: '' })).toMatchObject({ email: null });
  });
});

describe('a deleted customer', () => {
  test('is known as deleted, has no subscription and no payment method left, and is named by no parameter', async () => {
    const { customer, subscription, email } = await subscribe();
    const [method] = (await stripe.customers.listPaymentMethods(customer)).data;
    expect(await stripe.customers.del(customer)).toMatchObject({ id: customer, object: 'customer', deleted: true });
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ id: customer, deleted: true });
    expect((await stripe.customers.list({ email })).data).toEqual([]);
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'canceled' });
    expect(await stripe.paymentMethods.retrieve(method?.id ?? '')).toMatchObject({ customer: null });
    expect((await typesAbout(subscription)).at(-1)).toBe('customer.subscription.deleted');
    expect((await typesAbout(customer)).at(-1)).toBe('customer.deleted');
    await expect(stripe.customers.update(customer, { name: 'Ada' })).rejects.toMatchObject({ statusCode: 404 });
    await expect(stripe.subscriptions.list({ customer })).rejects.toMatchObject({ code: 'resource_missing' });
    await expect(stripe.customers.del(customer)).rejects.toMatchObject({ statusCode: 404 });
  });

  test('leaves invoices and charges, which can still be refunded', async () => {
    const { customer, session } = await subscribe();
    const { data } = await stripe.charges.list({ customer });
    await stripe.customers.del(customer);
    expect(await stripe.invoices.retrieve(String(session.invoice))).toMatchObject({ status: 'paid', customer });
    expect(await stripe.refunds.create({ charge: data[0]?.id ?? '' })).toMatchObject({ status: 'succeeded' });
  });

  test('leaves disputes, open invoices and held payments, which can still be decided', async () => {
    const disputed = await subscribe({ number: '4000000000000259' });
    const [dispute] = (await stripe.disputes.list()).data;
    await stripe.customers.del(disputed.customer);
    expect(await stripe.disputes.update(dispute?.id ?? '', { metadata: { a: 'b' } })).toMatchObject({
      metadata: { a: 'b' },
    });
    expect(await stripe.disputes.close(dispute?.id ?? '')).toMatchObject({ status: 'lost' });

    const overdue = await subscribe({ number: '4000000000000341' });
    await advance(overdue.customer, { to_next_renewal: true });
    const [{ id: open } = { id: '' }] = (await stripe.invoices.list({ customer: overdue.customer, status: 'open' }))
      .data;
    await stripe.customers.del(overdue.customer);
    await expect(stripe.invoices.pay(open)).rejects.toThrow('no attached payment source');
    expect(await stripe.invoices.voidInvoice(open)).toMatchObject({ status: 'void' });

    const { id: customer } = await stripe.customers.create();
    const held = await stripe.paymentIntents.create({
      ...{ customer, amount: 1_900, currency: 'usd', capture_method: 'manual' },
      ...{ payment_method: 'pm_card_visa', confirm: true, off_session: true },
    });
    await stripe.customers.del(customer);
    expect(await stripe.paymentIntents.capture(held.id)).toMatchObject({ status: 'succeeded', amount_received: 1_900 });
  });
});

describe('a search', () => {
  const found = async (query: string) =>
    (await stripe.customers.search({ query })).data.map(({ name }) => name).toSorted();

  test('finds objects by metadata, text and numbers, with AND, OR and -', async () => {
    const team = newEmail();
    const [ada, joan] = [newEmail(), newEmail()];
    await stripe.customers.create({ name: 'Ada Keller', email: ada, metadata: { team, user_id: "it's 1" } });
    await stripe.customers.create({ name: 'Joan', email: joan, metadata: { team, user_id: '2' } });
    expect(await found(`metadata["user_id"]:"it's 1" AND metadata['team']:'${team}'`)).toEqual(['Ada Keller']);
    expect(await found(`email:'${joan.toUpperCase()}'`)).toEqual(['Joan']);
    expect(await found(`metadata['team']:'${team}' AND created>1000 AND name~"kell"`)).toEqual(['Ada Keller']);
    expect(await found(`email:"${ada}" OR email:"${joan}"`)).toEqual(['Ada Keller', 'Joan']);
    expect(await found(`metadata['team']:'${team}' AND -metadata['user_id']:'2'`)).toEqual(['Ada Keller']);
    expect(await found(`metadata['team']:'${team}' AND phone:null`)).toEqual(['Ada Keller', 'Joan']);
    expect(await found(`metadata['team']:'none'`)).toEqual([]);
  });

  test('is paged, and covers the resources that have one', async () => {
    const team = newEmail();
    for (const name of ['1', '2', '3']) await stripe.customers.create({ name, metadata: { team } });
    const query = `metadata['team']:'${team}'`;
    const first = await stripe.customers.search({ query, limit: 2 });
    expect(first).toMatchObject({ object: 'search_result', has_more: true, url: '/v1/customers/search' });
    const second = await stripe.customers.search({ query, limit: 2, page: first.next_page ?? '' });
    expect([...first.data, ...second.data].map(({ name }) => name)).toEqual(['3', '2', '1']);
    expect(second).toMatchObject({ has_more: false, next_page: null });
    const none = { statusCode: 400, code: 'resource_missing', param: 'page' };
    await expect(stripe.customers.search({ query, page: 'none' })).rejects.toMatchObject(none);
    const { paymentIntent } = await buy();
    const amount = `amount:${paymentIntent.amount} AND customer:null`;
    expect((await stripe.paymentIntents.search({ query: amount })).data).toHaveLength(1);
    expect((await stripe.charges.search({ query: amount })).data).toHaveLength(1);
    const active = "active:'true'";
    expect((await stripe.prices.search({ query: active })).data.length).toBeGreaterThan(0);
    expect((await stripe.products.search({ query: active })).data.length).toBeGreaterThan(0);
    expect((await stripe.invoices.search({ query: 'total>0' })).data.length).toBeGreaterThan(0);
    expect((await stripe.subscriptions.search({ query: "status:'canceled'" })).data.length).toBeGreaterThan(0);
  });

  test('expands what it finds, as a list does', async () => {
    const { customer, subscription } = await subscribe();
    const query = `metadata['customer_key']:'none' OR status:'active'`;
    const found = await stripe.subscriptions.search({ query, expand: ['data.customer'] });
    expect(found.data.find(({ id }) => id === subscription)?.customer).toMatchObject({
      id: customer,
      object: 'customer',
    });
    await expect(stripe.subscriptions.search({ query, expand: ['customer'] })).rejects.toMatchObject({
      param: 'expand',
    });
  });

  test.each(['', 'email', "email='a'", "email:'a' AND", "a:'1' AND b:'2' OR c:'3'", "email:'a' email:'b'"])(
    'is refused with the query %j',
    async (query) => {
      const searching = stripe.customers.search({ query });
      await expect(searching).rejects.toBeInstanceOf(Stripe.errors.StripeInvalidRequestError);
      await expect(searching).rejects.toMatchObject({ param: 'query' });
    },
  );
});
