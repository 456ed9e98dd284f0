import { Hono } from 'hono';
import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { newEmail, openAccount } from '../testing/account';
import { hostedPages } from './index';
import { listLost } from './metadata-drawer';

const { emulator, stripe, newPrice, subscribe } = await openAccount();
const app = new Hono().route('/stripe', hostedPages(emulator));

const CARD = { number: '4242 4242 4242 4242', expiry: '12 / 34', cvc: '737', name: 'Ada Keller' };
const pageOf = async (path: string) => (await app.request(path)).text();
const post = (path: string, form: Record<string, string>) =>
  app.request(path, { method: 'POST', body: new URLSearchParams(form) });

/** The path of a page, without the origin. */
const pathOf = (url: string | null) => new URL(url ?? '').pathname;

async function open({ trialDays = 0, over = {} }: { trialDays?: number; over?: object } = {}) {
  const price = await newPrice();
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: 'http://localhost:1/done',
    cancel_url: 'http://localhost:1/back',
    metadata: { click: 'clk_1', plan: 'studio' },
    subscription_data: { metadata: { plan: 'studio' }, ...(trialDays && { trial_period_days: trialDays }) },
    ...over,
  });
  return { id: session.id, path: pathOf(session.url) };
}

describe('Checkout', () => {
  test('shows the price, what renews, and the way back', async () => {
    const { path } = await open();
    const page = await pageOf(path);
    expect(page).toContain('<title>Checkout · Emulator</title>');
    expect(page).toContain('Subscribe to Acme');
    expect(page).toContain('Renews at $19.00 per month. Cancel anytime.');
    expect(page).toContain('href="http://localhost:1/back"');
    expect(page).toContain('>Subscribe</button>');
  });

  test("shows what the customer's credit leaves to pay", async () => {
    const { id: customer } = await stripe.customers.create({ email: newEmail() });
    await stripe.customers.createBalanceTransaction(customer, { amount: -400, currency: 'usd' });
    const { path } = await open({ over: { customer } });
    const text = (await pageOf(path)).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
    expect(text).toContain('Subscribe to Acme $15.00 today');
    expect(text).toMatch(/Applied balance −\$4\.00 Total due today \$15\.00/);
  });

  test('shows the terms of a trial', async () => {
    const { path } = await open({ trialDays: 14 });
    const page = await pageOf(path);
    expect(page).toContain('14 days free');
    expect(page).toMatch(/Then \$19\.00 per month, starting \d+ \w{3} \d{4}/);
    expect(page).toContain('>Start trial</button>');
  });

  test('keeps what was typed beside the problem, except for the security code', async () => {
    const { path } = await open();
    const email = newEmail();
    const declined = await post(`${path}/pay`, { ...CARD, email, number: '4000 0000 0000 0002' });
    expect(declined.status).toBe(303);
    const page = await pageOf(path);
    expect(page).toContain('Your card was declined.');
    expect(page).toContain('aria-invalid="true"');
    for (const value of [email, '4000 0000 0000 0002', CARD.expiry, CARD.name])
      expect(page).toContain(`value="${value}"`);
    expect(page).not.toContain(`value="${CARD.cvc}"`);
  });

  test('leads to the seller once it is complete, and then says so', async () => {
    const { path } = await open();
    const paid = await post(`${path}/pay`, { ...CARD, email: newEmail(), name: 'Ada\0 Keller' }); // the database takes no NUL
    expect(paid.headers.get('location')).toBe('http://localhost:1/done');
    expect(await pageOf(path)).toContain('This checkout is complete');
  });

  test('leads back from a session that has expired', async () => {
    const { id, path } = await open();
    await stripe.checkout.sessions.expire(id);
    const page = await pageOf(path);
    expect(page).toContain('This checkout has expired');
    expect(page).toContain('href="http://localhost:1/back"');
  });

  test('leads to the bank for 3-D Secure, and back', async () => {
    const { path } = await open();
    const asked = await post(`${path}/pay`, { ...CARD, email: newEmail(), number: '4000 0025 0000 3155' });
    const bank = pathOf(asked.headers.get('location'));
    expect(await pageOf(bank)).toContain('Confirm this payment with your bank');
    const failed = await post(`${bank}/answer`, { answer: 'fail' });
    expect(pathOf(failed.headers.get('location'))).toBe(path);
    expect(await pageOf(path)).toContain('role="alert"');
    expect((await app.request(bank)).headers.get('location')).toBe(path);
  });

  test('applies a promotion code, or says that it is invalid', async () => {
    const coupon = await stripe.coupons.create({ percent_off: 50, duration: 'once' });
    const { code } = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id } });
    const { path } = await open({ over: { allow_promotion_codes: true } });
    await post(`${path}/promotion`, { promotion_code: 'NONE' });
    const refused = await pageOf(path);
    expect(refused).toContain('This code is invalid.');
    expect(refused).toContain('value="NONE"');
    await post(`${path}/promotion`, { promotion_code: ` ${code.toLowerCase()} ` });
    const page = await pageOf(path);
    expect(page).toContain(`Remove ${code}`);
    expect(page).toContain('$9.50');
  });

  test('shows hostile text as text', async () => {
    const { path } = await open({ over: { metadata: { key: '"><script>alert(1)</script>' } } });
    await post(`${path}/pay`, { ...CARD, email: '"><script>alert(2)</script>', name: '<b>' });
    const page = await pageOf(path);
    expect(page).toContain('&lt;script&gt;alert(1)');
    expect(page).not.toMatch(/<script>|<b>/);
  });

  test('is not found where there is no such session or invoice', async () => {
    for (const path of [
      '/stripe/checkout/cs_none',
      '/stripe/portal/bps_none',
      '/stripe/invoice/in_none',
      '/stripe/none',
    ]) {
      expect((await app.request(path)).status).toBe(404);
    }
  });

  test('is not found after its customer was deleted', async () => {
    const { id: customer } = await stripe.customers.create({ email: newEmail() });
    const { path } = await open({ over: { customer } });
    await stripe.billingPortal.configurations.create({ features: { invoice_history: { enabled: true } } });
    const portal = await stripe.billingPortal.sessions.create({ customer });
    await stripe.customers.del(customer);
    for (const gone of [path, pathOf(portal.url)]) expect((await app.request(gone)).status).toBe(404);
    expect((await post(`${path}/pay`, CARD)).status).toBe(404);
  });
});

