import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { answerChallenge, showChallenge } from './checkout/page';
import { DAY, METADATA, newEmail, openAccount, SUCCESS_URL } from './testing/account';

const { emulator, stripe, buy, pay, advance, typesAbout, eventsAbout } = await openAccount();

const newCustomer = async () => (await stripe.customers.create({ email: newEmail() })).id;

const RETURN_URL = 'http://localhost:1/paid';
/** With a card: confirmed at once. */
const CONFIRMED = { confirm: true, return_url: RETURN_URL };

const newIntent = async (over: Partial<Stripe.PaymentIntentCreateParams> = {}) =>
  stripe.paymentIntents.create({
    amount: 5000,
    currency: 'usd',
    customer: await newCustomer(),
    metadata: METADATA,
    ...over,
  });

const confirm = (id: string, payment_method: string, options?: Stripe.RequestOptions) =>
  stripe.paymentIntents.confirm(id, { payment_method, return_url: RETURN_URL }, options);

describe('a PaymentIntent without Checkout', () => {
  test('is created, confirmed with a test card, and paid', async () => {
    const created = await newIntent();
    expect(created).toMatchObject({ status: 'requires_payment_method', client_secret: expect.any(String) });
    const paid = await confirm(created.id, 'pm_card_visa');
    expect(paid).toMatchObject({ status: 'succeeded', amount_received: 5000, metadata: METADATA });
    expect(await stripe.charges.retrieve(String(paid.latest_charge))).toMatchObject({ paid: true, metadata: METADATA });
    expect(await typesAbout(created.id)).toEqual(['payment_intent.created', 'payment_intent.succeeded']);
  });

  test('has the address for its receipt on its charge, also where the confirmation names it', async () => {
    const receiptEmail = newEmail();
    const { id } = await newIntent({ payment_method: 'pm_card_visa' });
    const change = { receipt_email: receiptEmail, return_url: SUCCESS_URL, expand: ['latest_charge'] };
    expect(await stripe.paymentIntents.confirm(id, change)).toMatchObject({
      ...{ receipt_email: receiptEmail, latest_charge: { receipt_email: receiptEmail } },
    });
  });

  test('can be created and confirmed in one request', async () => {
    expect(await newIntent({ payment_method: 'pm_card_mastercard', ...CONFIRMED })).toMatchObject({
      status: 'succeeded',
    });
    expect(await newIntent({ payment_method: 'pm_card_visa' })).toMatchObject({ status: 'requires_confirmation' });
  });

  test('whose card is declined is a 402 with the failed charge kept; a retry with the key gets the same response', async () => {
    const { id } = await newIntent();
    const idempotencyKey = randomUUID();
    const declined = () => confirm(id, 'pm_card_chargeDeclinedInsufficientFunds', { idempotencyKey });
    const decline = { statusCode: 402, type: 'StripeCardError', decline_code: 'insufficient_funds' };
    await expect(declined()).rejects.toMatchObject({ ...decline, payment_intent: { id } });
    await expect(declined()).rejects.toMatchObject(decline);
    expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: {
        decline_code: 'insufficient_funds',
        payment_method: { object: 'payment_method', card: { last4: '9995' } },
      },
    });
    expect((await stripe.charges.list({ payment_intent: id })).data).toMatchObject([{ status: 'failed' }]);
    expect(await confirm(id, 'pm_card_visa')).toMatchObject({ status: 'succeeded' });
    await expect(confirm(id, 'pm_card_visa')).rejects.toMatchObject({ code: 'payment_intent_unexpected_state' });
  });

  test('with 3-D Secure waits for the customer at the bank, who then returns', async () => {
    const asked = await newIntent({ payment_method: 'pm_card_authenticationRequired', ...CONFIRMED });
    expect(asked).toMatchObject({
      status: 'requires_action',
      next_action: { redirect_to_url: { url: `http://localhost:3001/stripe/checkout/${asked.id}/authenticate` } },
    });
    expect(await showChallenge(emulator, asked.id)).toEqual({ amount: 5000, currency: 'usd', last4: '3184' });
    const back = await answerChallenge(emulator, asked.id, true);
    expect(back).toMatch(
      new RegExp(`^http://localhost:1/paid\\?payment_intent=${asked.id}.*redirect_status=succeeded$`),
    );
    expect(await stripe.paymentIntents.retrieve(asked.id)).toMatchObject({ status: 'succeeded' });
    expect(await showChallenge(emulator, asked.id)).toBeNull();
  });

  test('with 3-D Secure fails where the customer is not there or does not confirm', async () => {
    const card = { payment_method: 'pm_card_authenticationRequired', ...CONFIRMED };
    await expect(newIntent({ ...card, off_session: true })).rejects.toMatchObject({ code: 'authentication_required' });
    const asked = await newIntent(card);
    expect(await answerChallenge(emulator, asked.id, false)).toContain('redirect_status=failed');
    expect(await stripe.paymentIntents.retrieve(asked.id)).toMatchObject({
      ...{ status: 'requires_payment_method', payment_method: null },
      last_payment_error: { payment_method: { id: asked.payment_method } },
    });
  });

  test('from a bank account is processing for some days', async () => {
    const customer = await newCustomer();
    const intent = await newIntent({ customer, payment_method: 'pm_usBankAccount_success', ...CONFIRMED });
    expect(intent).toMatchObject({ status: 'processing' });
    await advance(customer, 5 * DAY);
    expect(await stripe.paymentIntents.retrieve(intent.id)).toMatchObject({ status: 'succeeded' });
  });

  test('is for at least what Stripe charges in its currency, and returns to a complete address', async () => {
    const tooSmall = { statusCode: 400, code: 'amount_too_small' };
    await expect(newIntent({ amount: 49 })).rejects.toMatchObject({
      ...{ ...tooSmall, message: 'Amount must be at least $0.50 usd' },
    });
    const { id } = await newIntent({ amount: 50 });
    await expect(stripe.paymentIntents.update(id, { amount: 49 })).rejects.toMatchObject(tooSmall);
    expect(await newIntent({ amount: 1, currency: 'clp' })).toMatchObject({ amount: 1 });
    const relative = stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa', return_url: '/paid' });
    await expect(relative).rejects.toMatchObject({ code: 'url_invalid', param: 'return_url' });
  });

  test.each([
    ['usd', 99_999_999, '$999,999.99'],
    ['jpy', 99_999_999, '¥99,999,999'],
    ['inr', 999_999_999, '₹9,999,999.99'],
    ['cop', 9_999_999_999, 'COP 99,999,999.99'],
    ['idr', 999_999_999_999, 'IDR 9,999,999,999.99'],
  ])('in %s is for at most %d', async (currency, amount, written) => {
    const tooLarge = { statusCode: 400, code: 'amount_too_large', param: 'amount' };
    const { id } = await newIntent({ amount, currency });
    await expect(newIntent({ amount: amount + 1, currency })).rejects.toMatchObject({
      ...{
        ...tooLarge,
        message: expect.stringMatching(`^Amount must be no more than ${written.replace(/\W/g, '.')}$`),
      },
    });
    await expect(stripe.paymentIntents.update(id, { amount: amount + 1 })).rejects.toMatchObject(tooLarge);
  });

  test.each([
    ['kwd', 7660, 7667],
    ['tnd', 10, 15],
    ['isk', 500, 550],
    ['ugx', 500_000, 500_010],
  ])('in %s may be for %d, and not for %d, a fraction that no one can pay', async (currency, amount, fraction) => {
    const { id } = await newIntent({ amount, currency });
    const refusal = {
      statusCode: 400,
      param: 'amount',
      message: expect.stringContaining('must be evenly divisible by'),
    };
    await expect(newIntent({ amount: fraction, currency })).rejects.toMatchObject(refusal);
    await expect(stripe.paymentIntents.update(id, { amount: fraction })).rejects.toMatchObject(refusal);
  });

  test('can be changed and canceled before it is paid, and not afterwards', async () => {
    const { id } = await newIntent();
    expect(await stripe.paymentIntents.update(id, { amount: 700 })).toMatchObject({ amount: 700 });
    expect(await stripe.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' })).toMatchObject({
      status: 'canceled',
      cancellation_reason: 'abandoned',
    });
    const paid = await newIntent({ payment_method: 'pm_card_visa', ...CONFIRMED });
    await expect(stripe.paymentIntents.cancel(paid.id)).rejects.toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
  });

  test('takes metadata and a description in every status, and money only before it is paid', async () => {
    const card = { payment_method: 'pm_card_visa', ...CONFIRMED };
    const { id } = await newIntent(card);
    const receiptEmail = newEmail();
    const change = { metadata: { order: '7' }, description: 'Order 7' };
    expect(await stripe.paymentIntents.update(id, { ...change, receipt_email: receiptEmail })).toMatchObject({
      metadata: { ...METADATA, order: '7' },
      description: 'Order 7',
      receipt_email: receiptEmail,
      status: 'succeeded',
    });
    await expect(stripe.paymentIntents.update(id, { amount: 1 })).rejects.toMatchObject({
      code: 'payment_intent_unexpected_state',
      message: expect.stringContaining("This PaymentIntent's amount could not be updated because it has a status of"),
    });
    const held = await newIntent({ ...card, capture_method: 'manual' });
    expect(await stripe.paymentIntents.update(held.id, change)).toMatchObject({ status: 'requires_capture' });
    await expect(stripe.paymentIntents.update(held.id, { payment_method: 'pm_card_visa' })).rejects.toThrow(
      "This PaymentIntent's payment_method could not be updated",
    );
    await stripe.paymentIntents.cancel(held.id);
    expect(await stripe.paymentIntents.update(held.id, { metadata: '' })).toMatchObject({ metadata: {} });
    await expect(stripe.paymentIntents.update(held.id, { receipt_email: receiptEmail })).rejects.toThrow(
      'requires_capture, succeeded',
    );
  });
});

