import type Stripe from 'stripe';
import { describe, expect, test, vi } from 'vitest';
import { addMonths, stepMonths } from '../core/clock';
import { advanceClock } from './index';
import { DAY, newEmail, openAccount, SUCCESS_URL } from './testing/account';

const { emulator, stripe, newPrice, subscribe, advance, invoicesOf, typesAbout } = await openAccount();

const HOUR = 3_600;

describe('emulated time', () => {
  test('to the next renewal goes to the renewal, past an abandoned checkout that expires before', async () => {
    const { customer, subscription, price } = await subscribe();
    const abandoned = await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [{ price: price.id, quantity: 1 }],
      success_url: SUCCESS_URL,
    });
    const result = await advance(customer, { to_next_renewal: true });
    expect(result?.happened).toBe(2);
    expect(result?.events.map(({ type }) => type)).toContain('invoice.paid');
    expect(await stripe.checkout.sessions.retrieve(abandoned.id)).toMatchObject({ status: 'expired' });
    expect((await invoicesOf(subscription))[0]).toMatchObject({ reason: 'subscription_cycle', status: 'paid' });
  });

  test('to what happens next stops at the expiry of a checkout', async () => {
    const { customer, subscription, price } = await subscribe();
    await stripe.checkout.sessions.create({
      mode: 'subscription',
      customer,
      line_items: [{ price: price.id, quantity: 1 }],
      success_url: SUCCESS_URL,
    });
    const result = await advance(customer, { advance_to: 'next' });
    expect(result?.events.map(({ type }) => type)).toEqual(['checkout.session.expired']);
    expect(await invoicesOf(subscription)).toHaveLength(1);
  });

  test('by months is by calendar months', async () => {
    const { customer } = await subscribe();
    const before = await advance(customer, 0);
    const after = await advance(customer, { months: 1 });
    const expected = stepMonths((before?.now.getTime() ?? 0) / 1000, 1);
    expect(Math.abs((after?.now.getTime() ?? 0) / 1000 - expected)).toBeLessThan(60);
  });

  test('to a moment is given as Unix or ISO time; an earlier moment changes nothing', async () => {
    const { customer } = await subscribe();
    const start = Math.floor(Date.now() / 1000);
    const near = (result: Awaited<ReturnType<typeof advance>>, at: number) =>
      expect(Math.abs((result?.now.getTime() ?? 0) / 1000 - at)).toBeLessThan(60);
    near(await advance(customer, { advance_to: start + DAY }), start + DAY);
    near(await advance(customer, { advance_to: new Date((start + 2 * DAY) * 1000).toISOString() }), start + 2 * DAY);
    near(await advance(customer, { advance_to: start }), start + 2 * DAY);
  });

  test('that is moved twice at once moves one after the other', async () => {
    const { customer, subscription } = await subscribe();
    const to = Math.floor(Date.now() / 1000) + 40 * DAY;
    const both = await Promise.all([advance(customer, { advance_to: to }), advance(customer, { advance_to: to })]);
    for (const result of both) expect(Math.abs((result?.now.getTime() ?? 0) / 1000 - to)).toBeLessThan(60);
    expect(await invoicesOf(subscription)).toHaveLength(2);
    const [first, second] = await Promise.allSettled([
      advance(customer, { months: 1_000_000 }),
      advance(customer, { to_next_renewal: true }),
    ]);
    expect([first.status, second.status]).toEqual(['rejected', 'fulfilled']);
  });

  test('is null where there is no such customer or nothing that renews', async () => {
    expect(await advance('unknown@example.com', 1)).toBeNull();
    const { customer, subscription } = await subscribe();
    await stripe.subscriptions.cancel(subscription);
    expect(await advance(customer, { to_next_renewal: true })).toBeNull();
    expect(await advance(customer, { advance_to: 'next' })).toBeNull();
  });

  test('is in the events: what happens on the way carries the time at which it was due', async () => {
    const { customer, subscription } = await subscribe();
    const { items } = await stripe.subscriptions.retrieve(subscription);
    await advance(customer, 40 * DAY);
    const { data } = await stripe.events.list({ type: 'invoice.paid', limit: 1 });
    expect(data[0]?.created).toBe(items.data[0]?.current_period_end);
  });

  test('of everyone moves every customer, the same customer by email or by ID', async () => {
    const [one, other] = [await subscribe(), await subscribe()];
    expect((await advance(one.email.toUpperCase(), HOUR))?.now.getTime()).toBeGreaterThan(Date.now());
    await advanceClock(emulator, { advance_seconds: 32 * DAY });
    for (const { subscription } of [one, other]) {
      expect((await invoicesOf(subscription))[0]).toMatchObject({ reason: 'subscription_cycle' });
    }
  });
});

