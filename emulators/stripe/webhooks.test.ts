import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Stripe from 'stripe';
import { afterAll, describe, expect, test } from 'vitest';
import { stripeWebhookSecret } from '../core/emulator';
import { payCheckout } from './checkout/page';
import { refundPayment } from './index';
import { DAY, METADATA, newEmail, openAccount, SUCCESS_URL, VISA } from './testing/account';

type Received = { signature: string; body: string };

const received: Received[] = [];
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  received.push({ signature: String(request.headers['stripe-signature']), body: Buffer.concat(chunks).toString() });
  response.end();
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
afterAll(() => receiver.close());

const webhook = {
  target: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`,
  variable: 'STRIPE_WEBHOOK_SECRET',
  events: ['checkout.session.completed', 'invoice.paid', 'charge.refunded'],
};
const { emulator, stripe, newPrice, subscribe, buy, advance, eventsAbout } = await openAccount({
  stripeWebhooks: [webhook],
});

const verified = () =>
  received.map(({ signature, body }) =>
    stripe.webhooks.constructEvent(body, signature, stripeWebhookSecret(emulator, webhook)),
  );

describe('webhooks', () => {
  test('arrive with a genuine signature before the customer is redirected, and only those that the endpoint receives', async () => {
    const { id } = await stripe.checkout.sessions.create({
      mode: 'payment',
      customer_email: newEmail(),
      line_items: [{ price_data: { currency: 'usd', unit_amount: 900, product_data: { name: 'Pen' } }, quantity: 1 }],
      success_url: SUCCESS_URL,
    });
    await payCheckout(emulator, id, { number: VISA, expiry: '12 / 34', cvc: '123', name: 'Ada' });
    const events = verified().filter(({ data }) => (data.object as { id: string }).id === id);
    expect(events.map(({ type }) => type)).toEqual(['checkout.session.completed']);
    expect(verified().map(({ type }) => type)).not.toContain('charge.succeeded');
  });

  test('carry the time at which they happened on the emulated clock', async () => {
    const { email, customer } = await subscribe();
    await advance(customer, 32 * DAY);
    const deliveries = await emulator.deliveries.list({ customer: email });
    const renewal = deliveries.find(({ event_type: type }) => type === 'invoice.paid');
    const { created } = JSON.parse(renewal?.body ?? '{}') as { created: number };
    expect(new Date(renewal?.occurred_at ?? 0).getTime()).toBe(created * 1000);
    expect(created).toBeGreaterThan(Date.now() / 1000 + 27 * DAY);
  });

  test('report a refund that was made in the control room', async () => {
    const { email, customer } = await subscribe();
    const charge = (await stripe.charges.list({ customer })).data[0]?.id ?? '';
    await refundPayment(emulator, charge, 100);
    await refundPayment(emulator, charge);
    expect(await stripe.charges.retrieve(charge)).toMatchObject({ refunded: true });
    const types = (await emulator.deliveries.list({ customer: email })).map(({ event_type: type }) => type);
    expect(types.filter((type) => type === 'charge.refunded')).toHaveLength(2);
  });

  test('of an endpoint made through the API have its secret and the shape of its version', async () => {
    const endpoint = await stripe.webhookEndpoints.create({
      url: 'http://localhost:1/older',
      enabled_events: ['invoice.paid'],
      api_version: '2024-06-20',
    });
    expect(endpoint.secret).toMatch(/^whsec_/);
    expect((await stripe.webhookEndpoints.retrieve(endpoint.id)).secret).toBeUndefined();
    const { email, customer } = await subscribe();
    await advance(customer, 32 * DAY);
    await stripe.webhookEndpoints.del(endpoint.id);
    const deliveries = await emulator.deliveries.list({ customer: email });
    const older = deliveries.filter(({ url }) => url === 'http://localhost:1/older');
    expect(older.map(({ event_type: type }) => type)).toEqual(['invoice.paid', 'invoice.paid']);
    expect(JSON.parse(older[0]?.body ?? '')).toMatchObject({
      api_version: '2024-06-20',
      data: {
        object: {
          subscription: expect.stringMatching(/^sub_/),
          subscription_details: { metadata: METADATA },
          payment_intent: expect.stringMatching(/^pi_/),
          charge: expect.stringMatching(/^ch_/),
          paid: true,
        },
      },
    });
    expect(JSON.parse(older[0]?.body ?? '').data.object).not.toHaveProperty('parent');
  });
});

test.each([
  ['deleted', (id: string) => stripe.webhookEndpoints.del(id)],
  ['disabled', (id: string) => stripe.webhookEndpoints.update(id, { disabled: true })],
])('what an endpoint has not taken ends when it is %s', async (how, end) => {
  const url = `http://localhost:1/${how}`;
  const { id } = await stripe.webhookEndpoints.create({ url, enabled_events: ['invoice.paid'] });
  const { email } = await subscribe();
  const statuses = async () => {
    const deliveries = await emulator.deliveries.list({ customer: email });
    return deliveries.filter((delivery) => delivery.url === url).map(({ status }) => status);
  };
  expect(await statuses()).toEqual(['pending']);
  await end(id);
  expect(await statuses()).toEqual(['failed']);
  await stripe.webhookEndpoints.del(id).catch(() => {}); // it takes no events of other tests
});

