import { describe, expect, test } from 'vitest';
import { actInPortal, showPortal } from './hosted';
import { DAY, openAccount } from './testing/account';

const { emulator, stripe, advance, subscribe, invoicesOf, eventsAbout, newPrice } = await openAccount();

const card = { number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '123', name: 'Ada' };

async function openPortal(number?: string) {
  const paid = await subscribe(number ? { number } : {});
  const session = await stripe.billingPortal.sessions.create({
    customer: paid.customer,
    return_url: 'http://localhost:1/account',
  });
  return { ...paid, portal: session.id };
}

describe('the customer portal', () => {
  test('shows the plan, its card and the invoices', async () => {
    const { portal, email } = await openPortal();
    expect(await showPortal(emulator, portal)).toMatchObject({
      email,
      returnUrl: 'http://localhost:1/account',
      subscriptions: [
        { status: 'active', method: { kind: 'visa card', last4: '4242' }, price: { amount: 1900, interval: 'month' } },
      ],
      invoices: [{ total: 1900, status: 'paid' }],
    });
    expect(await showPortal(emulator, 'bps_none')).toBeNull();
  });

  test('ends a subscription with its period, and takes that back', async () => {
    const { portal, subscription } = await openPortal();
    await actInPortal(emulator, portal, { action: 'cancel_at_period_end', subscription });
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ cancel_at_period_end: true });
    await actInPortal(emulator, portal, { action: 'resume', subscription });
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ cancel_at_period_end: false });
    const updates = (await eventsAbout(subscription)).filter(({ type }) => type === 'customer.subscription.updated');
    expect(updates[0]?.data.previous_attributes).toMatchObject({ cancel_at_period_end: false });
  });

  test('changes the plan and invoices the difference', async () => {
    const { portal, subscription } = await openPortal();
    const dearer = await newPrice({ amount: 4900 });
    await actInPortal(emulator, portal, { action: 'change_plan', subscription, price: dearer.id });
    expect((await invoicesOf(subscription))[0]).toMatchObject({
      reason: 'subscription_update',
      total: 3000,
      status: 'paid',
    });
  });

  test('a new card pays what is overdue', async () => {
    const { portal, subscription, customer } = await openPortal('4000000000000341');
    await advance(customer, 32 * DAY);
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'past_due' });
    await actInPortal(emulator, portal, { ...card, action: 'replace_card', subscription, number: '4000000000000002' });
    expect(await showPortal(emulator, portal)).toMatchObject({ notice: { tone: 'danger', field: 'number' } });
    await actInPortal(emulator, portal, { ...card, action: 'replace_card', subscription });
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
    expect((await invoicesOf(subscription))[0]).toMatchObject({ reason: 'subscription_cycle', status: 'paid' });
  });

  test("touches nobody else's subscription", async () => {
    const [mine, other] = [await openPortal(), await openPortal()];
    await actInPortal(emulator, mine.portal, { action: 'cancel_now', subscription: other.subscription });
    expect(await showPortal(emulator, mine.portal)).toMatchObject({ notice: { tone: 'danger' } });
    expect(await stripe.subscriptions.retrieve(other.subscription)).toMatchObject({ status: 'active' });
  });
});
