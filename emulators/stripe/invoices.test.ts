import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { showCheckout } from './checkout/page';
import { DAY, METADATA, newEmail, openAccount, SUCCESS_URL, VISA } from './testing/account';

const { emulator, stripe, newPrice, pay, subscribe, advance, invoicesOf, eventsAbout, typesAbout } =
  await openAccount();

const balanceOf = async (id: string) => {
  const customer = await stripe.customers.retrieve(id);
  return customer.deleted ? null : customer.balance;
};

const newestInvoice = async (customer: string) => {
  const [invoice] = (await stripe.invoices.list({ customer, limit: 1 })).data;
  if (!invoice) throw new Error('The customer has no invoice.');
  return invoice;
};

const credit = (customer: string, amount: number) =>
  stripe.customers.createBalanceTransaction(customer, { amount: -amount, currency: 'usd' });

describe("a customer's balance", () => {
  test('pays a part of the next invoice, and the card pays the rest', async () => {
    const { customer } = await subscribe();
    expect(await credit(customer, 500)).toMatchObject({ amount: -500, ending_balance: -500, type: 'adjustment' });
    await advance(customer, { to_next_renewal: true });
    expect(await newestInvoice(customer)).toMatchObject({
      total: 1900,
      starting_balance: -500,
      ending_balance: 0,
      amount_due: 1400,
      amount_paid: 1400,
      status: 'paid',
    });
    expect((await stripe.charges.list({ customer })).data[0]).toMatchObject({ amount: 1400 });
    expect(await balanceOf(customer)).toBe(0);
    const { data } = await stripe.customers.listBalanceTransactions(customer);
    expect(data.map(({ type, amount }) => [type, amount])).toEqual([
      ['applied_to_invoice', 500],
      ['adjustment', -500],
    ]);
  });

  test('pays the whole invoice without a charge, and what is left stays', async () => {
    const { customer } = await subscribe();
    await credit(customer, 2400);
    await advance(customer, { to_next_renewal: true });
    expect(await newestInvoice(customer)).toMatchObject({ total: 1900, amount_due: 0, amount_paid: 0, status: 'paid' });
    expect((await stripe.charges.list({ customer })).data).toHaveLength(1);
    expect(await balanceOf(customer)).toBe(-500);
  });

  test('that is owed is collected with the next invoice', async () => {
    const { customer } = await subscribe();
    await credit(customer, -300);
    await advance(customer, { to_next_renewal: true });
    expect(await newestInvoice(customer)).toMatchObject({ total: 1900, amount_due: 2200, amount_paid: 2200 });
    expect(await balanceOf(customer)).toBe(0);
  });

  test('applies to a subscription that starts in Checkout: the session names the total, the invoice what was paid', async () => {
    const { id: customer } = await stripe.customers.create({ email: newEmail() });
    await credit(customer, 400);
    const price = await newPrice();
    const { id } = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [{ price: price.id, quantity: 1 }],
      success_url: SUCCESS_URL,
    });
    expect(await showCheckout(emulator, id)).toMatchObject({ total: 1900, due: 1500 });
    await pay(id, '');
    expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({ amount_total: 1900, payment_status: 'paid' });
    expect(await newestInvoice(customer)).toMatchObject({ total: 1900, amount_paid: 1500 });
    expect((await stripe.charges.list({ customer })).data).toMatchObject([{ amount: 1500 }]);
  });

  test('takes what is less than can be charged, and the next invoice collects it', async () => {
    const { customer, price } = await subscribe();
    await credit(customer, 1880);
    await advance(customer, { to_next_renewal: true });
    expect(await newestInvoice(customer)).toMatchObject({
      ...{ total: 1900, starting_balance: -1880, ending_balance: 20, amount_due: 0, amount_paid: 0, status: 'paid' },
    });
    expect((await stripe.charges.list({ customer })).data).toHaveLength(1);
    const [debit] = (await stripe.customers.listBalanceTransactions(customer)).data;
    expect(debit).toMatchObject({ type: 'invoice_too_small', ending_balance: 20 });
    await advance(customer, { to_next_renewal: true });
    expect(await newestInvoice(customer)).toMatchObject({ starting_balance: 20, amount_due: 1920, amount_paid: 1920 });
    const { id } = await stripe.checkout.sessions.create({
      ...{ mode: 'subscription', customer, line_items: [{ price: price.id, quantity: 1 }], success_url: SUCCESS_URL },
    });
    await credit(customer, 1851);
    expect(await showCheckout(emulator, id)).toMatchObject({ total: 1900, due: 0 });
  });

  test('has one currency', async () => {
    const { customer } = await subscribe();
    const other = stripe.customers.createBalanceTransaction(customer, { amount: -1, currency: 'eur' });
    await expect(other).rejects.toMatchObject({ param: 'currency' });
  });

  test('applies to no invoice in another currency', async () => {
    const { id: customer } = await stripe.customers.create({ email: newEmail() });
    await credit(customer, 1000);
    const euros = await newPrice({ currency: 'eur' });
    const { id } = await stripe.checkout.sessions.create({
      ...{ mode: 'subscription', customer, line_items: [{ price: euros.id, quantity: 1 }], success_url: SUCCESS_URL },
    });
    expect(await showCheckout(emulator, id)).toMatchObject({ total: 1900, due: 1900 });
    await pay(id, '');
    expect(await newestInvoice(customer)).toMatchObject({ starting_balance: 0, amount_paid: 1900 });
    expect(await balanceOf(customer)).toBe(-1000);
  });
});