describe('a confirmation without return_url', () => {
  const card = { payment_method: 'pm_card_visa', confirm: true };

  test('is refused where the methods may redirect, which is the default', async () => {
    const { id, automatic_payment_methods } = await newIntent();
    expect(automatic_payment_methods).toEqual({ enabled: true, allow_redirects: 'always' });
    const refusal = { statusCode: 400, message: expect.stringContaining('you must provide a `return_url`') };
    await expect(stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })).rejects.toMatchObject(refusal);
    await expect(newIntent(card)).rejects.toMatchObject(refusal);
    await expect(newIntent({ ...card, automatic_payment_methods: { enabled: true } })).rejects.toMatchObject(refusal);
    expect(await stripe.paymentIntents.retrieve(id)).toMatchObject({ status: 'requires_payment_method' });
    expect(await confirm(id, 'pm_card_visa')).toMatchObject({ status: 'succeeded' });
  });

  test.each<[string, object]>([
    ['the customer is not there', { off_session: true }],
    ['redirects are off', { automatic_payment_methods: { enabled: true, allow_redirects: 'never' } }],
    ['automatic methods are off', { automatic_payment_methods: { enabled: false } }],
    ['the types are named', { payment_method_types: ['card'] }], // the SDK's types no longer have it
  ])('is accepted where %s', async (_case, over) => {
    expect(await newIntent({ ...card, ...over })).toMatchObject({ status: 'succeeded' });
  });
});

