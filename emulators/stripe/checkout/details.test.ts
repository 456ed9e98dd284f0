import { Hono } from 'hono';
import { describe, expect, test } from 'vitest';
import { hostedPages } from '../pages';
import { DAY, newEmail, openAccount, SUCCESS_URL } from '../testing/account';

const { emulator, app: api, stripe, newPrice, advance } = await openAccount();
const app = new Hono().route('/stripe', hostedPages(emulator));

const CARD = { number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '737', name: 'Ada Keller' };
const ADDRESS = { country: 'DE', line1: 'Allee 1', line2: '', city: 'Berlin', postal_code: '10115', state: '' };
const SAVED = { ...ADDRESS, line2: null, state: null };

async function open(over: object) {
  const { id, url } = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: (await newPrice()).id, quantity: 1 }],
    success_url: SUCCESS_URL,
    ...over,
  });
  const { pathname } = new URL(url ?? '');
  const page = async () => (await app.request(pathname)).text();
  const pay = (fields: Record<string, string>) => {
    const body = new URLSearchParams({ ...CARD, email: newEmail(), ...fields });
    return app.request(`${pathname}/pay`, { method: 'POST', body });
  };
  const paid = () => stripe.checkout.sessions.retrieve(id, { expand: ['customer', 'subscription'] });
  return { page, pay, paid };
}

describe('a billing address', () => {
  const required = { billing_address_collection: 'required' };

  test('is asked for where it is required, and the field that is missing is named', async () => {
    expect(await (await open({})).page()).not.toContain('name="line1"');
    const { page, pay, paid } = await open(required);
    expect(await page()).toMatch(/name="country".*name="line1".*name="postal_code".*name="city"/s);
    await pay({ ...ADDRESS, line1: ' ' });
    const refused = await page();
    expect(refused).toContain('Enter your address.');
    expect(refused).toContain('value="Berlin"');
    expect(refused).toMatch(/<option value="DE" selected/);
    await pay({ ...ADDRESS, country: '' });
    expect(await page()).toContain('Choose your country.');
    expect(await paid()).toMatchObject({ status: 'open', billing_address_collection: 'required' });
  });

  test('is that of the session, the payment method and the new customer', async () => {
    const { pay, paid } = await open(required);
    await pay(ADDRESS);
    const session = await paid();
    expect(session).toMatchObject({ status: 'complete', customer_details: { address: SAVED, name: 'Ada Keller' } });
    expect(session.customer).toMatchObject({ address: SAVED });
    const method = (session.subscription as { default_payment_method: string }).default_payment_method;
    expect(await stripe.paymentMethods.retrieve(method)).toMatchObject({ billing_details: { address: SAVED } });
  });

  test('is saved to an existing customer only where customer_update says so', async () => {
    for (const [customer_update, address] of [
      [{}, null],
      [{ address: 'auto' }, SAVED],
    ] as const) {
      const { id: customer } = await stripe.customers.create({ email: newEmail() });
      const { pay, paid } = await open({ ...required, customer, customer_update });
      await pay(ADDRESS);
      expect(await paid()).toMatchObject({ customer: { address }, customer_details: { address: SAVED } });
    }
  });

  test('has the country that automatic tax was calculated for', async () => {
    const { page, pay, paid } = await open({ ...required, automatic_tax: { enabled: true } });
    expect(await page()).toContain('name="line1"');
    await pay(ADDRESS);
    expect(await paid()).toMatchObject({
      ...{ total_details: { amount_tax: 361 }, customer_details: { address: SAVED }, customer: { address: SAVED } },
    });
  });

  test('survives 3-D Secure', async () => {
    const { pay, paid } = await open(required);
    const asked = await pay({ ...ADDRESS, number: '4000 0025 0000 3155' });
    const { pathname } = new URL(asked.headers.get('location') ?? '');
    const body = new URLSearchParams({ answer: 'complete' });
    await app.request(`${pathname}/answer`, { method: 'POST', body });
    expect(await paid()).toMatchObject({ status: 'complete', customer_details: { address: SAVED } });
  });
});

test('a phone number is asked for, and saved to the customer', async () => {
  const { page, pay, paid } = await open({ phone_number_collection: { enabled: true } });
  await pay({ phone: '12' });
  expect(await page()).toContain('Enter your phone number.');
  await pay({ phone: '+49 30 1234567' });
  const phone = '+49301234567';
  expect(await paid()).toMatchObject({ customer_details: { phone }, customer: { phone } });
});

