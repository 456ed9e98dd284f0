import { describe, expect, test } from 'vitest';
import { payCheckout, showCheckout } from './checkout/page';
import { showPortal } from './portal';
import { actInPortal } from './portal-actions';
import { DAY, METADATA, newEmail, openAccount, SUCCESS_URL, VISA } from './testing/account';

const { emulator, stripe, advance, pay, subscribe, invoicesOf, typesAbout } = await openAccount();

const PAYS = '000123456789';
const CLOSED = '000111111113';
const BANK = { account_type: 'checking', bank_name: 'STRIPE TEST BANK', last4: '6789', routing_number: '110000000' };
const NO_FUNDS = '000222222227';

async function newSession(currency = 'usd') {
  const { id: customer, email } = await stripe.customers.create({ email: newEmail() });
  const session = await stripe.checkout.sessions.create({
    mode: 'payment',
    customer,
    line_items: [{ price_data: { currency, unit_amount: 39_900, product_data: { name: 'Lifetime' } }, quantity: 1 }],
    success_url: SUCCESS_URL,
    metadata: METADATA,
    payment_intent_data: { metadata: METADATA },
  });
  return { session: session.id, email: email ?? '', customer };
}

describe('a payment from a bank account', () => {
  test('completes the session unpaid, and is paid when the debit clears', async () => {
    const { session, email, customer } = await newSession();
    await pay(session, email, { account: PAYS });
    const waiting = await stripe.checkout.sessions.retrieve(session, { expand: ['payment_intent.latest_charge'] });
    expect(waiting).toMatchObject({
      status: 'complete',
      payment_status: 'unpaid',
      payment_intent: {
        status: 'processing',
        amount_received: 0,
        latest_charge: {
          ...{ status: 'pending', paid: false, metadata: METADATA },
          payment_method_details: { type: 'us_bank_account', us_bank_account: BANK },
        },
      },
    });
    await advance(customer, 3 * DAY);
    expect(await stripe.checkout.sessions.retrieve(session)).toMatchObject({ payment_status: 'unpaid' });
    await advance(customer, DAY);
    const paid = await stripe.checkout.sessions.retrieve(session, { expand: ['payment_intent.latest_charge'] });
    expect(paid).toMatchObject({
      payment_status: 'paid',
      payment_intent: { status: 'succeeded', latest_charge: { status: 'succeeded', paid: true, metadata: METADATA } },
    });
    const intent = waiting.payment_intent as { id: string; latest_charge: { id: string } };
    expect((paid.payment_intent as typeof intent).latest_charge.id).toBe(intent.latest_charge.id);
    expect(await typesAbout(session)).toEqual([
      'checkout.session.completed',
      'checkout.session.async_payment_succeeded',
    ]);
    expect(await typesAbout(intent.id)).toEqual([
      'payment_intent.created',
      'payment_intent.processing',
      'payment_intent.succeeded',
    ]);
    expect(await typesAbout(intent.latest_charge.id)).toEqual(['charge.pending', 'charge.succeeded']);
    expect(await stripe.refunds.create({ payment_intent: intent.id, amount: 100 })).toMatchObject({
      destination_details: { type: 'us_bank_transfer' },
    });
  });

  test('that fails leaves the session unpaid, with an event that reports it', async () => {
    const { session, email, customer } = await newSession();
    await pay(session, email, { account: CLOSED });
    await advance(customer, 5 * DAY);
    expect(await stripe.checkout.sessions.retrieve(session, { expand: ['payment_intent'] })).toMatchObject({
      status: 'complete',
      payment_status: 'unpaid',
      payment_intent: {
        status: 'requires_payment_method',
        last_payment_error: { code: 'account_closed', payment_method: { type: 'us_bank_account' } },
      },
    });
    expect(await typesAbout(session)).toEqual(['checkout.session.completed', 'checkout.session.async_payment_failed']);
  });

  test('cannot be refunded before it is paid', async () => {
    const { session, email } = await newSession();
    await pay(session, email, { account: PAYS });
    const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(session);
    await expect(stripe.refunds.create({ payment_intent: String(intent) })).rejects.toThrow('was not successful');
  });

  test('is offered in dollars and for test accounts only', async () => {
    const yen = await newSession('jpy');
    expect(await showCheckout(emulator, yen.session)).toMatchObject({ takesDebits: false });
    const { session } = await newSession();
    expect(await showCheckout(emulator, session)).toMatchObject({ takesDebits: true });
    const form = { account_holder: 'Ada', routing_number: '110000000', account_number: '123456789012' };
    await payCheckout(emulator, session, form);
    expect(await showCheckout(emulator, session)).toMatchObject({
      status: 'open',
      lastAttempt: { problem: { field: 'account_number' } },
    });
    expect(await payCheckout(emulator, session, { ...form, account_number: PAYS })).toBe(SUCCESS_URL);
  });
});