describe('an uncollectible invoice', () => {
  /** Marked uncollectible by a subscription whose collection is paused, or by the seller. */
  async function giveUp({ isPaused = true, number = VISA } = {}) {
    const { subscription, customer } = await subscribe({ number });
    if (isPaused) {
      await stripe.subscriptions.update(subscription, { pause_collection: { behavior: 'mark_uncollectible' } });
    }
    await advance(customer, { to_next_renewal: true });
    const { id } = await newestInvoice(customer);
    if (!isPaused) await stripe.invoices.markUncollectible(id);
    return { id, subscription, customer };
  }

  test('is paid or voided later', async () => {
    const { id: paid } = await giveUp();
    expect(await stripe.invoices.pay(paid)).toMatchObject({ status: 'paid', amount_paid: 1900 });
    await expect(stripe.invoices.voidInvoice(paid)).rejects.toThrow('Only open and uncollectible invoices can.');
    const { id: voided } = await giveUp();
    expect(await stripe.invoices.voidInvoice(voided)).toMatchObject({ status: 'void' });
    await expect(stripe.invoices.pay(voided)).rejects.toMatchObject({ code: 'invoice_not_editable' });
  });

  test('stays so when its payment is declined, and its subscription stays active', async () => {
    const { id, subscription } = await giveUp({ number: '4000000000000341' });
    await expect(stripe.invoices.pay(id)).rejects.toMatchObject({ type: 'StripeCardError' });
    expect(await stripe.invoices.retrieve(id)).toMatchObject({ status: 'uncollectible', next_payment_attempt: null });
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
  });

  test('is what an open one becomes when the seller gives it up, once; its subscription is active again', async () => {
    const { id, customer, subscription } = await giveUp({ isPaused: false, number: '4000000000000341' });
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
    expect((await typesAbout(subscription)).at(-1)).toBe('customer.subscription.updated');
    expect(await stripe.invoices.retrieve(id)).toMatchObject({ status: 'uncollectible', next_payment_attempt: null });
    expect((await typesAbout(id)).at(-1)).toBe('invoice.marked_uncollectible');
    await expect(stripe.invoices.markUncollectible(id)).rejects.toThrow('Only open invoices can.');
    const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    expect(await stripe.invoices.pay(id, { payment_method: card })).toMatchObject({ status: 'paid' });
  });
});

test.each([
  ['paid', (id: string) => stripe.invoices.pay(id, { paid_out_of_band: true })],
  ['marked as uncollectible', (id: string) => stripe.invoices.markUncollectible(id)],
])('a customer whose renewal fails is delinquent until the invoice is %s', async (_, settle) => {
  const { customer } = await subscribe({ number: '4000000000000341' });
  const isDelinquent = async () => ((await stripe.customers.retrieve(customer)) as Stripe.Customer).delinquent;
  expect(await isDelinquent()).toBe(false);
  await advance(customer, { to_next_renewal: true });
  expect(await isDelinquent()).toBe(true);
  await settle((await newestInvoice(customer)).id);
  expect(await isDelinquent()).toBe(false);
  const events = await stripe.events.list({ type: 'customer.updated', limit: 100 });
  const about = events.data.filter(({ data }) => (data.object as Stripe.Customer).id === customer);
  expect(about.map(({ data }) => data.previous_attributes)).toEqual(
    expect.arrayContaining([{ delinquent: true }, { delinquent: false }]),
  );
});

