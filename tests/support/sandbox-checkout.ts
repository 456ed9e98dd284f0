import { changeAccount } from '@/lib/sandbox/stripe/account';
import { type CheckoutResult, completeSession } from '@/lib/sandbox/stripe/checkout/complete-session';
import { newEmail, sandboxClient } from './sandbox-stripe';

export const METADATA = { svc_click_id: 'clk_1', svc_customer_key: 'user_1', program_id: 'prg_demo' };
export const DAY = 86_400;
export const SUCCESS_URL = 'http://localhost:1/done';

const SUCCEEDING = '4242424242424242';

/** A price of a product of its own. */
export async function newPrice({ amount = 1900, currency = 'usd', interval = 'month' as 'month' | 'year' } = {}) {
  const stripe = sandboxClient();
  const product = await stripe.products.create({ name: `Studio ${interval}` });
  return stripe.prices.create({ product: product.id, currency, unit_amount: amount, recurring: { interval } });
}

type Means = { number?: string | null; account?: string; name?: string };

/** Pays a session as the hosted page does, by card or from a bank account; `number: null` where no card is asked for. */
export const pay = (
  session: string,
  email: string,
  { number = SUCCEEDING, account, name = 'Ada' }: Means = {},
): Promise<CheckoutResult> =>
  changeAccount((store) =>
    completeSession(store, session, {
      email,
      name,
      card: number && !account ? { number, expMonth: 12, expYear: 2034 } : null,
      ...(account && { bank: { routingNumber: '110000000', accountNumber: account } }),
    }),
  );

type Wanted = {
  email?: string;
  number?: string;
  account?: string;
  trialDays?: number;
  amount?: number;
  coupon?: string;
  interval?: 'month' | 'year';
};

/** A new customer with a subscription of their own, paid by Checkout. */
export async function subscribe({ email = newEmail(), trialDays, amount, coupon, interval, ...means }: Wanted = {}) {
  const stripe = sandboxClient();
  const price = await newPrice({ ...(amount && { amount }), ...(interval && { interval }) });
  const { id } = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer_email: email,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: SUCCESS_URL,
    metadata: METADATA,
    subscription_data: { metadata: METADATA, ...(trialDays && { trial_period_days: trialDays }) },
    ...(coupon && { discounts: [{ coupon }] }),
  });
  await pay(id, email, means);
  const session = await stripe.checkout.sessions.retrieve(id);
  return { email, session, price, subscription: String(session.subscription), customer: String(session.customer) };
}

/** A one-off payment, and what it left behind. */
export async function buy({ amount = 39_900, currency = 'usd' } = {}) {
  const stripe = sandboxClient();
  const email = newEmail();
  const { id } = await stripe.checkout.sessions.create({
    mode: 'payment',
    customer_email: email,
    line_items: [{ price_data: { currency, unit_amount: amount, product_data: { name: 'Lifetime' } }, quantity: 1 }],
    success_url: SUCCESS_URL,
    metadata: METADATA,
    payment_intent_data: { metadata: METADATA },
  });
  await pay(id, email);
  const session = await stripe.checkout.sessions.retrieve(id, { expand: ['payment_intent.latest_charge'] });
  return { email, session, paymentIntent: session.payment_intent as { id: string } };
}

/** A customer's invoices, newest first, as far as tests look at them. */
export async function invoicesOf(subscription: string) {
  const { data } = await sandboxClient().invoices.list({ subscription });
  return data.map((invoice) => ({
    reason: invoice.billing_reason,
    total: invoice.total,
    status: invoice.status,
    metadata: invoice.parent?.subscription_details?.metadata,
  }));
}

/** The types of the newest events about an object, oldest first. */
export async function eventsAbout(id: string) {
  const { data } = await sandboxClient().events.list({ limit: 100 });
  return data.filter(({ data: { object } }) => (object as { id?: string }).id === id).reverse();
}