describe('a subscription from a bank account', () => {
  test('is active while a debit is processing, and each invoice is paid when it clears', async () => {
    const { session, subscription, customer } = await subscribe({ account: PAYS });
    expect(session).toMatchObject({ payment_status: 'unpaid' });
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
    expect(await invoicesOf(subscription)).toMatchObject([{ reason: 'subscription_create', status: 'open' }]);
    await advance(customer, 4 * DAY);
    expect(await invoicesOf(subscription)).toMatchObject([{ status: 'paid', metadata: METADATA }]);
    expect(await typesAbout(session.id)).toContain('checkout.session.async_payment_succeeded');
    await advance(customer, { to_next_renewal: true });
    expect(await invoicesOf(subscription)).toMatchObject([
      { reason: 'subscription_cycle', status: 'open' },
      { status: 'paid' },
    ]);
    await advance(customer, 4 * DAY);
    expect((await invoicesOf(subscription)).map(({ status }) => status)).toEqual(['paid', 'paid']);
    const { data: methods } = await stripe.paymentMethods.list({ customer });
    expect(methods).toMatchObject([{ type: 'us_bank_account', us_bank_account: { last4: '6789' } }]);
    await stripe.billingPortal.configurations.create({ features: { invoice_history: { enabled: true } } });
    const portal = await stripe.billingPortal.sessions.create({ customer });
    expect(await showPortal(emulator, portal.id)).toMatchObject({
      subscriptions: [{ method: { kind: 'bank account', last4: '6789' } }],
    });
  });

  test('whose debit fails is past due, is retried, and is canceled after the last attempt', async () => {
    const { session, subscription, customer } = await subscribe({ account: NO_FUNDS });
    await advance(customer, 4 * DAY);
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'past_due' });
    expect(await typesAbout(session.id)).toContain('checkout.session.async_payment_failed');
    await advance(customer, 40 * DAY);
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'payment_failed' },
    });
    const { data } = await stripe.invoices.list({ subscription });
    expect(data.map(({ status, attempt_count }) => [status, attempt_count])).toEqual([['open', 4]]);
    expect((await typesAbout(session.id)).filter((type) => type.includes('async'))).toHaveLength(1);
  });

  test('that was canceled stays canceled when a debit pays its last invoice', async () => {
    const { subscription, customer } = await subscribe({ number: '4000000000000341' });
    await advance(customer, { to_next_renewal: true });
    const { latest_invoice: invoice } = await stripe.subscriptions.cancel(subscription);
    const { id } = await stripe.paymentMethods.attach('pm_usBankAccount_success', { customer });
    await stripe.invoices.pay(String(invoice), { payment_method: id });
    await advance(customer, 40 * DAY);
    expect((await invoicesOf(subscription)).map(({ status }) => status)).toEqual(['paid', 'paid']);
    expect((await typesAbout(subscription)).at(-1)).toBe('customer.subscription.deleted');
  });
});

describe('an invoice whose debit is processing', () => {
  /** The invoice of a renewal whose card was declined. */
  async function processing() {
    const paid = await subscribe({ number: '4000000000000341' });
    const { customer, subscription } = paid;
    await advance(customer, { to_next_renewal: true });
    const { id: payment_method } = await stripe.paymentMethods.attach('pm_usBankAccount_success', { customer });
    const invoice = String((await stripe.subscriptions.retrieve(subscription)).latest_invoice);
    await stripe.invoices.pay(invoice, { payment_method });
    return { ...paid, invoice };
  }

  test('is not paid again, nor voided', async () => {
    const { invoice, customer } = await processing();
    const refused = { statusCode: 400, code: 'payment_intent_unexpected_state' };
    await expect(stripe.invoices.pay(invoice)).rejects.toMatchObject(refused);
    await expect(stripe.invoices.pay(invoice, { paid_out_of_band: true })).rejects.toMatchObject(refused);
    await expect(stripe.invoices.voidInvoice(invoice)).rejects.toMatchObject(refused);
    await advance(customer, 5 * DAY);
    expect(await stripe.invoices.retrieve(invoice)).toMatchObject({ status: 'paid' });
  });

  test('is not charged to a new card in the portal', async () => {
    const { subscription, customer } = await processing();
    const features = { payment_method_update: { enabled: true } };
    const { id: configuration } = await stripe.billingPortal.configurations.create({ features });
    const { id } = await stripe.billingPortal.sessions.create({ customer, configuration });
    const card = { number: VISA, expiry: '12 / 34', cvc: '123', name: 'Ada' };
    await actInPortal(emulator, id, { ...card, action: 'replace_card', subscription });
    const [{ status } = {}] = (await stripe.paymentIntents.list({ customer })).data;
    expect(status).toBe('processing');
  });

  test('is paid once, by the credit note that covers it, and the debit changes nothing', async () => {
    const { invoice, customer } = await processing();
    await stripe.creditNotes.create({ invoice, amount: 1900 });
    await advance(customer, 5 * DAY);
    expect((await typesAbout(invoice)).filter((type) => type === 'invoice.paid')).toHaveLength(1);
  });
});