test('a subscription whose overdue invoice is voided is active again, and renews', async () => {
  const { subscription, customer } = await subscribe({ number: '4000000000000341' });
  await advance(customer, { to_next_renewal: true });
  const { id } = await newestInvoice(customer);
  await stripe.invoices.voidInvoice(id);
  expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
  await stripe.subscriptions.update(subscription, {
    default_payment_method: (await stripe.paymentMethods.attach('pm_card_visa', { customer })).id,
  });
  await advance(customer, { to_next_renewal: true });
  expect((await invoicesOf(subscription)).map(({ status }) => status)).toEqual(['paid', 'void', 'paid']);
});

describe('a credit note', () => {
  test('on an open invoice lowers what is due, and the next attempt charges the rest', async () => {
    const { customer, subscription } = await subscribe({ number: '4000000000000341' });
    await advance(customer, { to_next_renewal: true });
    const open = await newestInvoice(customer);
    const note = await stripe.creditNotes.create({ invoice: open.id, amount: 900 });
    expect(note).toMatchObject({ amount: 900, type: 'pre_payment', status: 'issued', pre_payment_amount: 900 });
    expect(await stripe.invoices.retrieve(open.id)).toMatchObject({
      total: 1900,
      amount_due: 1000,
      amount_remaining: 1000,
      pre_payment_credit_notes_amount: 900,
    });
    const method = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    expect(await stripe.invoices.pay(open.id, { payment_method: method.id })).toMatchObject({
      status: 'paid',
      amount_paid: 1000,
    });
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
  });

  test('on an open invoice lowers what its PaymentIntent charges, too', async () => {
    const { id: customer } = await stripe.customers.create({ email: newEmail() });
    const { id: price } = await stripe.prices.create({
      ...{ currency: 'usd', unit_amount: 1900, recurring: { interval: 'month' }, product_data: { name: 'Plan' } },
    });
    const subscription = await stripe.subscriptions.create({
      ...{ customer, items: [{ price }], payment_behavior: 'default_incomplete' },
      expand: ['latest_invoice.payments'],
    });
    const { id: invoice = '', payments } = subscription.latest_invoice as Stripe.Invoice;
    const intent = String(payments?.data[0]?.payment.payment_intent);
    await stripe.creditNotes.create({ invoice, amount: 900 });
    const paid = await stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
    expect(paid).toMatchObject({ status: 'succeeded', amount_received: 1000 });
    expect(await stripe.invoices.retrieve(invoice)).toMatchObject({ status: 'paid', amount_paid: 1000 });
  });

  test('over all that is due pays the invoice; voided before, it is due again', async () => {
    const { customer, subscription } = await subscribe({ number: '4000000000000341' });
    await advance(customer, { to_next_renewal: true });
    const open = await newestInvoice(customer);
    const part = await stripe.creditNotes.create({ invoice: open.id, amount: 900 });
    expect(await stripe.creditNotes.voidCreditNote(part.id)).toMatchObject({ status: 'void' });
    expect(await stripe.invoices.retrieve(open.id)).toMatchObject({ amount_remaining: 1900 });
    const whole = await stripe.creditNotes.create({ invoice: open.id, amount: 1900 });
    expect(whole.number, 'not that of the voided one').not.toBe(part.number);
    expect(await stripe.invoices.retrieve(open.id)).toMatchObject({ status: 'paid', amount_paid: 0 });
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
    const { type, data: about } = (await eventsAbout(subscription)).at(-1) ?? {};
    expect([type, about?.previous_attributes]).toEqual(['customer.subscription.updated', { status: 'past_due' }]);
  });

  test('on a paid invoice goes to the balance or back to the card, as it says', async () => {
    const { customer } = await subscribe();
    const invoice = await newestInvoice(customer);
    const note = await stripe.creditNotes.create({
      invoice: invoice.id,
      amount: 700,
      credit_amount: 500,
      refund_amount: 200,
      reason: 'product_unsatisfactory',
    });
    expect(note).toMatchObject({ type: 'post_payment', post_payment_amount: 700, refunds: [{ amount_refunded: 200 }] });
    expect(await balanceOf(customer)).toBe(-500);
    expect((await stripe.charges.list({ customer })).data[0]).toMatchObject({ amount_refunded: 200 });
    expect(await stripe.invoices.retrieve(invoice.id)).toMatchObject({
      amount_paid: 1900,
      post_payment_credit_notes_amount: 700,
    });
  });

  test('says where the money goes, and is never larger than the invoice', async () => {
    const { customer } = await subscribe();
    const { id: invoice } = await newestInvoice(customer);
    await expect(stripe.creditNotes.create({ invoice, amount: 100 })).rejects.toThrow('must equal');
    await expect(stripe.creditNotes.create({ invoice, amount: 1901, credit_amount: 1901 })).rejects.toMatchObject({
      param: 'amount',
    });
  });

  test('for a line carries its share of the tax', async () => {
    const vat = await stripe.taxRates.create({ display_name: 'VAT', percentage: 20, inclusive: false });
    const price = await newPrice({ amount: 1000 });
    const { id: customer } = await stripe.customers.create({ email: newEmail() });
    const { id } = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [{ price: price.id, quantity: 1, tax_rates: [vat.id] }],
      success_url: SUCCESS_URL,
    });
    await pay(id, '');
    const invoice = await newestInvoice(customer);
    const note = await stripe.creditNotes.create({
      invoice: invoice.id,
      lines: [{ type: 'invoice_line_item', invoice_line_item: invoice.lines.data[0]?.id ?? '', amount: 500 }],
      credit_amount: 600,
    });
    expect(note).toMatchObject({ total: 600, total_excluding_tax: 500, total_taxes: [{ amount: 100 }] });
  });
});

