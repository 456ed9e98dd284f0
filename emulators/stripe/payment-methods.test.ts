import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { answerChallenge } from './checkout/page';
import { newEmail, openAccount, SUCCESS_URL } from './testing/account';

const { emulator, stripe, newPrice, pay, subscribe, advance, typesAbout } = await openAccount();

const newCustomer = async () => (await stripe.customers.create({ email: newEmail() })).id;

async function newOwner(card = 'pm_card_visa') {
  const customer = await newCustomer();
  return { customer, card: (await stripe.paymentMethods.attach(card, { customer })).id };
}

const newCard = async () => (await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } })).id;

const charge = (payment_method: string, over: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  stripe.paymentIntents.create({
    ...{ amount: 5000, currency: 'usd', payment_method, confirm: true, off_session: true },
    ...over,
  });

/** On-session, with a method that does not redirect, and to be charged again. */
const TO_KEEP = {
  off_session: false,
  automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  setup_future_usage: 'off_session',
} as const;

const cardsOf = async (customer: string) => (await stripe.customers.listPaymentMethods(customer)).data;

describe('a payment method', () => {
  test('is attached to a customer, again without effect, and detached', async () => {
    const { customer, card } = await newOwner();
    expect(await cardsOf(customer)).toMatchObject([{ id: card, card: { last4: '4242' } }]);
    expect(await stripe.paymentMethods.attach(card, { customer })).toMatchObject({ customer });
    expect(await stripe.paymentMethods.detach(card)).toMatchObject({ customer: null });
    expect(await cardsOf(customer)).toEqual([]);
    await expect(stripe.paymentMethods.detach(card)).rejects.toThrow('not attached to a customer');
    expect(await typesAbout(card)).toEqual(['payment_method.attached', 'payment_method.detached']);
  });

  test('is made from a token, and attached by its own ID', async () => {
    const customer = await newCustomer();
    const made = await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_mastercard' } });
    expect(await stripe.paymentMethods.attach(made.id, { customer })).toMatchObject({ id: made.id, customer });
  });

  test('that is declined cannot be attached; another type is not covered', async () => {
    const customer = await newCustomer();
    const declined = stripe.paymentMethods.attach('pm_card_chargeDeclined', { customer });
    await expect(declined).rejects.toMatchObject({ statusCode: 402, code: 'card_declined' });
    const created = stripe.customers.create({ email: newEmail(), payment_method: 'pm_card_chargeDeclined' });
    await expect(created).rejects.toMatchObject({ statusCode: 402, code: 'card_declined' });
    const unknown = stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_unknown' } });
    await expect(unknown).rejects.toThrow('The Stripe emulator does not cover');
  });

  test('that is attached pays for its own customer only', async () => {
    const { customer, card } = await newOwner();
    const other = await newCustomer();
    await expect(charge(card, { customer: other })).rejects.toThrow('does not belong to the Customer you supplied');
    await expect(charge(card)).rejects.toThrow('Please include the Customer');
    await expect(stripe.paymentMethods.attach(card, { customer: other })).rejects.toThrow('already been attached');
    expect(await charge(card, { customer })).toMatchObject({ status: 'succeeded' });
    expect(await charge(card, { customer })).toMatchObject({ status: 'succeeded' });
  });

  test('is the default of a customer or a subscription only where it is attached to that customer', async () => {
    const { customer, subscription } = await subscribe();
    const items = [{ price: (await newPrice()).id }];
    for (const id of [(await newOwner()).card, await newCard(), 'pm_card_visa']) {
      const uses = [
        stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } }),
        stripe.customers.create({ invoice_settings: { default_payment_method: id } }),
        stripe.subscriptions.create({ customer, items, default_payment_method: id }),
        stripe.subscriptions.update(subscription, { default_payment_method: id }),
      ];
      for (const use of await Promise.allSettled(uses)) {
        expect(use).toMatchObject({ reason: { code: 'resource_missing' } });
        expect(use).toMatchObject({ reason: { message: expect.stringContaining('The customer does not have a') } });
      }
    }
    const own = await stripe.paymentMethods.attach('pm_card_mastercard', { customer });
    expect(await stripe.subscriptions.update(subscription, { default_payment_method: own.id })).toMatchObject({
      default_payment_method: own.id,
    });
  });

  test('pays an invoice of its own customer only', async () => {
    const { customer } = await subscribe({ number: '4000000000000341' });
    await advance(customer, { to_next_renewal: true });
    const [invoice] = (await stripe.invoices.list({ customer, limit: 1 })).data;
    const pay = (payment_method: string) => stripe.invoices.pay(invoice?.id ?? '', { payment_method });
    await expect(pay((await newOwner()).card)).rejects.toMatchObject({ code: 'resource_missing' });
    const own = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    expect(await pay(own.id)).toMatchObject({ status: 'paid' });
  });
});

describe('a payment method that is attached to no customer', () => {
  test('is good for one payment, and cannot be attached afterwards', async () => {
    const customer = await newCustomer();
    const card = await newCard();
    expect(await charge(card, { customer })).toMatchObject({ status: 'succeeded' });
    expect(await cardsOf(customer)).toEqual([]);
    await expect(charge(card, { customer })).rejects.toThrow('It may not be used again');
    await expect(stripe.paymentMethods.attach(card, { customer })).rejects.toThrow('may not be used again');
  });

  test('is attached by the payment where it is set up for future use', async () => {
    const customer = await newCustomer();
    const paid = await charge('pm_card_visa', { customer, ...TO_KEEP });
    expect(await cardsOf(customer)).toMatchObject([{ id: paid.payment_method }]);
    expect(await charge(String(paid.payment_method), { customer })).toMatchObject({ status: 'succeeded' });
    expect(await typesAbout(String(paid.payment_method))).toEqual(['payment_method.attached']);
  });

  test('is not attached by a payment that is declined', async () => {
    const customer = await newCustomer();
    const declined = charge('pm_card_chargeDeclined', { customer, ...TO_KEEP });
    await expect(declined).rejects.toMatchObject({ statusCode: 402 });
    expect(await cardsOf(customer)).toEqual([]);
  });
});