test('an endpoint subscribes to any event of Stripe, and to no misspelt one', async () => {
  const url = 'http://localhost:1/never';
  const misspelt = ['invoice.paid', 'checkout.session.complete'] as Stripe.WebhookEndpointCreateParams.EnabledEvent[];
  await expect(stripe.webhookEndpoints.create({ url, enabled_events: misspelt })).rejects.toMatchObject({
    statusCode: 400,
    param: 'enabled_events[1]',
    message: 'Invalid enabled_events[1]: Stripe has no event of this type.',
  });
  const { id } = await stripe.webhookEndpoints.create({ url, enabled_events: ['payout.paid', 'account.updated'] });
  await expect(stripe.webhookEndpoints.update(id, { enabled_events: misspelt })).rejects.toMatchObject({
    statusCode: 400,
  });
  await stripe.webhookEndpoints.del(id);
});

describe('an endpoint of a version before 2025-03-31.basil', () => {
  const url = 'http://localhost:1/before-basil';
  const invoicesSent = async (customer: string) => {
    const deliveries = await emulator.deliveries.list({ customer });
    const sent = deliveries.filter((delivery) => delivery.url === url).reverse();
    return sent.map(({ body }) => {
      const { type, data } = JSON.parse(body) as { type: string; data: { object: { invoice: string | null } } };
      return [type, data.object.invoice];
    });
  };

  test('finds what has changed in that shape, too', async () => {
    const { id } = await stripe.webhookEndpoints.create({
      url: `${url}/changes`,
      enabled_events: ['customer.subscription.updated'],
      api_version: '2024-06-20',
    });
    const { email, customer, subscription } = await subscribe();
    const [{ current_period_end: renewal } = {}] = (await stripe.subscriptions.retrieve(subscription)).items.data;
    await advance(customer, { to_next_renewal: true });
    await stripe.webhookEndpoints.del(id);
    const sent = (await emulator.deliveries.list({ customer: email })).find((one) => one.url === `${url}/changes`);
    const { object, previous_attributes: previous } = JSON.parse(sent?.body ?? '').data;
    expect(object).toMatchObject({ current_period_start: renewal });
    expect(previous).toMatchObject({ current_period_end: renewal, items: { data: [{ current_period_end: renewal }] } });
    const changed = ['current_period_end', 'current_period_start', 'items', 'latest_invoice'];
    expect(Object.keys(previous).sort()).toEqual(changed);
  });

  test('finds the price on the lines of an invoice, and whether one is a proration', async () => {
    const { id } = await stripe.webhookEndpoints.create({
      url: `${url}/lines`,
      enabled_events: ['invoice.paid', 'invoiceitem.created'],
      api_version: '2025-02-24.acacia',
    });
    const { email, customer, subscription, price } = await subscribe();
    const dearer = await newPrice({ amount: 4900 });
    const [item] = (await stripe.subscriptions.retrieve(subscription)).items.data;
    await stripe.subscriptions.update(subscription, { items: [{ id: item?.id ?? '', price: dearer.id }] });
    await advance(customer, { to_next_renewal: true });
    await stripe.webhookEndpoints.del(id);
    const deliveries = await emulator.deliveries.list({ customer: email });
    const sent = deliveries.filter((delivery) => delivery.url === `${url}/lines`).map(({ body }) => JSON.parse(body));
    const [first, credit, charge, renewal] = sent.reverse().map(({ data }) => data.object);
    const whole = { type: 'subscription', proration: false, subscription, subscription_item: item?.id };
    expect(first.lines.data).toMatchObject([{ ...whole, price: { id: price.id, recurring: { interval: 'month' } } }]);
    expect(first.lines.data[0]).not.toHaveProperty('pricing');
    expect([credit, charge]).toMatchObject([
      { price: { id: price.id }, proration: true, subscription, subscription_item: item?.id, unit_amount: -1900 },
      { price: { id: dearer.id }, proration: true, subscription, subscription_item: item?.id, unit_amount: 4900 },
    ]);
    expect(renewal.lines.data).toMatchObject([
      { type: 'invoiceitem', invoice_item: credit.id, proration: true, price: { id: price.id } },
      { type: 'invoiceitem', invoice_item: charge.id, proration: true, price: { id: dearer.id } },
      { ...whole, price: { id: dearer.id }, plan: { id: dearer.id, amount: 4900 } },
    ]);
  });

  test('finds the invoice on its charges and payments: paid, declined, refunded later, and none', async () => {
    const types = ['charge.succeeded', 'payment_intent.succeeded', 'charge.failed', 'charge.refunded'] as const;
    const { id } = await stripe.webhookEndpoints.create({
      url,
      enabled_events: [...types],
      api_version: '2025-02-24.acacia',
    });
    const { email, customer, session } = await subscribe({ number: '4000000000000341' });
    await advance(customer, { to_next_renewal: true });
    const [first] = (await stripe.charges.list({ customer })).data.filter(({ paid }) => paid);
    await stripe.refunds.create({ charge: first?.id ?? '' });
    const [renewal] = (await stripe.invoices.list({ customer })).data;
    expect(await invoicesSent(email)).toEqual([
      ['charge.succeeded', session.invoice],
      ['payment_intent.succeeded', session.invoice],
      ['charge.failed', renewal?.id],
      ['charge.refunded', session.invoice],
    ]);
    const once = await buy();
    await stripe.webhookEndpoints.del(id);
    expect(await invoicesSent(once.email)).toEqual([
      ['charge.succeeded', null],
      ['payment_intent.succeeded', null],
    ]);
  });
});

