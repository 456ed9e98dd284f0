import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { answerChallenge, payCheckout, showChallenge, showCheckout } from './checkout/page';
import { DAY, METADATA, newEmail, openAccount, SUCCESS_URL } from './testing/account';

const { emulator, stripe, advance, newPrice, typesAbout } = await openAccount();

const card = { expiry: '12 / 34', cvc: '123', name: 'Ada' };
const ONCE = '4000 0025 0000 3155';
const EACH_TIME = '4000 0027 6000 3184';

async function challenged(number: string, { trialDays = 0, balance = 0 } = {}) {
  const { id: customer } = await stripe.customers.create({ email: newEmail(), balance });
  const price = await newPrice();
  const { id } = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: SUCCESS_URL,
    subscription_data: { metadata: METADATA, ...(trialDays && { trial_period_days: trialDays }) },
  });
  expect(await payCheckout(emulator, id, { ...card, number })).toMatch(/\/authenticate$/);
  return { id, customer };
}

const onlySubscription = async (customer: string) =>
  (await stripe.subscriptions.list({ customer, status: 'all' })).data[0];

describe('3-D Secure', () => {
  test('leaves the session open and unpaid until the customer has confirmed the payment', async () => {
    const { id, customer } = await challenged(ONCE);
    expect(await showChallenge(emulator, id)).toEqual({ amount: 1900, currency: 'usd', last4: '3155' });
    expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'open', payment_status: 'unpaid' });
    const { data: waiting } = await stripe.paymentIntents.list({ customer });
    expect(waiting).toMatchObject([{ status: 'requires_action', next_action: { type: 'redirect_to_url' } }]);

    expect(await answerChallenge(emulator, id, true)).toBe(SUCCESS_URL);
    expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'complete', payment_status: 'paid' });
    const { data: paid } = await stripe.paymentIntents.list({ customer });
    expect(paid).toMatchObject([{ id: waiting[0]?.id, status: 'succeeded', next_action: null }]);
    expect(await showChallenge(emulator, id)).toBeNull();
    expect(await typesAbout(waiting[0]?.id ?? '')).toEqual([
      'payment_intent.created',
      'payment_intent.requires_action',
      'payment_intent.succeeded',
    ]);
  });

  test("names what is charged: the total, less the customer's credit", async () => {
    const { id, customer } = await challenged(ONCE, { balance: -400 });
    expect(await showChallenge(emulator, id)).toMatchObject({ amount: 1500 });
    await answerChallenge(emulator, id, true);
    expect((await stripe.charges.list({ customer })).data).toMatchObject([{ amount: 1500 }]);
  });

  test('that fails creates no charge, and the customer can try again', async () => {
    const { id, customer } = await challenged(ONCE);
    expect(await answerChallenge(emulator, id, false)).toMatch(new RegExp(`/checkout/${id}$`));
    expect(await showCheckout(emulator, id)).toMatchObject({ lastAttempt: { problem: { field: 'number' } } });
    const { data } = await stripe.paymentIntents.list({ customer });
    expect(data).toMatchObject([
      {
        status: 'requires_payment_method',
        last_payment_error: { code: 'payment_intent_authentication_failure' },
      },
    ]);
    expect((await stripe.charges.list({ customer })).data).toEqual([]);
    expect(await payCheckout(emulator, id, { ...card, number: '4242424242424242' })).toBe(SUCCESS_URL);
  });

  test('submitted twice at the same moment charges once', async () => {
    const { id, customer } = await challenged(ONCE);
    const urls = await Promise.all([answerChallenge(emulator, id, true), answerChallenge(emulator, id, true)]);
    expect(urls).toEqual([SUCCESS_URL, SUCCESS_URL]);
    expect((await stripe.charges.list({ customer })).data).toHaveLength(1);
  });

  test('is dropped when another card is used, and a late submission changes nothing', async () => {
    const { id, customer } = await challenged(ONCE);
    expect(await payCheckout(emulator, id, { ...card, number: '4000000000000002' })).toMatch(
      new RegExp(`/checkout/${id}$`),
    );
    expect(await showChallenge(emulator, id)).toBeNull();
    await answerChallenge(emulator, id, true);
    expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: 'open' });
    expect(await onlySubscription(customer)).toBeUndefined();
  });

  test('is required at the start of a trial, too', async () => {
    const { id, customer } = await challenged(ONCE, { trialDays: 14 });
    await answerChallenge(emulator, id, true);
    await advance(customer, 15 * DAY);
    expect(await onlySubscription(customer)).toMatchObject({ status: 'active' });
  });

  test('required on every payment makes the renewal wait for the customer, without a retry', async () => {
    const { id, customer } = await challenged(EACH_TIME);
    await answerChallenge(emulator, id, true);
    expect(await onlySubscription(customer)).toMatchObject({ status: 'active' });
    await advance(customer, 32 * DAY);
    await advance(customer, 20 * DAY);
    const { status, latest_invoice: invoice } = (await onlySubscription(customer)) ?? {};
    expect(status).toBe('past_due');
    expect(await stripe.invoices.retrieve(String(invoice))).toMatchObject({
      ...{ status: 'open', attempt_count: 1, next_payment_attempt: null },
    });
    expect((await typesAbout(String(invoice))).slice(-2)).toEqual([
      'invoice.payment_failed',
      'invoice.payment_action_required',
    ]);
    const [intent] = (await stripe.paymentIntents.list({ customer })).data;
    expect(intent).toMatchObject({ status: 'requires_action', last_payment_error: null });
    await answerChallenge(emulator, intent?.id ?? '', true);
    expect(await onlySubscription(customer)).toMatchObject({ status: 'active' });
    expect((await stripe.charges.list({ customer })).data.map(({ status: result }) => result)).toEqual([
      'succeeded',
      'succeeded',
    ]);
  });

  test('of a renewal that the customer fails begins the retries, and the last one ends the subscription', async () => {
    const { id, customer } = await challenged(EACH_TIME);
    await answerChallenge(emulator, id, true);
    await advance(customer, 32 * DAY);
    const invoice = String((await onlySubscription(customer))?.latest_invoice);
    const newest = async () => (await stripe.paymentIntents.list({ customer })).data[0]?.id ?? '';
    for (const attempts of [1, 2, 3]) {
      await answerChallenge(emulator, await newest(), false);
      const { attempt_count: count, next_payment_attempt: next } = await stripe.invoices.retrieve(invoice);
      expect([count, next !== null]).toEqual([attempts, true]);
      await advance(customer, 4 * DAY);
      expect(await onlySubscription(customer)).toMatchObject({ status: 'past_due' });
    }
    await answerChallenge(emulator, await newest(), false);
    await advance(customer, DAY);
    expect(await onlySubscription(customer)).toMatchObject({ status: 'canceled' });
  });

  test.each([
    ['by the customer, is asked for', false, 'invoice_payment_intent_requires_action', 'requires_action'],
    ['without them, is refused', true, 'authentication_required', 'requires_payment_method'],
  ])('of an invoice that is paid %s', async (_, off_session, code, status) => {
    const { id, customer } = await challenged(EACH_TIME);
    await answerChallenge(emulator, id, true);
    await advance(customer, 32 * DAY);
    const invoice = String((await onlySubscription(customer))?.latest_invoice);
    await expect(stripe.invoices.pay(invoice, { off_session })).rejects.toMatchObject({ statusCode: 402, code });
    expect((await stripe.paymentIntents.list({ customer })).data[0]).toMatchObject({ status });
    await stripe.subscriptions.update((await onlySubscription(customer))?.id ?? '', { metadata: { color: 'red' } });
    expect(await onlySubscription(customer)).toMatchObject({ status: 'past_due' });
  });
});