describe('manual capture', () => {
  const hold = () => newIntent({ payment_method: 'pm_card_visa', ...CONFIRMED, capture_method: 'manual' });

  test('holds the amount until it is captured, whole or in part', async () => {
    const held = await hold();
    expect(held).toMatchObject({ status: 'requires_capture', amount_capturable: 5000, amount_received: 0 });
    expect(await stripe.paymentIntents.capture(held.id, { amount_to_capture: 3000 })).toMatchObject({
      status: 'succeeded',
      amount_received: 3000,
    });
    expect(await stripe.charges.retrieve(String(held.latest_charge))).toMatchObject({
      captured: true,
      amount_captured: 3000,
      amount_refunded: 2000, // what was released
      refunded: false,
    });
    expect(await typesAbout(held.id)).toEqual([
      'payment_intent.created',
      'payment_intent.amount_capturable_updated',
      'payment_intent.succeeded',
    ]);
    await expect(stripe.paymentIntents.capture(held.id)).rejects.toThrow('could not be captured');
  });

  test('captures no more than was held, and releases what is canceled', async () => {
    const held = await hold();
    await expect(stripe.paymentIntents.capture(held.id, { amount_to_capture: 5001 })).rejects.toMatchObject({
      param: 'amount_to_capture',
    });
    await expect(stripe.refunds.create({ payment_intent: held.id })).rejects.toThrow('cannot be refunded');
    expect(await stripe.paymentIntents.cancel(held.id)).toMatchObject({ status: 'canceled', amount_capturable: 0 });
    expect(await stripe.charges.retrieve(String(held.latest_charge))).toMatchObject({
      captured: false,
      refunded: true,
    });
  });

  test('leaves a Checkout Session unpaid until it is captured', async () => {
    const { id } = await stripe.checkout.sessions.create({
      mode: 'payment',
      customer_email: newEmail(),
      line_items: [{ price_data: { currency: 'usd', unit_amount: 900, product_data: { name: 'Pen' } }, quantity: 1 }],
      success_url: SUCCESS_URL,
      payment_intent_data: { capture_method: 'manual', metadata: METADATA },
    });
    await pay(id, newEmail());
    const session = await stripe.checkout.sessions.retrieve(id);
    expect(session).toMatchObject({ status: 'complete', payment_status: 'unpaid', payment_method_types: ['card'] });
    await stripe.paymentIntents.capture(String(session.payment_intent));
    expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ payment_status: 'paid' });
  });
});