test('the terms of service have to be accepted', async () => {
  const { page, pay, paid } = await open({
    consent_collection: { terms_of_service: 'required' },
    custom_text: { terms_of_service_acceptance: { message: 'I accept the terms of Acme.' } },
  });
  expect(await page()).toContain('I accept the terms of Acme.');
  await pay({});
  expect(await page()).toContain('Accept the terms to continue.');
  await pay({ terms_of_service: 'accepted' });
  expect(await paid()).toMatchObject({ status: 'complete', consent: { terms_of_service: 'accepted' } });
});

test('the button and the text beside it are those that the seller asks for', async () => {
  const price_data = { currency: 'usd', unit_amount: 1000, product_data: { name: 'Gift' } };
  const { page } = await open({
    mode: 'payment',
    line_items: [{ price_data, quantity: 1 }],
    submit_type: 'donate',
    custom_text: { submit: { message: 'Thank you!' } },
  });
  expect(await page()).toMatch(/>Donate \$10\.00<\/button>.*Thank you!/s);
});

describe('a trial', () => {
  const now = () => Math.floor(Date.now() / 1000);

  test('ends at a time, which is at least two days away', async () => {
    const trial_end = now() + 10 * DAY;
    const { page, pay, paid } = await open({ subscription_data: { trial_end } });
    expect(await page()).toContain('10 days free');
    await pay({});
    expect(await paid()).toMatchObject({ amount_total: 0, subscription: { status: 'trialing', trial_end } });
    await expect(open({ subscription_data: { trial_end: now() + DAY } })).rejects.toThrow('at least 2 days');
    await expect(open({ subscription_data: { trial_end: now() + 731 * DAY } })).rejects.toThrow('at most two years');
    await expect(open({ subscription_data: { trial_end, trial_period_days: 3 } })).rejects.toThrow('only specify one');
  });

  test('without a payment method ends the subscription where the seller asks for that', async () => {
    const end_behavior = { missing_payment_method: 'cancel' };
    const { pay, paid } = await open({
      payment_method_collection: 'if_required',
      subscription_data: { trial_period_days: 7, trial_settings: { end_behavior } },
    });
    await pay({ number: '' });
    const { subscription, customer } = await paid();
    expect(subscription).toMatchObject({ status: 'trialing', trial_settings: { end_behavior } });
    await advance((customer as { id: string }).id, 8 * DAY);
    const { id } = subscription as { id: string };
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled' });
    expect((await stripe.invoices.list({ subscription: id })).data).toHaveLength(1);
  });
});

describe('payment_method_types', () => {
  const ask = (version: string, type: string) =>
    api.request('/v1/checkout/sessions', {
      method: 'POST',
      headers: { authorization: `Bearer ${emulator.secrets.stripeSecretKey}`, 'stripe-version': version },
      body: new URLSearchParams({
        mode: 'payment',
        success_url: SUCCESS_URL,
        'line_items[0][price_data][currency]': 'usd',
        'line_items[0][price_data][unit_amount]': '900',
        'line_items[0][price_data][product_data][name]': 'Pen',
        'line_items[0][quantity]': '1',
        'payment_method_types[0]': type,
      }),
    });

  test.each(['2024-06-20', '2025-08-27.basil', '2026-08-26.dahlia'])('are taken by version %s', async (version) => {
    const response = await ask(version, 'card');
    expect([response.status, await response.json()]).toMatchObject([200, { payment_method_types: ['card'] }]);
    expect((await ask(version, 'klarna')).status).toBe(400);
  });

  test('are refused by 2026-09-30 and later, which have allowed_payment_method_types', async () => {
    const response = await ask('2026-09-30.endive', 'card');
    expect(await response.json()).toMatchObject({ error: { param: 'payment_method_types' } });
    const price_data = { currency: 'usd', unit_amount: 1000, product_data: { name: 'Gift' } };
    const session = await stripe.checkout.sessions.create({
      mode: 'payment',
      line_items: [{ price_data, quantity: 1 }],
      success_url: SUCCESS_URL,
      allowed_payment_method_types: ['card'],
    });
    expect(session).toMatchObject({ allowed_payment_method_types: ['card'], payment_method_types: ['card'] });
  });
});
