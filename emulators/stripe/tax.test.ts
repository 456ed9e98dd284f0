import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { readAccount } from './account';
import { applyPromotionCode, chooseCountry, showCheckout } from './checkout/page';
import { inShapeOf } from './older-shapes';
import { DAY, METADATA, newEmail, openAccount, SUCCESS_URL } from './testing/account';
import type { WireEvent } from './wire';

const { emulator, stripe, advance, pay, newPrice } = await openAccount();

const newRate = (percentage: number, inclusive = false) =>
  stripe.taxRates.create({ display_name: 'VAT', percentage, inclusive });

async function newSession(rate: string, { amount = 1900, trialDays = 0, promotionCodes = false } = {}) {
  const { id: customer, email } = await stripe.customers.create({ email: newEmail() });
  const price = await newPrice({ amount });
  const session = await stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price: price.id, quantity: 1, tax_rates: [rate] }],
    success_url: SUCCESS_URL,
    metadata: METADATA,
    subscription_data: { metadata: METADATA, ...(trialDays && { trial_period_days: trialDays }) },
    ...(promotionCodes && { allow_promotion_codes: true }),
  });
  return { session, customer, email: email ?? '' };
}

describe('a tax rate', () => {
  test('that is exclusive is added to each payment, and every invoice has its amount', async () => {
    const rate = await newRate(20);
    const { session, customer, email } = await newSession(rate.id);
    expect(session).toMatchObject({
      amount_subtotal: 1900,
      amount_total: 2280,
      total_details: { amount_tax: 380 },
    });
    const items = await stripe.checkout.sessions.listLineItems(session.id);
    expect(items.data).toMatchObject([{ amount_subtotal: 1900, amount_tax: 380, amount_total: 2280 }]);
    await pay(session.id, email);
    await advance(customer, 32 * DAY);
    const { data: invoices } = await stripe.invoices.list({ customer });
    expect(invoices).toMatchObject(
      Array(2).fill({
        amount_paid: 2280,
        total_excluding_tax: 1900,
        total_taxes: [{ amount: 380, tax_behavior: 'exclusive', tax_rate_details: { tax_rate: rate.id } }],
        lines: { data: [{ amount: 1900, taxes: [{ amount: 380, taxable_amount: 1900 }] }] },
      }),
    );
    const { data: charges } = await stripe.charges.list({ customer });
    expect(charges.map(({ amount }) => amount)).toEqual([2280, 2280]);
  });

  test('that is inclusive is within the price', async () => {
    const rate = await newRate(20, true);
    const { session, customer, email } = await newSession(rate.id, { amount: 2280 });
    expect(session).toMatchObject({ amount_subtotal: 2280, amount_total: 2280, total_details: { amount_tax: 380 } });
    expect(await showCheckout(emulator, session.id)).toMatchObject({
      taxes: [{ label: 'VAT (20%)', amount: 380, isIncluded: true }],
    });
    await pay(session.id, email);
    const { data } = await stripe.invoices.list({ customer });
    expect(data).toMatchObject([
      { subtotal: 2280, subtotal_excluding_tax: 1900, total: 2280, total_excluding_tax: 1900 },
    ]);
  });

  test('applies to the amount after a promotion code', async () => {
    const rate = await newRate(10);
    const coupon = await stripe.coupons.create({ percent_off: 20, duration: 'once' });
    const { code } = await stripe.promotionCodes.create({ promotion: { type: 'coupon', coupon: coupon.id } });
    const { session, customer, email } = await newSession(rate.id, { promotionCodes: true });
    await applyPromotionCode(emulator, session.id, code);
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      amount_total: 1672,
      total_details: { amount_discount: 380, amount_tax: 152 },
    });
    await pay(session.id, email);
    expect((await stripe.invoices.list({ customer })).data).toMatchObject([{ amount_paid: 1672 }]);
  });

  test('is zero during a trial', async () => {
    const rate = await newRate(20);
    const { session, customer, email } = await newSession(rate.id, { trialDays: 14 });
    expect(session).toMatchObject({ amount_total: 0, total_details: { amount_tax: 0 } });
    await pay(session.id, email);
    await advance(customer, 15 * DAY);
    const { data } = await stripe.invoices.list({ customer });
    expect(data.map(({ total }) => total)).toEqual([2280, 0]);
  });

  test('is prorated with the plan', async () => {
    const rate = await newRate(20);
    const { session, customer, email } = await newSession(rate.id);
    await pay(session.id, email);
    const { data } = await stripe.subscriptions.list({ customer });
    const dearer = await newPrice({ amount: 4900 });
    await stripe.subscriptions.update(data[0]?.id ?? '', {
      items: [{ id: data[0]?.items.data[0]?.id ?? '', price: dearer.id }],
      proration_behavior: 'always_invoice',
    });
    expect((await stripe.invoices.list({ customer })).data[0]).toMatchObject({
      amount_paid: 3600,
      total_excluding_tax: 3000,
    });
  });

  test('has the fields of older versions on their endpoints', async () => {
    const rate = await newRate(20);
    const { session, customer, email } = await newSession(rate.id);
    await pay(session.id, email);
    const { data } = await stripe.invoices.list({ customer });
    const event = { id: 'evt_1', data: { object: data[0] } } as unknown as WireEvent;
    const older = await readAccount(emulator, (store) => inShapeOf(store, event, '2024-06-20'));
    expect(older.data.object).toMatchObject({
      tax: 380,
      total_tax_amounts: [{ amount: 380, inclusive: false, tax_rate: rate.id }],
      lines: { data: [{ tax_amounts: [{ amount: 380, inclusive: false, tax_rate: rate.id }] }] },
    });
  });

  test('that does not exist is refused', async () => {
    await expect(newSession('txr_none')).rejects.toMatchObject({ param: 'line_items[0][tax_rates]' });
  });

  test('can be listed and deactivated', async () => {
    const rate = await newRate(7.7);
    expect(await stripe.taxRates.update(rate.id, { active: false })).toMatchObject({ percentage: 7.7, active: false });
    const { data } = await stripe.taxRates.list({ active: true, limit: 100 });
    expect(data.map(({ id }) => id)).not.toContain(rate.id);
    expect(await stripe.taxRates.retrieve(rate.id)).toMatchObject({ active: false });
  });
});