describe('a change of price within the period', () => {
  const itemOf = async (subscription: string) =>
    (await stripe.subscriptions.retrieve(subscription)).items.data[0]?.id ?? '';

  test('waits as invoice items, and is on the next invoice', async () => {
    const { customer, subscription } = await subscribe({ amount: 2000 });
    const dearer = await newPrice({ amount: 5000 });
    await stripe.subscriptions.update(subscription, { items: [{ id: await itemOf(subscription), price: dearer.id }] });
    const { data: waiting } = await stripe.invoiceItems.list({ customer });
    expect(waiting).toMatchObject([
      { amount: 5000, proration: true, invoice: null },
      { amount: -2000, proration: true, invoice: null },
    ]);
    expect((await stripe.invoices.list({ customer })).data).toHaveLength(1);
    await advance(customer, { to_next_renewal: true });
    const renewal = await newestInvoice(customer);
    expect(renewal).toMatchObject({ billing_reason: 'subscription_cycle', total: 8000, amount_paid: 8000 });
    expect(renewal.lines.data.map(({ amount }) => amount)).toEqual([-2000, 5000, 5000]);
    await advance(customer, { to_next_renewal: true });
    expect(await newestInvoice(customer)).toMatchObject({ total: 5000 });
  });

  test('to a cheaper price, invoiced now, leaves a credit in the balance', async () => {
    const { customer, subscription } = await subscribe({ amount: 5000 });
    const cheaper = await newPrice({ amount: 2000 });
    await stripe.subscriptions.update(subscription, {
      items: [{ id: await itemOf(subscription), price: cheaper.id }],
      proration_behavior: 'always_invoice',
    });
    expect(await newestInvoice(customer)).toMatchObject({
      total: -3000,
      amount_due: 0,
      status: 'paid',
      ending_balance: -3000,
    });
    expect(await balanceOf(customer)).toBe(-3000);
    await advance(customer, { to_next_renewal: true });
    expect(await newestInvoice(customer)).toMatchObject({ total: 2000, amount_paid: 0 });
    expect(await balanceOf(customer)).toBe(-1000);
  });

  test('credits and charges what is paid after the discount, which then applies to no proration', async () => {
    const { id: coupon } = await stripe.coupons.create({ percent_off: 20, duration: 'forever' });
    const { customer, subscription } = await subscribe({ amount: 2000, coupon });
    const { discounts } = await stripe.subscriptions.retrieve(subscription);
    const [dearer, yearly] = [await newPrice({ amount: 5000 }), await newPrice({ amount: 20_000, interval: 'year' })];
    const id = await itemOf(subscription);
    const amounts = ({ lines }: Stripe.Invoice) =>
      lines.data.map(({ amount, discountable, discount_amounts: off }) => [amount, discountable, off]);
    const off = (amount: number) => [{ amount, discount: discounts[0] }];
    await stripe.subscriptions.update(subscription, { items: [{ id, price: dearer.id }] });
    await advance(customer, { to_next_renewal: true });
    const renewal = await newestInvoice(customer);
    expect(renewal).toMatchObject({ total: -1600 + 4000 + 4000, total_discount_amounts: off(1000) });
    expect(amounts(renewal)).toEqual([
      [-1600, false, []],
      [4000, false, []],
      [5000, true, off(1000)],
    ]);
    await stripe.subscriptions.update(subscription, { items: [{ id, price: yearly.id }] });
    const update = await newestInvoice(customer);
    expect(update).toMatchObject({ total: -4000 + 16_000, total_discount_amounts: off(4000) });
    expect(amounts(update)).toEqual([
      [-4000, false, []],
      [20_000, true, off(4000)],
    ]);
  });

  test('credits what was paid with a coupon of duration once, and charges without it', async () => {
    const { id: coupon } = await stripe.coupons.create({ percent_off: 50, duration: 'once' });
    const { customer, subscription, price } = await subscribe({ amount: 2000, coupon });
    const dearer = await newPrice({ amount: 5000 });
    const id = await itemOf(subscription);
    const totals = [];
    for (const to of [dearer, price]) {
      const items = [{ id, price: to.id }];
      await stripe.subscriptions.update(subscription, { items, proration_behavior: 'always_invoice' });
      totals.push((await newestInvoice(customer)).total);
    }
    expect(totals).toEqual([5000 - 1000, 2000 - 5000]);
  });

  test('that begins a new period uses up a coupon of duration once', async () => {
    const { customer, subscription } = await subscribe({ amount: 2000 });
    const yearly = await newPrice({ amount: 20_000, interval: 'year' });
    const { id: coupon } = await stripe.coupons.create({ percent_off: 50, duration: 'once' });
    const changed = await stripe.subscriptions.update(subscription, {
      ...{ discounts: [{ coupon }], items: [{ id: await itemOf(subscription), price: yearly.id }] },
    });
    expect(await newestInvoice(customer)).toMatchObject({ total: 10_000 - 2000 });
    expect(changed.discounts).toEqual([]);
    await advance(customer, { to_next_renewal: true });
    expect(await newestInvoice(customer)).toMatchObject({ total: 20_000 });
  });

  test('to the same price and quantity is none', async () => {
    const { customer, subscription, price } = await subscribe();
    const items = [{ id: await itemOf(subscription), price: price.id, quantity: 1 }];
    await stripe.subscriptions.update(subscription, { items });
    expect((await stripe.invoiceItems.list({ customer })).data).toEqual([]);
  });

  test('without proration changes nothing before the next period', async () => {
    const { customer, subscription } = await subscribe({ amount: 2000 });
    const dearer = await newPrice({ amount: 5000 });
    await stripe.subscriptions.update(subscription, {
      items: [{ id: await itemOf(subscription), price: dearer.id }],
      proration_behavior: 'none',
    });
    expect((await stripe.invoiceItems.list({ customer })).data).toEqual([]);
    await advance(customer, { to_next_renewal: true });
    expect(await newestInvoice(customer)).toMatchObject({ total: 5000 });
  });

  test('takes no item for a subscription of another customer', async () => {
    const [{ customer }, { subscription }] = [await subscribe(), await subscribe()];
    const item = stripe.invoiceItems.create({ customer, subscription, amount: 250, currency: 'usd' });
    await expect(item).rejects.toMatchObject({ statusCode: 400, param: 'subscription' });
  });

  test('of an item made through the API has the metadata of that item, and of a period that of the subscription', async () => {
    const { customer, subscription } = await subscribe();
    await stripe.invoiceItems.create({ customer, subscription, amount: 250, currency: 'usd', metadata: { seat: '7' } });
    await stripe.invoiceItems.create({ customer, amount: 100, currency: 'usd' });
    await advance(customer, { to_next_renewal: true });
    const { lines } = await newestInvoice(customer);
    expect(lines.data.map(({ metadata }) => metadata)).toEqual([{ seat: '7' }, {}, METADATA]);
  });

  test('is billed when the subscription ends with its period, together with what else waits for its invoice', async () => {
    const { customer, subscription } = await subscribe({ amount: 2000 });
    const id = await itemOf(subscription);
    await stripe.subscriptions.update(subscription, { items: [{ id, price: (await newPrice({ amount: 5000 })).id }] });
    await stripe.invoiceItems.create({ customer, subscription, amount: 250, currency: 'usd' });
    await stripe.subscriptions.update(subscription, { cancel_at_period_end: true });
    await advance(customer, 32 * DAY);
    const last = await newestInvoice(customer);
    expect(last.lines.data.map(({ amount }) => amount)).toEqual([-2000, 5000, 250]);
    expect(last).toMatchObject({ billing_reason: 'subscription_cycle', amount_paid: 3250, status: 'paid' });
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({
      ...{ status: 'canceled', latest_invoice: last.id },
    });
  });

  test('is dropped when the subscription is canceled now; its other items wait for the next invoice of the customer', async () => {
    const { customer, subscription } = await subscribe();
    const id = await itemOf(subscription);
    await stripe.subscriptions.update(subscription, { items: [{ id, quantity: 2 }] });
    await stripe.invoiceItems.create({ customer, subscription, amount: 250, currency: 'usd' });
    await stripe.subscriptions.cancel(subscription);
    expect((await stripe.invoiceItems.list({ customer })).data).toMatchObject([{ amount: 250, invoice: null }]);
    const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    const items = [{ price: (await newPrice()).id }];
    await stripe.subscriptions.create({ customer, items, default_payment_method: card });
    expect(await newestInvoice(customer)).toMatchObject({ total: 250 + 1900 });
  });

  test('and an item made through the API are both on the next invoice; a deleted one is not', async () => {
    const { customer, subscription } = await subscribe();
    const setup = { customer, amount: 250, currency: 'usd', description: 'Setup' };
    await stripe.invoiceItems.create({ ...setup, subscription });
    const removed = await stripe.invoiceItems.create(setup);
    expect(await stripe.invoiceItems.del(removed.id)).toMatchObject({ deleted: true });
    await advance(customer, { to_next_renewal: true });
    expect(await newestInvoice(customer)).toMatchObject({ total: 2150 });
  });
});