describe('an invoice', () => {
  const textOf = async (url: string | null | undefined) =>
    (await pageOf(pathOf(url ?? null))).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

  test('has a page with its number, status, lines and totals, at its hosted_invoice_url', async () => {
    const { id: coupon } = await stripe.coupons.create({ percent_off: 10, duration: 'once' });
    const { subscription } = await subscribe({ coupon });
    const [invoice] = (await stripe.invoices.list({ subscription })).data;
    const text = await textOf(invoice?.hosted_invoice_url);
    expect(text).toMatch(new RegExp(`Invoice ${invoice?.number} \\d+ \\w{3} \\d{4} Paid`));
    expect(text).toContain('1 × Studio month');
    expect(text).toMatch(/Subtotal \$19\.00 Discount −\$1\.90 Total \$17\.10 Amount paid \$17\.10/);
    expect(text).not.toContain('Amount due');
  });

  test('that is not paid shows what is due after the balance, and its taxes', async () => {
    const rate = await stripe.taxRates.create({ display_name: 'VAT', percentage: 20, inclusive: false });
    const { id: customer } = await stripe.customers.create({ email: newEmail() });
    await stripe.customers.createBalanceTransaction(customer, { amount: -400, currency: 'usd' });
    await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
    const [method] = (await stripe.customers.listPaymentMethods(customer)).data;
    const { latest_invoice: invoice } = await stripe.subscriptions.create({
      customer,
      default_payment_method: method?.id ?? '',
      items: [{ price: (await newPrice()).id, tax_rates: [rate.id] }],
      expand: ['latest_invoice'],
    });
    const text = await textOf((invoice as Stripe.Invoice).hosted_invoice_url);
    expect(text).toMatch(/Subtotal \$19\.00 VAT \(20%\) \$3\.80 Total \$22\.80/);
    expect(text).toMatch(/Applied balance −\$4\.00 Amount due \$18\.80/);
    const { id, hosted_invoice_url: url } = invoice as Stripe.Invoice;
    await stripe.creditNotes.create({ invoice: id ?? '', amount: 500 });
    expect(await textOf(url)).toMatch(/Applied balance −\$4\.00 Credit notes −\$5\.00 Amount due \$13\.80/);
  });
});