describe('3-D Secure of a subscription without Checkout', () => {
  async function start(card: string, over: Partial<Stripe.SubscriptionCreateParams> = {}) {
    const { id: customer } = await stripe.customers.create({ email: newEmail() });
    const { id: method } = await stripe.paymentMethods.attach(card, { customer });
    const items = [{ price: (await newPrice()).id }];
    const creating = stripe.subscriptions.create({ customer, items, default_payment_method: method, ...over });
    return { customer, creating };
  }
  const charges = async (customer: string) => (await stripe.charges.list({ customer })).data;
  const newestIntent = async (customer: string) => (await stripe.paymentIntents.list({ customer })).data[0];

  test('leaves it incomplete until the customer has confirmed the payment, and its renewals are charged', async () => {
    const { customer, creating } = await start('pm_card_authenticationRequiredOnSetup');
    const { status, latest_invoice: invoice } = await creating;
    expect([status, await charges(customer)]).toEqual(['incomplete', []]);
    const { id = '', ...asked } = (await newestIntent(customer)) ?? {};
    expect(asked).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect_to_url' } });
    expect((await typesAbout(String(invoice))).at(-1)).toBe('invoice.payment_action_required');
    await answerChallenge(emulator, id, true);
    expect(await onlySubscription(customer)).toMatchObject({ status: 'active' });
    await advance(customer, { to_next_renewal: true });
    expect((await charges(customer)).map(({ status: result }) => result)).toEqual(['succeeded', 'succeeded']);
  });

  test('is a refusal with error_if_incomplete, and a decline where the customer is not there', async () => {
    const card = 'pm_card_authenticationRequired';
    const refused = await start(card, { payment_behavior: 'error_if_incomplete' });
    await expect(refused.creating).rejects.toMatchObject({
      ...{ statusCode: 402, code: 'subscription_payment_intent_requires_action' },
    });
    const { customer, creating } = await start(card, { off_session: true });
    expect(await creating).toMatchObject({ status: 'incomplete' });
    expect(await charges(customer)).toMatchObject([{ status: 'failed', failure_code: 'authentication_required' }]);
  });

  test('leaves it past due after a change that is invoiced now, until the payment is confirmed', async () => {
    const card = 'pm_card_authenticationRequired';
    const { customer, creating } = await start(card, { trial_period_days: 7 });
    const { id } = await creating;
    expect(await stripe.subscriptions.update(id, { trial_end: 'now' })).toMatchObject({ status: 'past_due' });
    await answerChallenge(emulator, (await newestIntent(customer))?.id ?? '', true);
    const { items } = await stripe.subscriptions.retrieve(id);
    const price = (await newPrice({ amount: 5000 })).id;
    const moved = [{ id: items.data[0]?.id ?? '', price }];
    const changed = await stripe.subscriptions.update(id, { items: moved, proration_behavior: 'always_invoice' });
    expect(changed).toMatchObject({ status: 'past_due' });
    expect(await newestIntent(customer)).toMatchObject({ status: 'requires_action', amount: 3100 });
    await answerChallenge(emulator, (await newestIntent(customer))?.id ?? '', true);
    expect(await onlySubscription(customer)).toMatchObject({ status: 'active' });
    expect((await charges(customer)).map(({ amount, status }) => [amount, status])).toEqual([
      [3100, 'succeeded'],
      [1900, 'succeeded'],
    ]);
  });
});