describe('a card that requires 3-D Secure unless it is set up', () => {
  const CARD = 'pm_card_authenticationRequiredOnSetup';
  const required = { statusCode: 402, code: 'authentication_required' };

  test('cannot be charged off-session before, attached or not', async () => {
    const { customer, card } = await newOwner(CARD);
    await expect(charge(card, { customer })).rejects.toMatchObject(required);
    await expect(charge(CARD, { customer })).rejects.toMatchObject(required);
  });

  test('can be charged off-session when a confirmed payment has set it up', async () => {
    const customer = await newCustomer();
    const asked = await charge(CARD, { customer, ...TO_KEEP });
    expect(asked).toMatchObject({ status: 'requires_action' });
    expect(await cardsOf(customer)).toEqual([]);
    await answerChallenge(emulator, asked.id, true);
    const [card] = await cardsOf(customer);
    expect(await charge(card?.id ?? '', { customer })).toMatchObject({ status: 'succeeded' });
  });
});

describe('a payment method that was used in Checkout', () => {
  /** Buys once in Checkout. @returns the method that paid */
  async function buyAs(customer: string, usage?: 'off_session', account?: string) {
    const { id } = await stripe.checkout.sessions.create({
      mode: 'payment',
      customer,
      line_items: [{ price_data: { currency: 'usd', unit_amount: 900, product_data: { name: 'Pen' } }, quantity: 1 }],
      success_url: SUCCESS_URL,
      ...(usage && { payment_intent_data: { setup_future_usage: usage } }),
    });
    await pay(id, '', account ? { account } : {});
    const { payment_intent } = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent'] });
    return payment_intent as Stripe.PaymentIntent;
  }

  test('for one payment is not kept', async () => {
    const customer = await newCustomer();
    const paid = await buyAs(customer);
    expect(paid).toMatchObject({ status: 'succeeded', customer, setup_future_usage: null });
    expect(await cardsOf(customer)).toEqual([]);
    await expect(charge(String(paid.payment_method), { customer })).rejects.toThrow('It may not be used again');
  });

  test('with setup_future_usage is attached to the customer, a bank account too', async () => {
    const customer = await newCustomer();
    const paid = await buyAs(customer, 'off_session');
    expect(paid).toMatchObject({ setup_future_usage: 'off_session' });
    expect(await charge(String(paid.payment_method), { customer })).toMatchObject({ status: 'succeeded' });
    const debited = await buyAs(customer, 'off_session', '000123456789');
    expect((await cardsOf(customer)).map(({ id }) => id)).toEqual([debited.payment_method, paid.payment_method]);
  });

  test('is announced as attached where it is kept, and only there', async () => {
    const { customer } = await subscribe();
    const [kept] = await cardsOf(customer);
    expect(await typesAbout(kept?.id ?? '')).toEqual(['payment_method.attached']);
    const { payment_method: usedOnce } = await buyAs(customer);
    expect(await typesAbout(String(usedOnce))).toEqual([]);
  });

  test('for a subscription is attached to the customer', async () => {
    const { customer } = await subscribe();
    const [card] = await cardsOf(customer);
    expect(await charge(card?.id ?? '', { customer })).toMatchObject({ status: 'succeeded' });
  });
});

describe('a payment method that was detached', () => {
  test('can be neither charged nor attached again', async () => {
    const { customer, card } = await newOwner();
    await stripe.paymentMethods.detach(card);
    await expect(charge(card, { customer })).rejects.toThrow('was detached from a Customer');
    await expect(stripe.paymentMethods.attach(card, { customer })).rejects.toThrow('was detached from a Customer');
  });

  test('pays nothing when the customer confirms a payment at the bank afterwards', async () => {
    const { customer, card } = await newOwner('pm_card_authenticationRequired');
    const { id } = await charge(card, { customer, ...TO_KEEP });
    await stripe.paymentMethods.detach(card);
    expect(await answerChallenge(emulator, id, true)).toContain('redirect_status=failed');
    expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: 'requires_payment_method' });
    expect(await cardsOf(customer)).toEqual([]);
  });

  test('is no longer a default, so the next renewal fails for lack of one', async () => {
    const { customer, subscription } = await subscribe();
    const { default_payment_method: card } = await stripe.subscriptions.retrieve(subscription);
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: String(card) } });
    await stripe.paymentMethods.detach(String(card));
    expect(await stripe.customers.retrieve(customer)).toMatchObject({
      invoice_settings: { default_payment_method: null },
    });
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ default_payment_method: null });
    expect((await typesAbout(subscription)).at(-1)).toBe('customer.subscription.updated');
    expect((await typesAbout(customer)).at(-1)).toBe('customer.updated');
    await advance(customer, { to_next_renewal: true });
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'past_due' });
    expect((await stripe.charges.list({ customer })).data).toHaveLength(1);
  });

  test("leaves a subscription to its customer's default, where that is another one", async () => {
    const { customer, subscription } = await subscribe();
    const { default_payment_method: card } = await stripe.subscriptions.retrieve(subscription);
    const other = await stripe.paymentMethods.attach('pm_card_mastercard', { customer });
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: other.id } });
    await stripe.paymentMethods.detach(String(card));
    await advance(customer, { to_next_renewal: true });
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
    expect((await stripe.charges.list({ customer, limit: 1 })).data).toMatchObject([{ payment_method: other.id }]);
  });
});