test('the drawer names what the subscription will lack', async () => {
  const { path } = await open();
  const page = await pageOf(path);
  expect(page).toContain('renewals do not carry click.');
  expect(page, 'a key that only the session needs is no mistake').not.toContain('callout warning');
  const bare = await open({ over: { subscription_data: {} } });
  expect(await pageOf(bare.path)).toMatch(/callout warning.*renewals do not carry/s);
  expect(listLost({ click: 'a', plan: 'b' }, { plan: 'b' })).toEqual(['click']);
  expect(listLost({ plan: 'b' }, { plan: 'b', more: 'c' })).toEqual([]);
});

describe('the billing portal', () => {
  async function openPortal(wanted: Parameters<typeof subscribe>[0] = {}) {
    const paid = await subscribe(wanted);
    const configuration = await stripe.billingPortal.configurations.create({
      features: {
        subscription_cancel: { enabled: true, mode: 'at_period_end' },
        payment_method_update: { enabled: true },
        invoice_history: { enabled: true },
      },
    });
    const { url } = await stripe.billingPortal.sessions.create({
      customer: paid.customer,
      configuration: configuration.id,
      return_url: 'http://localhost:1/account',
    });
    return { ...paid, path: pathOf(url) };
  }

  test('shows subscription, payment method and invoices', async () => {
    const { path, email } = await openPortal();
    const page = await pageOf(path);
    expect(page).toContain('Stripe billing portal, emulated.');
    expect(page).toContain('Your billing with Acme');
    expect(page).toContain(email);
    expect(page).toContain('Visa •••• 4242');
    expect(page).toMatch(/Renews on <time[^>]*>\d+ \w{3} \d{4}<\/time>/);
    expect(page).toContain('Invoices, newest first');
  });

  test('asks once more before it cancels at once', async () => {
    const { path, subscription } = await openPortal();
    expect(await pageOf(path)).toContain(`${path}/cancel?subscription=${subscription}`);
    const question = await pageOf(`${path}/cancel?subscription=${subscription}`);
    expect(question).toContain('Cancel subscription');
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('active');
    await post(`${path}/act`, { action: 'cancel_now', subscription });
    expect((await stripe.subscriptions.retrieve(subscription)).status).toBe('canceled');
    expect(await pageOf(path)).toContain('You have no subscription to renew.');
    expect((await app.request(`${path}/cancel?subscription=${subscription}`)).status).toBe(302);
  });

  test('says what is lost by canceling at once: what was paid for, a trial, or what a cancellation left', async () => {
    const [paying, trying] = [await openPortal(), await openPortal({ trialDays: 14 })];
    const askAbout = ({ path, subscription }: typeof paying) => pageOf(`${path}/cancel?subscription=${subscription}`);
    expect(await askAbout(paying)).toContain('It is paid until');
    const trial = await askAbout(trying);
    expect(trial).toContain('Its trial is free until');
    expect(trial).not.toContain('paid until');
    await post(`${paying.path}/act`, { action: 'cancel_at_period_end', subscription: paying.subscription });
    expect(await askAbout(paying)).toContain('It is canceled already, and stays active until');
  });

  test('cancels at the end of the period, and can resume', async () => {
    const { path, subscription } = await openPortal();
    await post(`${path}/act`, { action: 'cancel_at_period_end', subscription });
    expect(await pageOf(path)).toMatch(/Ends on <time/);
    await post(`${path}/act`, { action: 'resume', subscription });
    expect(await pageOf(path)).toMatch(/Renews on <time/);
  });

  test('does not say again what was done after a cancellation that was not confirmed', async () => {
    const { path, subscription } = await openPortal();
    await post(`${path}/act`, { action: 'cancel_at_period_end', subscription });
    expect(await pageOf(path)).toContain('Your subscription will be canceled at the end of the period.');
    await pageOf(`${path}/cancel?subscription=${subscription}`);
    expect(await pageOf(path)).not.toContain('Your subscription will be canceled at the end of the period.');
  });

  test('keeps what was typed of a card that is declined, except for the security code', async () => {
    const { path, subscription } = await openPortal();
    const declined = { ...CARD, number: '4000 0000 0000 0002' };
    await post(`${path}/act`, { action: 'replace_card', subscription, ...declined });
    const page = await pageOf(path);
    expect(page).toContain('value="4000 0000 0000 0002"');
    expect(page).toContain('<details open="">');
    expect(page).not.toContain(`value="${CARD.cvc}"`);
  });
});
