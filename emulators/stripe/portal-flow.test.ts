import { Hono } from 'hono';
import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { hostedPages } from './pages';
import { openAccount } from './testing/account';

const { emulator, stripe, subscribe, newPrice } = await openAccount();
const app = new Hono().route('/stripe', hostedPages(emulator));

const BACK = 'http://localhost:1/back';
type Data = Stripe.BillingPortal.SessionCreateParams.FlowData;

/** A subscription, another price that the portal offers, and sessions with a flow of the portal. */
async function prepare() {
  const paid = await subscribe({ amount: 1000 });
  const [item] = (await stripe.subscriptions.retrieve(paid.subscription)).items.data;
  const other = await newPrice({ amount: 3000 });
  const { id: configuration } = await stripe.billingPortal.configurations.create({
    features: {
      payment_method_update: { enabled: true },
      subscription_cancel: {
        enabled: true,
        cancellation_reason: { enabled: true, options: ['too_expensive', 'other'] },
      },
      subscription_update: {
        enabled: true,
        default_allowed_updates: ['price', 'quantity', 'promotion_code'],
        products: [{ product: String(other.product), prices: [other.id] }],
      },
    },
  });
  const { customer, subscription } = paid;
  async function open(flow_data: Data) {
    const session = await stripe.billingPortal.sessions.create({ customer, configuration, flow_data });
    const { pathname } = new URL(session.url);
    const page = async () => (await app.request(pathname)).text();
    const act = async (fields: Record<string, string>) => {
      const body = new URLSearchParams({ subscription, ...fields });
      return (await app.request(`${pathname}/act`, { method: 'POST', body })).headers.get('location');
    };
    return { session, page, act };
  }
  return { ...paid, item: item?.id ?? '', other, open };
}

describe('a flow of the portal', () => {
  test('asks for a card, which becomes the default one, and then shows the portal', async () => {
    const { customer, subscription, open } = await prepare();
    const { page, act, session } = await open({ type: 'payment_method_update' });
    expect(session.flow).toMatchObject({
      type: 'payment_method_update',
      after_completion: { type: 'portal_homepage' },
    });
    expect(await page()).not.toContain('Your billing with');
    const card = { expiry: '12 / 34', cvc: '123', name: 'Ada', action: 'replace_card_of_customer' };
    await act({ ...card, number: '4000 0000 0000 0002' });
    expect(await page()).toContain('Your card was declined.');
    expect(await act({ ...card, number: '5555 5555 5555 4444' })).toBe(session.url);
    expect(await page()).toContain('Your billing with');
    const { invoice_settings: settings } = (await stripe.customers.retrieve(customer)) as Stripe.Customer;
    const method = await stripe.paymentMethods.retrieve(String(settings.default_payment_method));
    expect(method.card?.last4).toBe('4444');
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ default_payment_method: method.id });
  });

  test('confirms a cancellation, and leads back to the seller', async () => {
    const { subscription, open } = await prepare();
    const after_completion = { type: 'redirect', redirect: { return_url: BACK } } as const;
    const flow: Data = { type: 'subscription_cancel', subscription_cancel: { subscription }, after_completion };
    const { page, act } = await open(flow);
    expect(await page()).toContain('Cancel Studio month?');
    expect(await act({ action: 'cancel_at_period_end' })).toBe(BACK);
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ cancel_at: expect.any(Number) });
  });

  test('lets the customer choose another price', async () => {
    const { subscription, other, open } = await prepare();
    const { page, act } = await open({ type: 'subscription_update', subscription_update: { subscription } });
    expect(await page()).toContain(`value="${other.id}"`);
    await act({ action: 'change_plan', price: other.id });
    const { items } = await stripe.subscriptions.retrieve(subscription);
    expect(items.data[0]?.price.id).toBe(other.id);
  });

  test('confirms the change that the seller has put together', async () => {
    const { subscription, item, other, open } = await prepare();
    const after_completion = {
      type: 'hosted_confirmation',
      hosted_confirmation: { custom_message: 'Welcome to the team plan.' },
    } as const;
    const items = [{ id: item, price: other.id, quantity: 3 }];
    const flow = { subscription, items };
    const type = 'subscription_update_confirm';
    const { page, act } = await open({ type, subscription_update_confirm: flow, after_completion });
    expect((await page()).replace(/<[^>]+>/g, '')).toContain('3 × Studio month, $90.00 per month');
    await act({ action: 'confirm_update' });
    expect(await page()).toContain('Welcome to the team plan.');
    expect((await stripe.subscriptions.retrieve(subscription)).items.data).toMatchObject([
      { price: { id: other.id }, quantity: 3 },
    ]);
    const elsewhere = await newPrice();
    const opening = open({
      type,
      subscription_update_confirm: { ...flow, items: [{ id: item, price: elsewhere.id }] },
    });
    await expect(opening).rejects.toThrow("is not in the portal's configuration");
  });

  test('is refused without what it is about, for another customer, or where the configuration has it off', async () => {
    const { open } = await prepare();
    const { subscription, customer } = await subscribe();
    await expect(open({ type: 'subscription_cancel' })).rejects.toMatchObject({
      param: 'flow_data[subscription_cancel][subscription]',
    });
    const cancel: Data = { type: 'subscription_cancel', subscription_cancel: { subscription } };
    await expect(open(cancel)).rejects.toThrow('does not belong to the customer');
    const { id: configuration } = await stripe.billingPortal.configurations.create({
      features: { invoice_history: { enabled: true } },
    });
    const opening = stripe.billingPortal.sessions.create({ customer, configuration, flow_data: cancel });
    await expect(opening).rejects.toMatchObject({ statusCode: 400, param: 'flow_data[type]' });
  });
});