describe('automatic tax', () => {
  async function open(
    over: Partial<Stripe.Checkout.SessionCreateParams> = {},
    { amount = 1900, currency = 'usd' } = {},
  ) {
    const price = await newPrice({ amount, currency });
    return stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: price.id, quantity: 1 }],
      success_url: SUCCESS_URL,
      automatic_tax: { enabled: true },
      ...over,
    });
  }
  const newCustomer = (country?: string) =>
    stripe.customers.create({ email: newEmail(), ...(country && { address: { country } }) });

  test("follows the customer's country, and so do renewals", async () => {
    const { id: customer } = await newCustomer('DE');
    const session = await open({ customer });
    expect(session).toMatchObject({
      automatic_tax: { enabled: true, status: 'complete', provider: 'stripe' },
      amount_total: 2261,
      total_details: { amount_tax: 361 },
    });
    await pay(session.id, '');
    await stripe.customers.update(customer, { address: { country: 'FR' } });
    await advance(customer, { to_next_renewal: true });
    const { data } = await stripe.invoices.list({ customer });
    expect(data).toMatchObject([
      { total: 2280, automatic_tax: { enabled: true, status: 'complete' } },
      { total: 2261, total_taxes: [{ amount: 361, taxability_reason: 'standard_rated' }] },
    ]);
    expect((await stripe.subscriptions.list({ customer })).data).toMatchObject([{ automatic_tax: { enabled: true } }]);
  });

  test('needs the address of an existing customer, or permission to save the one from Checkout', async () => {
    const { id: customer } = await newCustomer();
    await expect(open({ customer })).rejects.toMatchObject({
      code: 'customer_tax_location_invalid',
      message: expect.stringContaining("`customer_update[address]` to 'auto'"),
    });
    const session = await open({ customer, customer_update: { address: 'auto' } });
    expect(session).toMatchObject({ automatic_tax: { status: 'requires_location_inputs' }, amount_total: 1900 });
    await pay(session.id, '', { country: 'GB' });
    expect(await stripe.checkout.sessions.retrieve(session.id)).toMatchObject({
      amount_total: 2280,
      automatic_tax: { status: 'complete' },
      customer_details: { address: { country: 'GB' } },
    });
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ address: { country: 'GB' } });
    expect((await stripe.charges.list({ customer })).data).toMatchObject([{ amount: 2280 }]);
  });

  test('is shown once the customer has chosen a country, and changes with it', async () => {
    const { id } = await open();
    expect(await showCheckout(emulator, id)).toMatchObject({ needsCountry: true, country: null, taxes: [] });
    await chooseCountry(emulator, id, 'DE');
    expect(await showCheckout(emulator, id)).toMatchObject({
      country: 'DE',
      total: 2261,
      taxes: [{ label: 'VAT (19%)' }],
    });
    await chooseCountry(emulator, id, 'US');
    expect(await showCheckout(emulator, id)).toMatchObject({ country: 'US', total: 1900, taxes: [] });
  });

  test('follows the address that the customer has where the one from Checkout is not saved', async () => {
    const { id: customer } = await newCustomer('DE');
    const { id } = await open({ customer });
    expect(await showCheckout(emulator, id)).toMatchObject({ needsCountry: false, total: 2261 });
    await chooseCountry(emulator, id, 'US');
    await pay(id, '', { country: 'US' });
    const session = await stripe.checkout.sessions.retrieve(id, { expand: ['invoice'] });
    const { amount_due } = session.invoice as Stripe.Invoice;
    expect([session.amount_total, amount_due]).toEqual([2261, 2261]);
    expect((await stripe.charges.list({ customer })).data).toMatchObject([
      { amount: amount_due, billing_details: { address: { country: 'US' } } },
    ]);
    const saving = await open({ customer, customer_update: { address: 'auto' } });
    expect(await showCheckout(emulator, saving.id)).toMatchObject({ needsCountry: true, country: 'DE' });
    await pay(saving.id, '', { country: 'FR' });
    expect((await stripe.charges.list({ customer, limit: 1 })).data).toMatchObject([{ amount: 2280 }]);
    expect((await stripe.invoices.list({ customer, limit: 1 })).data).toMatchObject([{ amount_due: 2280 }]);
  });

  test('is included in prices outside of dollars, and zero where none is collected', async () => {
    const euro = await newCustomer('DE');
    const included = await open({ customer: euro.id }, { amount: 1190, currency: 'eur' });
    expect(included).toMatchObject({ amount_total: 1190, total_details: { amount_tax: 190 } });
    const american = await newCustomer('US');
    expect(await open({ customer: american.id })).toMatchObject({
      amount_total: 1900,
      total_details: { amount_tax: 0 },
    });
  });

  test('cannot be combined with tax rates of line items', async () => {
    const rate = await newRate(20);
    const price = await newPrice();
    const refused = open({ line_items: [{ price: price.id, quantity: 1, tax_rates: [rate.id] }] });
    await expect(refused).rejects.toThrow('automatic_tax');
  });
});