describe('a dispute', () => {
  const DISPUTED = '4000000000000259';
  const disputeOf = async () => {
    const { paymentIntent } = await buy({ number: DISPUTED, amount: 4000 });
    const [dispute] = (await stripe.disputes.list({ payment_intent: paymentIntent.id })).data;
    if (!dispute) throw new Error('There is no dispute.');
    return dispute;
  };

  test('is opened by the card that ends in 0259, and waits for a response', async () => {
    const dispute = await disputeOf();
    expect(dispute).toMatchObject({ amount: 4000, status: 'needs_response', reason: 'fraudulent' });
    const charge = String(dispute.charge);
    expect(await stripe.charges.retrieve(charge)).toMatchObject({ disputed: true });
    await expect(stripe.refunds.create({ charge })).rejects.toMatchObject({ code: 'charge_disputed' });
    expect(await typesAbout(dispute.id)).toEqual(['charge.dispute.created', 'charge.dispute.funds_withdrawn']);
  });

  test('is won or lost by its evidence; other evidence leaves it under review', async () => {
    const respond = async (text: string, submit = true) =>
      stripe.disputes.update((await disputeOf()).id, { evidence: { uncategorized_text: text }, submit });
    const won = await respond('winning_evidence');
    expect(won).toMatchObject({ status: 'won', evidence_details: { submission_count: 1 } });
    expect(await typesAbout(won.id)).toContain('charge.dispute.funds_reinstated');
    const lost = await respond('losing_evidence');
    expect(lost).toMatchObject({ status: 'lost' });
    expect((await typesAbout(lost.id)).at(-1)).toBe('charge.dispute.closed');
    expect(await respond('The parcel was signed for.')).toMatchObject({ status: 'under_review' });
    const staged = await respond('winning_evidence', false);
    expect(staged).toMatchObject({ status: 'needs_response', evidence_details: { has_evidence: true } });
    expect(await stripe.disputes.update(staged.id, { submit: true })).toMatchObject({ status: 'won' });
  });

  test('reports what is staged, and its metadata, with what they were', async () => {
    const { id } = await disputeOf();
    await stripe.disputes.update(id, { metadata: { a: '1' } });
    await stripe.disputes.update(id, { evidence: { uncategorized_text: 'Signed for.' }, submit: false });
    const updates = (await eventsAbout(id)).filter(({ type }) => type === 'charge.dispute.updated');
    expect(updates.map(({ data }) => Object.keys(data.previous_attributes ?? {}))).toEqual([
      ['metadata'],
      ['evidence', 'evidence_details'],
    ]);
  });

  test('of a payment that is captured by hand is opened then, over what was taken', async () => {
    const held = await stripe.paymentIntents.create({
      ...{ amount: 4000, currency: 'usd', capture_method: 'manual', confirm: true },
      ...{ payment_method: 'pm_card_createDispute', return_url: SUCCESS_URL },
    });
    const disputes = () => stripe.disputes.list({ payment_intent: held.id });
    expect((await disputes()).data).toEqual([]);
    await stripe.paymentIntents.capture(held.id, { amount_to_capture: 3000 });
    expect((await disputes()).data).toMatchObject([{ amount: 3000 }]);
  });

  test('can be closed, which accepts it, once', async () => {
    const { id } = await disputeOf();
    expect(await stripe.disputes.close(id)).toMatchObject({ status: 'lost' });
    await expect(stripe.disputes.close(id)).rejects.toThrow('already closed');
  });
});

describe('a refund that the bank refuses', () => {
  test('succeeds, fails a day later, and the charge is as it was before', async () => {
    const customer = await newCustomer();
    const { id } = await stripe.checkout.sessions.create({
      mode: 'payment',
      customer,
      line_items: [{ price_data: { currency: 'usd', unit_amount: 900, product_data: { name: 'Pen' } }, quantity: 1 }],
      success_url: SUCCESS_URL,
    });
    await pay(id, '', { number: '4000000000005126' });
    const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(id);
    const refund = await stripe.refunds.create({ payment_intent: String(intent) });
    expect(refund).toMatchObject({ status: 'succeeded' });
    expect(await stripe.charges.retrieve(String(refund.charge))).toMatchObject({
      amount_refunded: 900,
      refunded: true,
    });
    await advance(customer, DAY);
    expect(await stripe.refunds.retrieve(refund.id)).toMatchObject({ status: 'failed', failure_reason: 'unknown' });
    expect(await stripe.charges.retrieve(String(refund.charge))).toMatchObject({ amount_refunded: 0, refunded: false });
    expect(await typesAbout(refund.id)).toEqual([
      'refund.created',
      'refund.failed',
      'charge.refund.updated',
      'refund.updated',
    ]);
  });
});