describe('an invoice', () => {
  test('whose payment fails is tried again on day 3, 5 and 7, and then its subscription is canceled', async () => {
    const { customer, subscription } = await subscribe({ number: '4000000000000341' });
    await advance(customer, { to_next_renewal: true });
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'past_due' });
    const failedAt = (await newestInvoice(customer)).created;
    const attempts: number[] = [];
    for (const _attempt of [1, 2, 3]) {
      attempts.push(((await newestInvoice(customer)).next_payment_attempt ?? 0) - failedAt);
      await advance(customer, { advance_to: 'next' });
    }
    expect(attempts).toEqual([3 * DAY, 5 * DAY, 7 * DAY]);
    await advance(customer, DAY);
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'payment_failed' },
    });
    expect(await newestInvoice(customer)).toMatchObject({
      status: 'open',
      amount_remaining: 1900,
      attempt_count: 4,
      next_payment_attempt: null,
    });
  });

  test('can be paid out of band: paid without a charge', async () => {
    const { customer, subscription } = await subscribe({ number: '4000000000000341' });
    await advance(customer, { to_next_renewal: true });
    const { id } = await newestInvoice(customer);
    expect(await stripe.invoices.pay(id, { paid_out_of_band: true })).toMatchObject({ status: 'paid' });
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'active' });
    expect((await stripe.invoicePayments.list({ invoice: id })).data).toMatchObject([{ status: 'canceled' }]);
    await expect(stripe.invoices.pay(id)).rejects.toMatchObject({ code: 'invoice_already_paid' });
  });

  test('whose payments are declined on request gets a 402 for each, and is retried as before', async () => {
    const { customer, subscription } = await subscribe({ number: '4000000000000341' });
    await advance(customer, { to_next_renewal: true });
    const { id, next_payment_attempt } = await newestInvoice(customer);
    for (const _click of [1, 2, 3])
      await expect(stripe.invoices.pay(id)).rejects.toMatchObject({ statusCode: 402, code: 'card_declined' });
    expect(await stripe.invoices.retrieve(id)).toMatchObject({
      attempt_count: 1,
      next_payment_attempt,
      status: 'open',
    });
    expect((await typesAbout(id)).filter((type) => type === 'invoice.payment_failed')).toHaveLength(4);
    await advance(customer, 3 * DAY);
    expect(await stripe.invoices.retrieve(id)).toMatchObject({ attempt_count: 2, status: 'open' });
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ status: 'past_due' });
  });

  test('can be voided while it is open', async () => {
    const { customer } = await subscribe({ number: '4000000000000341' });
    await advance(customer, { to_next_renewal: true });
    const { id } = await newestInvoice(customer);
    expect(await stripe.invoices.voidInvoice(id)).toMatchObject({ status: 'void' });
    expect(await typesAbout(id)).toContain('invoice.voided');
    await expect(stripe.invoices.voidInvoice(id)).rejects.toMatchObject({ code: 'invoice_not_editable' });
  });

  test('decides about its PaymentIntent, which is neither canceled nor given another amount by itself', async () => {
    const { customer } = await subscribe({ number: '4000000000000341' });
    await advance(customer, { to_next_renewal: true });
    const [{ id } = { id: '' }] = (await stripe.paymentIntents.list({ customer })).data;
    const refused = { statusCode: 400, message: expect.stringContaining('PaymentIntents created by an invoice') };
    await expect(stripe.paymentIntents.update(id, { amount: 100 })).rejects.toMatchObject(refused);
    await expect(stripe.paymentIntents.cancel(id)).rejects.toMatchObject(refused);
    expect(await stripe.paymentIntents.update(id, { metadata: METADATA })).toMatchObject({ metadata: METADATA });
  });

  test('that is voided cancels its payment, which cannot be confirmed any more', async () => {
    const { customer } = await subscribe({ number: '4000000000000341' });
    await advance(customer, { to_next_renewal: true });
    await stripe.invoices.voidInvoice((await newestInvoice(customer)).id);
    const [intent] = (await stripe.paymentIntents.list({ customer })).data;
    expect(intent).toMatchObject({ status: 'canceled', cancellation_reason: 'void_invoice' });
    expect((await stripe.invoicePayments.list({ status: 'canceled' })).data[0]?.payment).toMatchObject({
      payment_intent: intent?.id,
    });
    expect((await typesAbout(intent?.id ?? '')).at(-1)).toBe('payment_intent.canceled');
  });

  test('that is voided returns the credit that was applied to it, unless its customer was deleted', async () => {
    const { customer } = await subscribe({ number: '4000000000000341' });
    await credit(customer, 500);
    await advance(customer, { to_next_renewal: true });
    const { id: invoice } = await newestInvoice(customer);
    expect(await balanceOf(customer)).toBe(0);
    await stripe.invoices.voidInvoice(invoice);
    expect(await balanceOf(customer)).toBe(-500);
    expect((await stripe.customers.listBalanceTransactions(customer)).data[0]).toMatchObject({
      ...{ type: 'unapplied_from_invoice', amount: -500, ending_balance: -500, invoice },
    });
    const other = await subscribe({ number: '4000000000000341' });
    await credit(other.customer, 500);
    await advance(other.customer, { to_next_renewal: true });
    const { id } = await newestInvoice(other.customer);
    await stripe.customers.del(other.customer);
    expect(await stripe.invoices.voidInvoice(id)).toMatchObject({ status: 'void' });
  });

  test('that is voided while overdue is not retried, and the subscription renews when its period ends', async () => {
    const { customer, subscription } = await subscribe({ number: '4000000000000341' });
    await advance(customer, { to_next_renewal: true });
    const { id } = await newestInvoice(customer);
    await stripe.invoices.voidInvoice(id);
    await advance(customer, 10 * DAY);
    expect(await newestInvoice(customer)).toMatchObject({ id, attempt_count: 1 });
    await advance(customer, { to_next_renewal: true });
    expect((await invoicesOf(subscription)).map(({ status }) => status)).toEqual(['open', 'void', 'paid']);
  });

  test('says for each line what the discount takes off, also of the items that waited for it', async () => {
    const { id: coupon } = await stripe.coupons.create({ percent_off: 20, duration: 'forever' });
    const { customer } = await subscribe({ coupon });
    await stripe.invoiceItems.create({ customer, amount: 1000, currency: 'usd' });
    await advance(customer, { to_next_renewal: true });
    const invoice = await newestInvoice(customer);
    expect(invoice).toMatchObject({ subtotal: 2900, total: 2320, total_pretax_credit_amounts: [{ amount: 580 }] });
    expect(invoice.lines.data.map(({ discount_amounts: off }) => off)).toMatchObject([
      [{ amount: 200, discount: invoice.discounts[0] }],
      [{ amount: 380, discount: invoice.discounts[0] }],
    ]);
  });

  test('has an open payment for what remains of it from the first attempt on, which is then paid', async () => {
    const { customer } = await subscribe({ number: '4000000000000341' });
    await advance(customer, { to_next_renewal: true });
    const { id } = await newestInvoice(customer);
    const [intent] = (await stripe.paymentIntents.list({ customer })).data;
    const payment = { type: 'payment_intent', payment_intent: intent?.id ?? '' } as const;
    const waiting = { invoice: id, payment, status: 'open', amount_paid: null, is_default: true };
    expect((await stripe.invoicePayments.list({ payment })).data).toMatchObject([
      { ...waiting, amount_requested: 1900 },
    ]);
    await stripe.creditNotes.create({ invoice: id, amount: 900 });
    expect((await stripe.invoicePayments.list({ invoice: id, status: 'open' })).data).toMatchObject([
      { ...waiting, amount_requested: 1000 },
    ]);
    const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    await stripe.invoices.pay(id, { payment_method: card });
    const { payments } = await stripe.invoices.retrieve(id, { expand: ['payments'] });
    expect(payments?.data).toMatchObject([{ payment, status: 'paid', amount_paid: 1000, amount_requested: 1000 }]);
  });

  test('has an open payment while a debit from Checkout is processing', async () => {
    const { customer, subscription } = await subscribe({ account: '000123456789' });
    const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(subscription, {
      expand: ['latest_invoice.payments'],
    });
    const { payments } = invoice as Stripe.Invoice;
    expect(payments?.data).toMatchObject([{ status: 'open', amount_requested: 1900 }]);
    await advance(customer, 5 * DAY);
    const id = payments?.data[0]?.id ?? '';
    expect(await stripe.invoicePayments.retrieve(id)).toMatchObject({ status: 'paid', amount_paid: 1900 });
  });
});