test('the offset of a deleted customer does not move everyone’s clock', async () => {
  const { customer, price } = await subscribe();
  await advance(customer, 20 * DAY);
  await stripe.checkout.sessions.create({
    ...{ mode: 'subscription', customer, success_url: SUCCESS_URL },
    line_items: [{ price: price.id, quantity: 1 }],
  });
  await stripe.customers.del(customer);
  const change = emulator.database.change.bind(emulator.database);
  const stopped = vi.spyOn(emulator.database, 'change').mockImplementation(change);
  const before = (await advanceClock(emulator, { advance_seconds: 0 }))?.now.getTime() ?? 0;
  stopped.mockImplementationOnce(change).mockRejectedValueOnce(new Error('stopped'));
  await expect(advanceClock(emulator, { advance_seconds: 2 * DAY })).rejects.toThrow('stopped');
  stopped.mockRestore();
  const after = (await advanceClock(emulator, { advance_seconds: 0 }))?.now.getTime() ?? 0;
  expect(after - before).toBeLessThan((DAY + 60) * 1000);
});

describe('a test clock', () => {
  const START = 1_798_761_600; // 1 January 2027

  async function subscribeOnClock(start = START, shared: { clock?: string; email?: string } = {}) {
    const newClock = () => stripe.testHelpers.testClocks.create({ frozen_time: start, name: 'Renewals' });
    const clock = shared.clock ?? (await newClock()).id;
    const { id: customer } = await stripe.customers.create({ email: shared.email ?? newEmail(), test_clock: clock });
    const method = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method.id } });
    const price = await newPrice();
    const { id: subscription } = await stripe.subscriptions.create({ customer, items: [{ price: price.id }] });
    return { clock, customer, subscription };
  }

  test('holds the time of its customers, and renews their subscriptions when it is advanced', async () => {
    const { clock, subscription } = await subscribeOnClock();
    expect(await stripe.subscriptions.retrieve(subscription)).toMatchObject({ created: START, test_clock: clock });
    const advanced = await stripe.testHelpers.testClocks.advance(clock, { frozen_time: addMonths(START, 1) });
    expect(advanced).toMatchObject({ status: 'advancing' });
    await stripe.testHelpers.testClocks.advance(clock, { frozen_time: addMonths(START, 2) + DAY });
    expect(await stripe.testHelpers.testClocks.retrieve(clock)).toMatchObject({
      status: 'ready',
      frozen_time: addMonths(START, 2) + DAY,
    });
    const { data } = await stripe.invoices.list({ subscription });
    expect(data.map(({ created }) => created)).toEqual([addMonths(START, 2), addMonths(START, 1), START]);
    expect(await typesAbout(clock)).toEqual(Array(2).fill('test_helpers.test_clock.ready'));
  });

  test('advances by two intervals of its shortest subscription at most, without one by two years', async () => {
    const advanceTo = (id: string, frozen_time: number) => stripe.testHelpers.testClocks.advance(id, { frozen_time });
    const { clock, subscription } = await subscribeOnClock();
    const tooFar = { statusCode: 400, param: 'frozen_time' };
    await expect(advanceTo(clock, addMonths(START, 2) + 1)).rejects.toMatchObject(tooFar);
    expect(await invoicesOf(subscription)).toHaveLength(1);
    await advanceTo(clock, addMonths(START, 2));
    await stripe.subscriptions.cancel(subscription);
    await advanceTo(clock, addMonths(START, 20));
    const { id: empty } = await stripe.testHelpers.testClocks.create({ frozen_time: START });
    await expect(advanceTo(empty, addMonths(START, 24) + 1)).rejects.toMatchObject(tooFar);
    await advanceTo(empty, addMonths(START, 24));
  });

  test('keeps its customers and subscriptions out of lists that ask for neither it nor the customer', async () => {
    const { clock, customer, subscription } = await subscribeOnClock();
    const { email } = (await stripe.customers.retrieve(customer)) as Stripe.Customer;
    const other = await stripe.customers.create({ email: email ?? '' });
    const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id);
    expect(ids(await stripe.customers.list({ email: email ?? '' }))).toEqual([other.id]);
    expect(ids(await stripe.customers.list({ test_clock: clock }))).toEqual([customer]);
    expect(ids(await stripe.subscriptions.list({ limit: 100 }))).not.toContain(subscription);
    expect(ids(await stripe.subscriptions.list({ test_clock: clock }))).toEqual([subscription]);
    expect(ids(await stripe.subscriptions.list({ customer }))).toEqual([subscription]);
  });

  test('is left alone when the time of everyone moves, and moves with its customer', async () => {
    const { clock, customer, subscription } = await subscribeOnClock();
    await advanceClock(emulator, { advance_seconds: 40 * DAY });
    expect(await invoicesOf(subscription)).toHaveLength(1);
    const result = await advance(customer, { to_next_renewal: true });
    expect(result?.now.getTime()).toBe(addMonths(START, 1) * 1000);
    expect(await invoicesOf(subscription)).toHaveLength(2);
    expect(await stripe.testHelpers.testClocks.retrieve(clock)).toMatchObject({ frozen_time: addMonths(START, 1) });
  });

  test('moves once for all of its customers, whichever is named', async () => {
    const email = newEmail();
    const { clock, subscription } = await subscribeOnClock(START, { email });
    const others = [await subscribeOnClock(START, { clock, email }), await subscribeOnClock(START, { clock })];
    const result = await advance(email, { months: 1 });
    expect(result?.now.getTime()).toBe(addMonths(START, 1) * 1000);
    for (const id of [subscription, ...others.map((other) => other.subscription)]) {
      expect((await invoicesOf(id)).map(({ reason }) => reason)).toEqual(['subscription_cycle', 'subscription_create']);
    }
  });

  test('is saved with each thing that it runs: after an interruption it continues from there', async () => {
    const { clock, customer, subscription } = await subscribeOnClock();
    const change = emulator.database.change.bind(emulator.database);
    const stopped = vi.spyOn(emulator.database, 'change').mockImplementationOnce(change);
    stopped.mockRejectedValueOnce(new Error('stopped'));
    await expect(advance(customer, { months: 2 })).rejects.toThrow('stopped');
    stopped.mockRestore();
    expect(await stripe.testHelpers.testClocks.retrieve(clock)).toMatchObject({ frozen_time: addMonths(START, 1) });
    expect(await invoicesOf(subscription)).toHaveLength(2);
    await advance(customer, { months: 1 });
    expect(await invoicesOf(subscription)).toHaveLength(3);
  });

  test.each([
    ['2027-01-31', '2027-02-28 2027-03-31 2027-04-30'],
    ['2027-01-30', '2027-02-28 2027-03-31 2027-04-30'],
    ['2028-01-29', '2028-02-29 2028-03-31 2028-04-30'],
    ['2027-01-28', '2027-02-28 2027-03-31 2027-04-30'],
    ['2027-01-15', '2027-02-15 2027-03-15 2027-04-15'],
  ])('steps by a month from %s to %s, past one renewal each time', async (start, days) => {
    const { customer } = await subscribeOnClock(Date.parse(`${start}T10:00:00Z`) / 1000);
    for (const day of days.split(' ')) {
      const { now, events = [] } = (await advance(customer, { months: 1 })) ?? {};
      expect(now?.toISOString()).toBe(`${day}T10:00:00.000Z`);
      expect(events.filter(({ type }) => type === 'invoice.paid')).toHaveLength(1);
    }
  });

  test('cannot go back, and takes its customers with it when it is deleted', async () => {
    const { clock, customer, subscription } = await subscribeOnClock();
    const [{ id: invoice } = { id: '' }] = (await stripe.invoices.list({ subscription })).data;
    const back = stripe.testHelpers.testClocks.advance(clock, { frozen_time: START });
    await expect(back).rejects.toMatchObject({ param: 'frozen_time' });
    expect(await stripe.testHelpers.testClocks.del(clock)).toMatchObject({ deleted: true });
    await expect(stripe.customers.retrieve(customer)).rejects.toMatchObject({ code: 'resource_missing' });
    expect((await stripe.invoicePayments.list({ invoice })).data).toEqual([]);
  });
});