describe('events', () => {
  test('can be polled: newest first, from a cursor on, by type and time', async () => {
    const { customer } = await subscribe();
    const { data: all } = await stripe.events.list({ limit: 10 });
    const [newest, second, third] = all.map(({ id }) => id);
    expect(all[0]?.created).toBeGreaterThanOrEqual(all[9]?.created ?? 0);
    const after = await stripe.events.list({ starting_after: newest ?? '', limit: 2 });
    expect(after.data.map(({ id }) => id)).toEqual([second, third]);
    const before = await stripe.events.list({ ending_before: third ?? '', limit: 10 });
    expect(before.data.map(({ id }) => id)).toEqual([newest, second]);
    const paid = await stripe.events.list({ types: ['invoice.paid', 'customer.created'], limit: 2 });
    expect(paid.data.map(({ type }) => type)).toEqual(['invoice.paid', 'customer.created']);
    const ofInvoices = await stripe.events.list({ type: 'invoice.*', limit: 3 });
    expect(ofInvoices.data.map(({ type }) => type)).toEqual([
      'invoice.payment_succeeded',
      'invoice.paid',
      'invoice.finalized',
    ]);
    expect((await stripe.events.list({ type: 'terminal.*' })).data).toEqual([]);
    await advance(customer, 40 * DAY);
    const later = await stripe.events.list({ created: { gt: Math.floor(Date.now() / 1000) + 20 * DAY } });
    expect(later.data.map(({ type }) => type)).toContain('invoice.paid');
    expect((await stripe.events.list({ created: { lt: 1_000 } })).data).toEqual([]);
  });

  test('of an update name what has changed, as it was; an update without a change has none', async () => {
    const product = await stripe.products.create({ name: 'Studio', metadata: { tier: '1', seats: '5' } });
    const price = await stripe.prices.create({ product: product.id, currency: 'usd', unit_amount: 500 });
    const { subscription, customer } = await subscribe();
    for (const _twice of [1, 2]) {
      await stripe.products.update(product.id, { name: 'Studio Pro', metadata: { tier: '', region: 'eu' } });
      await stripe.prices.update(price.id, { nickname: 'Monthly' });
      await stripe.customers.update(customer, { name: 'Ada Lovelace', metadata: { crm: '7' } });
      await stripe.subscriptions.update(subscription, { description: 'Team' });
    }
    const { data: items } = (await stripe.subscriptions.retrieve(subscription)).items;
    await stripe.subscriptions.update(subscription, { items: [{ id: items[0]?.id ?? '', quantity: 1 }] });
    const changes = async (id: string) =>
      (await eventsAbout(id)).flatMap(({ type, data }) => (type.endsWith('.updated') ? data.previous_attributes : []));
    expect(await changes(product.id)).toMatchObject([{ name: 'Studio', metadata: { tier: '1', region: null } }]);
    expect(await changes(price.id)).toEqual([{ nickname: null }]);
    expect(await changes(customer)).toEqual([{ name: 'Ada', metadata: { crm: null } }]);
    expect(await changes(subscription)).toEqual([{ description: null }]);
  });
});

test('an endpoint with an API version that there cannot be is refused', async () => {
  const given = { url: 'https://example.com/hook', enabled_events: ['*' as const] };
  const api_version = 'latest' as Stripe.WebhookEndpointCreateParams.ApiVersion;
  await expect(stripe.webhookEndpoints.create({ ...given, api_version })).rejects.toMatchObject({
    ...{ statusCode: 400, message: expect.stringContaining('Invalid Stripe API version: latest') },
  });
});
