import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newEmail, sandboxClient, setSandboxEnvironment } from '@/tests/support/sandbox-stripe';
import { advanceClock } from '../clock/advance-clock';
import { changeAccount } from './account';
import { completeSession } from './checkout/complete-session';

const DAY = 86_400;
const METADATA = { svc_click_id: 'clk_1', svc_customer_key: 'user_1', program_id: 'prg_demo' };

beforeAll(setSandboxEnvironment);

// Listing the events checks each of them, and the object it tells of, against the SDK's types.
afterAll(async () => {
  for await (const event of stripe().events.list({ limit: 100 })) expect(event.object).toBe('event');
});

const stripe = () => sandboxClient();

async function monthly(amount = 1900, currency = 'usd') {
  const product = await stripe().products.create({ name: 'Studio' });
  return stripe().prices.create({
    product: product.id,
    currency,
    unit_amount: amount,
    recurring: { interval: 'month' },
  });
}

const pay = (session: string, email: string, number = '4242424242424242') =>
  changeAccount((store) =>
    completeSession(store, session, { email, name: 'Ada', card: { number, expMonth: 12, expYear: 2034 } }),
  );

async function subscribe({ number, trialDays }: { number?: string; trialDays?: number } = {}) {
  const email = newEmail();
  const price = await monthly();
  const session = await stripe().checkout.sessions.create({
    mode: 'subscription',
    customer_email: email,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: 'http://localhost:1/done?session={CHECKOUT_SESSION_ID}',
    metadata: METADATA,
    subscription_data: { metadata: METADATA, ...(trialDays && { trial_period_days: trialDays }) },
  });
  await pay(session.id, email, number);
  const paid = await stripe().checkout.sessions.retrieve(session.id);
  return { email, session: paid, subscription: String(paid.subscription), customer: String(paid.customer) };
}

async function invoicesOf(subscription: string) {
  const { data } = await stripe().invoices.list({ subscription });
  return data.map((invoice) => ({
    reason: invoice.billing_reason,
    paid: invoice.amount_paid,
    status: invoice.status,
    metadata: invoice.parent?.subscription_details?.metadata,
  }));
}

describe('a subscription', () => {
  test('is paid, renews each month, and every invoice carries a snapshot of its metadata', async () => {
    const { session, subscription, customer } = await subscribe();
    expect(session).toMatchObject({ status: 'complete', payment_status: 'paid', amount_total: 1900 });
    await advanceClock(32 * DAY, customer);
    expect(await invoicesOf(subscription)).toEqual([
      { reason: 'subscription_cycle', paid: 1900, status: 'paid', metadata: METADATA },
      { reason: 'subscription_create', paid: 1900, status: 'paid', metadata: METADATA },
    ]);
    expect(await stripe().subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
  });

  test('starts with a trial: nothing is charged before its end', async () => {
    const { session, subscription, customer } = await subscribe({ trialDays: 14 });
    expect(session).toMatchObject({ payment_status: 'no_payment_required', amount_total: 0 });
    expect(await stripe().subscriptions.retrieve(subscription)).toMatchObject({ status: 'trialing' });
    await advanceClock(15 * DAY, customer);
    const reasons = (await invoicesOf(subscription)).map(({ reason, paid }) => [reason, paid]);
    expect(reasons).toEqual([
      ['subscription_cycle', 1900],
      ['subscription_create', 0],
    ]);
  });

  test('whose card fails later is past due, is retried, and ends when nothing helps', async () => {
    const { subscription, customer } = await subscribe({ number: '4000000000000341' });
    await advanceClock(32 * DAY, customer);
    expect(await stripe().subscriptions.retrieve(subscription)).toMatchObject({ status: 'past_due' });
    await advanceClock(10 * DAY, customer);
    expect(await stripe().subscriptions.retrieve(subscription)).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'payment_failed' },
    });
  });

  test('cancelled at the end of its period runs until then and is not invoiced again', async () => {
    const { subscription, customer } = await subscribe();
    await stripe().subscriptions.update(subscription, { cancel_at_period_end: true });
    expect(await stripe().subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
    await advanceClock(32 * DAY, customer);
    expect(await stripe().subscriptions.retrieve(subscription)).toMatchObject({ status: 'canceled' });
    expect(await invoicesOf(subscription)).toHaveLength(1);
  });

  test("one customer's clock leaves another's alone", async () => {
    const [one, other] = [await subscribe(), await subscribe()];
    await advanceClock(32 * DAY, one.email);
    expect(await invoicesOf(one.subscription)).toHaveLength(2);
    expect(await invoicesOf(other.subscription)).toHaveLength(1);
  });
});

describe('a declined card', () => {
  test('leaves the session open, and the next attempt pays it', async () => {
    const email = newEmail();
    const session = await stripe().checkout.sessions.create({
      mode: 'payment',
      customer_email: email,
      line_items: [
        { price_data: { currency: 'jpy', unit_amount: 2800, product_data: { name: 'Studio' } }, quantity: 1 },
      ],
      success_url: 'http://localhost:1/done',
      payment_intent_data: { metadata: METADATA },
    });
    const declined = await pay(session.id, email, '4000000000009995');
    expect(declined).toMatchObject({ outcome: 'declined', failure: { decline_code: 'insufficient_funds' } });
    expect(await stripe().checkout.sessions.retrieve(session.id)).toMatchObject({ status: 'open' });
    await pay(session.id, email);
    const paid = await stripe().checkout.sessions.retrieve(session.id, { expand: ['payment_intent.latest_charge'] });
    expect(paid).toMatchObject({
      status: 'complete',
      amount_total: 2800,
      currency: 'jpy',
      payment_intent: { metadata: METADATA, latest_charge: { metadata: METADATA, paid: true } },
    });
    const { data: charges } = await stripe().charges.list({
      payment_intent: (paid.payment_intent as { id: string }).id,
    });
    expect(charges.map(({ status }) => status)).toEqual(['succeeded', 'failed']);
  });
});