describe('a subscription without Checkout', () => {
  const newCustomer = async (method?: string) => {
    const { id } = await stripe.customers.create({ email: newEmail() });
    const saved = method && (await stripe.paymentMethods.attach(method, { customer: id }));
    if (saved) await stripe.customers.update(id, { invoice_settings: { default_payment_method: saved.id } });
    return id;
  };

  test('is paid from the default payment method of its customer', async () => {
    const customer = await newCustomer('pm_card_visa');
    const price = await newPrice();
    const items = [{ price: price.id }];
    expect(await stripe.subscriptions.create({ customer, items, metadata: METADATA })).toMatchObject({
      status: 'active',
    });
    await advance(customer, { to_next_renewal: true });
    expect((await stripe.invoices.list({ customer })).data).toMatchObject([
      { billing_reason: 'subscription_cycle', status: 'paid' },
      {
        billing_reason: 'subscription_create',
        status: 'paid',
        parent: { subscription_details: { metadata: METADATA } },
      },
    ]);
  });

  test('whose first payment fails is incomplete and expires, or is refused, as asked', async () => {
    const customer = await newCustomer('pm_card_chargeCustomerFail');
    const items = [{ price: (await newPrice()).id }];
    const refused = stripe.subscriptions.create({ customer, items, payment_behavior: 'error_if_incomplete' });
    await expect(refused).rejects.toMatchObject({ statusCode: 402, code: 'card_declined' });
    expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toEqual([]);
    const { id, status } = await stripe.subscriptions.create({ customer, items });
    expect(status).toBe('incomplete');
    await advance(customer, DAY);
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'incomplete_expired' });
    expect(await newestInvoice(customer)).toMatchObject({ status: 'void' });
    expect((await stripe.paymentIntents.list({ customer })).data).toMatchObject([{ status: 'canceled' }]);
  });

  test('takes off no coupon of another currency', async () => {
    const customer = await newCustomer('pm_card_visa');
    const items = [{ price: (await newPrice()).id }];
    const subscribeWith = async (currency: string) => {
      const coupon = await stripe.coupons.create({ amount_off: 500, currency });
      return stripe.subscriptions.create({ customer, items, discounts: [{ coupon: coupon.id }] });
    };
    await expect(subscribeWith('eur')).rejects.toMatchObject({ statusCode: 400, param: 'discounts[0][coupon]' });
    await subscribeWith('usd');
    expect(await newestInvoice(customer)).toMatchObject({ total: 1400 });
  });

  test('is refused where there is no payment method', async () => {
    const items = [{ price: (await newPrice()).id }];
    const creating = stripe.subscriptions.create({ customer: await newCustomer(), items });
    await expect(creating).rejects.toThrow('no attached payment source');
  });
});
