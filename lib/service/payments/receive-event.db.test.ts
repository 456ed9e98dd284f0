import fc from 'fast-check';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { database } from '@/prisma/client.ts';
import { playHistory, stripeHistories } from '@/tests/property/stripe-histories.ts';
import { aKnownCustomer } from '@/tests/support/known-customer.ts';
import { aProgram } from '@/tests/support/program.ts';
import {
  chargeRefunded,
  dispute,
  inSequence,
  invoicePaid,
  invoicePaymentPaid,
  type Metadata,
  paymentIntentSucceeded,
  refundFailed,
  type StripeEvent,
  sessionCompleted,
  signatureOf,
  subscriptionSession,
} from '@/tests/support/stripe-events.ts';
import { unique } from '@/tests/support/unique.ts';
import { hashSecret } from '../api-key.ts';
import { listEvents } from '../dashboard/event-queries.ts';
import { findJourney } from '../dashboard/journey-queries.ts';
import { readEvents } from '../events/list-events.ts';
import type { Caller } from '../http/caller.ts';
import { createId } from '../ids.ts';
import type { EventEntry } from '../response-schemas.ts';
import { clickBody, eventsQuery, leadBody, saleBody } from '../schemas.ts';
import { recordClick } from '../track/record-click.ts';
import { recordLead } from '../track/record-lead.ts';
import { keepFact } from './fact-store.ts';
import { receivePaymentEvent } from './receive-event.ts';
import { recordSale } from './record-sale.ts';
import { readPaymentEvent } from './stripe-event.ts';

// What happens in a test happens on one day, also at midnight: its clock begins at yesterday's noon. One that is ahead would make
// the service forget the callers of the tests that count them.
const now = new Date(Date.now() - 86_400_000).setUTCHours(12, 0, 0, 0);
vi.useFakeTimers({ toFake: ['Date'], now, shouldAdvanceTime: true, advanceTimeDelta: 1 });
afterAll(() => void vi.useRealTimers());

const SECRET = process.env.SVC_STRIPE_WEBHOOK_SECRET ?? '';

const deliver = (event: StripeEvent) => deliverAt(new Date(), event);

function deliverAt(now: Date, event: StripeEvent) {
  const payload = JSON.stringify(event);
  return receivePaymentEvent(payload, signatureOf(payload, { key: SECRET }), now);
}

const from = (account: string, event: StripeEvent): StripeEvent => ({ ...event, account });

function permutations<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

describe('payment events', () => {
  test('a click’s window is measured at the payment, however late its event arrives', async () => {
    const { programId } = await aProgram({ attributionWindowDays: 1 });
    const { id: partnerId } = await database().partner.findFirstOrThrow({ where: { programId, code: 'ada' } });
    const clickedAt = 1_790_000_000;
    const outcomeOf = async (hoursLater: number) => {
      const click = { id: createId('clk'), programId, partnerId, affiliateUrl: 'https://shop.example/?aff=ada' };
      await database().click.create({ data: { ...click, createdAt: new Date(clickedAt * 1000) } });
      const metadata = { program_id: programId, svc_click_id: click.id, svc_customer_key: unique('user') };
      const event = { ...sessionCompleted({ metadata }), created: clickedAt + hoursLater * 3600 };
      return deliver(event);
    };
    expect(await outcomeOf(23)).toMatchObject({ body: { outcome: 'sale' } });
    expect(await outcomeOf(25)).toMatchObject({ body: { outcome: 'not_attributed', reason: 'unknown_click' } });
  });

  test('in each of their 24 orders, each delivered twice, end in one and the same state', async () => {
    const { programId, metadata } = await aKnownCustomer();
    const finals = [];
    for (const order of permutations([0, 1, 2, 3])) {
      const ids = { invoiceId: unique('in'), paymentIntentId: unique('pi'), chargeId: unique('ch') };
      const events = [
        invoicePaid({ metadata, ...ids }),
        invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId),
        chargeRefunded({ ...ids, refunded: 500 }),
        chargeRefunded({ ...ids, refunded: 1900 }),
      ];
      for (const index of order) {
        const event = events[index] as StripeEvent;
        expect(await deliver(event)).toMatchObject({ ok: true });
        expect(await deliver(event)).toMatchObject({ ok: true });
      }
      finals.push(await finalState(programId, ids.invoiceId));
    }
    const expected = { sales: [[1900, 1900]], feed: ['refund 1400', 'refund 500', 'sale 1900'] };
    expect([...new Set(finals.map((state) => JSON.stringify(state)))]).toEqual([JSON.stringify(expected)]);
    const days = await database().dailyAmount.findMany({ where: { programId } });
    expect(days).toMatchObject([{ salesCents: 24n * 1900n, refundedCents: 24n * 1900n }]);
  }, 60_000);

  test('a refund that failed counts from its first failure, in whatever order its events come', async () => {
    const { programId, metadata } = await aKnownCustomer();
    for (const order of permutations([0, 1, 2, 3])) {
      const ids = { invoiceId: unique('in'), paymentIntentId: unique('pi'), chargeId: unique('ch') };
      const failed = refundFailed({ ...ids, amount: 500 });
      const events = inSequence([
        chargeRefunded({ ...ids, refunded: 500 }), // it is sent,
        failed, // it fails,
        chargeRefunded({ ...ids, refunded: 500 }), // another one is sent,
        { ...failed, id: unique('evt'), type: 'refund.updated' }, // and the first one is edited
      ]);
      for (const event of [invoicePaid({ metadata, ...ids }), invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId)])
        await deliver(event);
      for (const index of order) expect(await deliver(events[index] as StripeEvent)).toMatchObject({ ok: true });
      expect([order, (await finalState(programId, ids.invoiceId)).sales]).toEqual([order, [[1_900, 500]]]);
    }
  }, 60_000);

  test('one that cannot be read is refused, so that Stripe sends it again, and is a sale once it can be read', async () => {
    const { programId, metadata } = await aKnownCustomer();
    const event = invoicePaid({ metadata });
    const odd = { ...event, data: { object: { ...event.data.object, amount_paid: 'ada@example.com' } } };
    const error = vi.spyOn(console, 'error').mockReturnValue();
    expect(await deliver(odd)).toMatchObject({ ok: false, code: 'invalid_body' });
    const line = `service: a payment event cannot be read event_id="${event.id}" type="invoice.paid" fields="amount_paid"`;
    expect(error.mock.calls).toEqual([[line]]);
    error.mockRestore();
    expect(await deliver(event)).toMatchObject({ body: { outcome: 'sale' } });
    expect(await database().sale.count({ where: { programId } })).toBe(1);
  });

  test('one that is signed and is no event at all is refused, too', async () => {
    const error = vi.spyOn(console, 'error').mockReturnValue();
    expect(await deliver({} as StripeEvent)).toMatchObject({ ok: false, code: 'invalid_body' });
    expect(error.mock.calls).toEqual([['service: a payment event cannot be read']]);
    error.mockRestore();
  });

  test('all at once end in the same state', async () => {
    const { programId, metadata } = await aKnownCustomer();
    const ids = { invoiceId: unique('in'), paymentIntentId: unique('pi'), chargeId: unique('ch') };
    const events = [
      invoicePaid({ metadata, ...ids }),
      invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId),
      chargeRefunded({ ...ids, refunded: 1900 }),
    ];
    await Promise.all([...events, ...events, ...events].map(deliver));
    expect(await finalState(programId, ids.invoiceId)).toEqual({
      sales: [[1900, 1900]],
      feed: ['refund 1900', 'sale 1900'],
    });
  });

  test('a payment that was not attributed is a sale when it is delivered again to a customer known by then', async () => {
    const { programId } = await aProgram();
    const customerKey = unique('user');
    const event = invoicePaid({ metadata: { program_id: programId, svc_customer_key: customerKey } });
    expect(await deliver(event)).toMatchObject({ body: { outcome: 'not_attributed', reason: 'unknown_customer' } });
    await settle(programId, customerKey);
    expect(await deliver(event)).toMatchObject({ body: { outcome: 'sale' } });
  });

  const settle = (programId: string, customerKey: string) =>
    database().lead.create({
      data: { id: createId('led'), programId, test: false, customerKey, settledBy: 'server', createdAt: new Date() },
    });
  /** What says of a program that payments were not attributed: the records, the feed, and the counts. */
  const unattributedOf = async (programId: string) => {
    const where = { programId };
    const days = await database().dailyCount.findMany({ where });
    return [
      await database().unattributedPayment.count({ where }),
      await database().trackingEvent.count({ where: { programId, kind: 'not_attributed' } }),
      days.reduce((sum, { unattributed }) => sum + unattributed, 0),
    ];
  };

  test('a payment that becomes a sale is no longer listed or counted as not attributed, and others are', async () => {
    const { programId, apiKey } = await aProgram();
    const [customerKey, paymentIntentId, invoiceId] = [unique('user'), unique('pi'), unique('in')];
    const metadata = { program_id: programId, svc_customer_key: customerKey };
    await deliver(invoicePaid({ metadata: { ...metadata, svc_customer_key: 'stranger' } }));
    await deliver(paymentIntentSucceeded({ metadata, paymentIntentId }));
    await deliver(subscriptionSession({ metadata, invoiceId }));
    expect(await unattributedOf(programId)).toEqual([3, 3, 3]);
    await settle(programId, customerKey);
    await deliver(invoicePaymentPaid(paymentIntentId, invoiceId)); // both keys are of one payment
    expect(await unattributedOf(programId)).toEqual([1, 1, 1]);
    await deliver(invoicePaid({ metadata, invoiceId }));
    expect(await unattributedOf(programId)).toEqual([1, 1, 1]);
    expect((await finalState(programId, invoiceId)).feed).toEqual(['sale 1900']);

    const transactionId = unique('in'); // reported by path B afterwards
    await deliver(invoicePaid({ metadata: { ...metadata, svc_customer_key: 'other' }, invoiceId: transactionId }));
    expect(await unattributedOf(programId)).toEqual([2, 2, 2]);
    const sale = { customer_key: customerKey, amount_cents: 1_900, transaction_id: transactionId };
    await recordSale(saleBody.parse(sale), {
      credentials: { mode: 'server', keyHash: hashSecret(apiKey) },
      address: 'test',
      now: new Date(),
    });
    expect(await unattributedOf(programId)).toEqual([1, 1, 1]);
  });

  const keptOf = async (programId: string) => {
    const feed = await database().trackingEvent.findMany({ where: { programId, kind: 'not_attributed' } });
    return feed.map(({ transactionId, reason, amountCents, occurredAt }) => [
      ...[transactionId, reason, Number(amountCents)],
      occurredAt?.getTime(),
    ]);
  };

  test('a payment that is not attributed is kept once, with its latest amount and day, in each order of its events', async () => {
    const { programId } = await aProgram();
    const metadata = { program_id: programId, svc_customer_key: unique('user') };
    const midnight = new Date(now).setUTCHours(0, 0, 0, 0);
    const at = (time: number, event: StripeEvent) => ({ ...event, created: time / 1000 });
    const [before, after] = [midnight - 1_000, midnight + 1_000];
    const orders = permutations([0, 1, 2, 3]);
    const some = orders.filter((_, index) => index % 4 === 0);
    const run = async (orders: number[][], send: (events: StripeEvent[], order: number[]) => Promise<unknown>) => {
      for (const order of orders) {
        const ids = { invoiceId: unique('in'), paymentIntentId: unique('pi') };
        const events = [
          at(before, paymentIntentSucceeded({ metadata, ...ids, amount: 2_261 })), // knows no tax
          at(before, subscriptionSession({ metadata, ...ids, amount: 1_900, tax: 361 })),
          at(after, invoicePaid({ metadata, ...ids, amount: 1_900, tax: 361 })),
          invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId),
        ];
        await send(events, order);
        const kept = (await keptOf(programId)).filter(([id]) => Object.values(ids).includes(id as string));
        expect(kept, order.join()).toEqual([[ids.invoiceId, 'unknown_customer', 1_900, after]]);
      }
    };
    await run(orders, async (events, order) => {
      for (const index of order) await deliver(events[index] as StripeEvent);
    });
    await run(some, (events, order) => Promise.all(order.map((index) => deliver(events[index] as StripeEvent))));
    expect(await unattributedOf(programId)).toEqual(Array(3).fill(orders.length + some.length));
  }, 60_000);

  test('it is not kept where its invoice was paid from credit, in either order', async () => {
    const { programId } = await aProgram();
    const metadata = { program_id: programId, svc_customer_key: unique('user') };
    for (const order of permutations([0, 1])) {
      const invoiceId = unique('in');
      const credit = invoicePaid({ metadata, invoiceId }, { amount_paid: 0 });
      const events = [subscriptionSession({ metadata, invoiceId }), credit];
      for (const index of order) await deliver(events[index] as StripeEvent);
      expect(await unattributedOf(programId)).toEqual([0, 0, 0]);
    }
  });

  test('its reason is that of its latest event, and a repeat changes nothing', async () => {
    const { programId } = await aProgram({ payments: null });
    const where = { id: programId };
    const event = invoicePaid({ metadata: { program_id: programId, svc_customer_key: unique('user') } });
    const connect = (paymentMode: 'live' | 'test') =>
      database().program.update({ where, data: { paymentAccountId: 'acct_demo', paymentMode } });
    const reasons = [];
    for (const change of [() => {}, () => connect('live'), () => connect('test')]) {
      await change();
      await deliver(event);
      const before = await database().trackingEvent.findMany({ where: { programId } });
      await deliver(event);
      expect(await database().trackingEvent.findMany({ where: { programId } })).toEqual(before);
      expect(await unattributedOf(programId)).toEqual([1, 1, 1]);
      reasons.push(...(await keptOf(programId)).map(([, reason]) => reason));
    }
    expect(reasons).toEqual(['no_payment_account', 'mode_mismatch', 'unknown_customer']);
  });

  test('so it is where no account is connected, and path B reports the payment', async () => {
    const { programId, apiKey, customerKey, metadata } = await aKnownCustomer({ payments: null });
    const ids = { paymentIntentId: unique('pi'), invoiceId: unique('in') };
    await deliver(paymentIntentSucceeded({ metadata, ...ids }));
    await deliver(invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId));
    expect(await unattributedOf(programId)).toEqual([1, 1, 1]);
    const sale = { customer_key: customerKey, amount_cents: 1_900, transaction_id: ids.invoiceId };
    const credentials = { mode: 'server' as const, keyHash: hashSecret(apiKey) };
    await recordSale(saleBody.parse(sale), { credentials, address: 'test', now: new Date() });
    expect(await unattributedOf(programId)).toEqual([0, 0, 0]);
    expect(await database().sale.count({ where: { programId } })).toBe(1);
  });

  test('so it is where path B reports the payment under a key that joins it later', async () => {
    const { programId, apiKey, customerKey, metadata } = await aKnownCustomer({ payments: null });
    const ids = { paymentIntentId: unique('pi'), invoiceId: unique('in') };
    await deliver(invoicePaid({ metadata, ...ids }));
    expect(await unattributedOf(programId)).toEqual([1, 1, 1]);
    const sale = { customer_key: customerKey, amount_cents: 1_900, transaction_id: ids.paymentIntentId };
    const credentials = { mode: 'server' as const, keyHash: hashSecret(apiKey) };
    await recordSale(saleBody.parse(sale), { credentials, address: 'test', now: new Date() });
    await deliver(invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId));
    expect(await unattributedOf(programId)).toEqual([0, 0, 0]);
    expect(await database().sale.count({ where: { programId } })).toBe(1);
  });

  test('so it is where the lead settles while the events of the payment arrive', async () => {
    const { programId } = await aProgram();
    const payments = Array.from({ length: 8 }, () => ({ customerKey: unique('user'), invoiceId: unique('in') }));
    await Promise.all(
      payments.flatMap(({ customerKey, invoiceId }) => {
        const metadata = { program_id: programId, svc_customer_key: customerKey };
        const [session, invoice] = [subscriptionSession({ metadata, invoiceId }), invoicePaid({ metadata, invoiceId })];
        return [deliver(session), deliver(invoice), settle(programId, customerKey), deliver(session), deliver(invoice)];
      }),
    );
    for (const { customerKey, invoiceId } of payments) {
      await deliver(invoicePaid({ metadata: { program_id: programId, svc_customer_key: customerKey }, invoiceId }));
    }
    expect(await database().sale.count({ where: { programId } })).toBe(payments.length);
    expect(await unattributedOf(programId)).toEqual([0, 0, 0]);
  });

  test('a refund of a payment that was not attributed makes no sale of it, whatever is known by then', async () => {
    const { programId } = await aProgram();
    const customerKey = unique('user');
    const ids = { invoiceId: unique('in'), paymentIntentId: unique('pi'), chargeId: unique('ch') };
    const payment = invoicePaid({ metadata: { program_id: programId, svc_customer_key: customerKey }, ...ids });
    expect(await deliver(payment)).toMatchObject({ body: { outcome: 'not_attributed', reason: 'unknown_customer' } });
    await deliver(invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId));
    await settle(programId, customerKey);
    expect(await deliver(chargeRefunded({ ...ids, refunded: 500 }))).toMatchObject({ body: { outcome: 'refund' } });
    expect(await database().sale.count({ where: { programId } })).toBe(0);
    expect(await deliver(payment)).toMatchObject({ body: { outcome: 'sale' } });
    expect(await database().sale.findFirstOrThrow({ where: { programId } })).toMatchObject({ refundedCents: 500n });
  });

  test('§4: a renewal whose subscription has no metadata is kept beside the sales of that subscription', async () => {
    const { programId, metadata } = await aKnownCustomer();
    const subscription = unique('sub');
    const of = (metadata: Record<string, string>) => ({ parent: { subscription_details: { metadata, subscription } } });
    await deliver(invoicePaid({ metadata }, of(metadata)));
    const renewal = invoicePaid({ metadata: {} }, of({}));
    const kept = { body: { outcome: 'not_attributed', reason: 'no_attribution' } };
    expect(await deliver(renewal)).toMatchObject(kept);
    expect(await deliver(renewal)).toMatchObject(kept);
    const feed = await database().trackingEvent.findMany({ where: { programId, kind: 'not_attributed' } });
    expect(feed).toMatchObject([
      { customerKey: metadata.svc_customer_key, reason: 'no_attribution', amountCents: 1900n },
    ]);
    expect(await database().sale.count({ where: { programId } })).toBe(1);
  });

  test('one whose metadata names a customer and no program is kept there too, with that reason', async () => {
    const { programId, metadata } = await aKnownCustomer();
    const subscription = unique('sub');
    const of = (metadata: Metadata) => ({ parent: { subscription_details: { metadata, subscription } } });
    await deliver(invoicePaid({ metadata }, of(metadata)));
    for (const named of [{ svc_customer_key: unique('user') }, { svc_click_id: 'clk_1' }]) {
      const renewal = invoicePaid({ metadata: {} }, { metadata: named, ...of({}) });
      expect(await deliver(renewal)).toMatchObject({ body: { outcome: 'not_attributed', reason: 'no_program' } });
    }
    const feed = await database().trackingEvent.findMany({ where: { programId, kind: 'not_attributed' } });
    const kept = { customerKey: metadata.svc_customer_key, reason: 'no_program' };
    expect(feed).toMatchObject([kept, kept]);
  });

  test('a bank debit counts on the day it is paid, not on the day the session is completed', async () => {
    const { programId, metadata } = await aKnownCustomer();
    const session = sessionCompleted({ metadata }, { payment_status: 'unpaid' });
    const paid = { ...session.data.object, payment_status: 'paid' };
    const at = (day: string) => Date.parse(day) / 1000;
    await deliver({ ...session, created: at('2025-03-01') });
    expect(await database().sale.count({ where: { programId } })).toBe(0);
    const type = 'checkout.session.async_payment_succeeded';
    await deliver({ ...session, id: unique('evt'), type, created: at('2025-03-05'), data: { object: paid } });
    const sales = await database().sale.findMany({ where: { programId } });
    expect(sales.map(({ occurredAt }) => occurredAt)).toEqual([new Date('2025-03-05')]);
    expect(await totalsByDay(programId)).toMatchObject([{ day: '2025-03-05', sales: 1n }]);
  });

  test('§3: a payment settles the provisional lead of its click, and the totals count it once', async () => {
    const { programId } = await aProgram();
    const visitor: Caller = { credentials: { mode: 'browser' }, address: unique('a'), now: new Date() };
    const customer_key = unique('user');
    const link = { program_id: programId, affiliate_url: 'https://shop.example/?aff=ada' };
    const click = await recordClick(clickBody.parse(link), visitor);
    const { click_id } = (click.ok ? click.body : {}) as { click_id?: string };
    await recordLead(leadBody.parse({ program_id: programId, customer_key, click_id }), visitor);
    const days = () => database().dailyCount.findMany({ where: { programId } });
    expect(await days()).toMatchObject([{ provisional: 1, provisionalSettled: 0, leads: 0, sales: 0 }]);
    const metadata = { program_id: programId, svc_click_id: click_id ?? '', svc_customer_key: customer_key };
    for (let payment = 0; payment < 2; payment++) await deliver(paymentIntentSucceeded({ metadata }));
    expect(await days()).toMatchObject([{ provisional: 1, provisionalSettled: 1, leads: 1, sales: 2 }]);
    const kinds = (await findJourney(programId, click_id ?? ''))?.nodes.flatMap(({ event }) => event?.kind ?? []);
    // Stripe's times are whole seconds: the payment may have been made before its click.
    expect(kinds?.filter((kind) => kind === 'lead' || kind === 'sale')).toEqual(['lead', 'sale', 'sale']);
  });

  type Paid = { metadata: Metadata; invoiceId: string; paymentIntentId: string };
  test.each([
    ['is moved to the next day', (paid: Paid) => [invoicePaid(paid)], [[1_900, 0]]],
    [
      'is refunded in full',
      (paid: Paid) => [
        invoicePaymentPaid(paid.paymentIntentId, paid.invoiceId),
        chargeRefunded({ ...paid, refunded: 1_900 }),
      ],
      [[1_900, 1_900]],
    ],
    ['turns out to be none', (paid: Paid) => [invoicePaid(paid, { amount_paid: 0 })], []],
  ])('a lead that a payment settled stays, on its day, where the sale %s', async (_, later, sales) => {
    const { programId } = await aProgram();
    const { id: partnerId } = await database().partner.findFirstOrThrow({ where: { programId, code: 'ada' } });
    const [clickId, midnight] = [createId('clk'), new Date(now).setUTCHours(0, 0, 0, 0) / 1000];
    const createdAt = new Date((midnight - 60) * 1000);
    await database().click.create({ data: { id: clickId, programId, partnerId, affiliateUrl: '', createdAt } });
    const metadata = { program_id: programId, svc_click_id: clickId, svc_customer_key: unique('user') };
    const paid = { metadata, invoiceId: unique('in'), paymentIntentId: unique('pi') };
    await deliver({ ...subscriptionSession(paid), created: midnight - 1 });
    for (const event of later(paid)) await deliver({ ...event, created: midnight + 1 });
    expect((await finalState(programId, paid.invoiceId)).sales).toEqual(sales);
    const leads = await database().trackingEvent.findMany({ where: { programId, kind: 'lead' } });
    expect(leads).toMatchObject([{ occurredAt: new Date((midnight - 1) * 1000) }]);
    expect(await database().lead.findFirst({ where: { programId } })).toMatchObject({ settledBy: 'payment' });
  });

  test('a payment that is delivered late is shown when it happened', async () => {
    const { programId, metadata } = await aKnownCustomer();
    const renewal = { ...invoicePaid({ metadata, invoiceId: unique('in') }), created: Date.parse('2025-12-24') / 1000 };
    expect(await deliver(renewal)).toMatchObject({ ok: true });
    const { events } = await listEvents(programId, { cursor: undefined });
    expect(events).toMatchObject([{ occurredAt: new Date('2025-12-24') }]);
  });

  test('the events of a payment lie on both sides of midnight: its day is the same in either order', async () => {
    const [before, after] = [new Date('2025-05-01T23:59:59Z'), new Date('2025-05-02T00:00:01Z')];
    for (const isPaymentFirst of [true, false]) {
      const { programId, metadata } = await aKnownCustomer();
      const ids = { invoiceId: unique('in'), paymentIntentId: unique('pi') };
      const events = [
        { ...paymentIntentSucceeded({ metadata, ...ids }), created: before.getTime() / 1000 },
        { ...invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId), created: before.getTime() / 1000 },
        { ...invoicePaid({ metadata, ...ids }), created: after.getTime() / 1000 },
      ];
      for (const event of isPaymentFirst ? events : events.toReversed()) await deliver(event);
      const { events: entries } = await listEvents(programId, { cursor: undefined });
      expect(entries).toMatchObject([{ kind: 'sale', occurredAt: after }]);
      // Where the payment came first, what it had counted on its own day is taken back there.
      const counts = await database().lateCount.findMany({ where: { programId, sales: { not: 0 } } });
      expect(counts).toMatchObject([{ day: new Date('2025-05-02'), sales: 1 }]);
      const amounts = await database().lateAmount.findMany({ where: { programId, salesCents: { not: 0 } } });
      expect(amounts).toMatchObject([{ day: new Date('2025-05-02') }]);
    }
  });

  test.each(['a\0b', 'a\ud83d'])(
    'a click ID that cannot be stored (%j) is an unknown one, and costs no sale',
    async (odd) => {
      vi.spyOn(console, 'warn').mockReturnValue();
      const { metadata } = await aKnownCustomer();
      const tampered = { ...metadata, svc_click_id: odd };
      expect(await deliver(invoicePaid({ metadata: tampered }))).toMatchObject({ body: { outcome: 'sale' } });
      const stranger = { ...tampered, svc_customer_key: unique('user') };
      expect(await deliver(invoicePaid({ metadata: stranger }))).toMatchObject({ body: { reason: 'unknown_click' } });
      vi.restoreAllMocks();
    },
  );

  test('no payload is kept, and no email', async () => {
    const { metadata } = await aKnownCustomer();
    const invoiceId = unique('in');
    await deliver(invoicePaid({ metadata, invoiceId }, { customer_email: 'ada@example.com' }));
    const kept = await database().paymentFact.findMany({ where: { invoiceId } });
    expect(kept).toHaveLength(1);
    expect(JSON.stringify(kept)).not.toContain('ada@example.com');
  });

  test('random Stripe histories, shuffled, doubled and in parallel, leave one sale with the sums of the books', async () => {
    const { programId, metadata } = await aKnownCustomer();
    const expected = { sales: 0n, refunded: 0n };
    await fc.assert(
      fc.asyncProperty(stripeHistories, async (history) => {
        const { events, books } = playHistory(history, metadata);
        for (let at = 0; at < events.length; at += 2) await Promise.all(events.slice(at, at + 2).map(deliver));
        const { sales, feed } = await finalState(programId, books.transactionId);
        expect(sales).toEqual(books.amountCents === 0 ? [] : [[books.amountCents, books.refundedCents]]);
        expect(feed.filter((entry) => /^(sale|renewal)/.test(entry))).toHaveLength(sales.length);
        expected.sales += BigInt(books.amountCents);
        expected.refunded += BigInt(books.refundedCents);
      }),
      { numRuns: 40 },
    );
    const totals = await totalsByDay(programId);
    const sum = (read: (day: (typeof totals)[number]) => bigint) => totals.reduce((all, day) => all + read(day), 0n);
    expect(sum(({ sold }) => sold)).toBe(expected.sales);
    expect(sum(({ refunded }) => refunded)).toBe(expected.refunded);
    expect(totals).toEqual(await feedByDay(programId));
  }, 120_000);
});

describe('one payment is one sale', () => {
  const states = async (programId: string) => ({
    sales: (await database().sale.findMany({ where: { programId } })).map((sale) => [
      sale.transactionId,
      Number(sale.amountCents),
      Number(sale.refundedCents),
    ]),
    feed: (await database().trackingEvent.findMany({ where: { programId } }))
      .map(({ kind, transactionId, amountCents }) => `${kind} ${transactionId} ${amountCents}`)
      .sort(),
    days: (await database().dailyCount.findMany({ where: { programId } })).map(({ sales, renewals, refunds }) => [
      sales,
      renewals,
      refunds,
    ]),
  });

  test('a PaymentIntent is restated by its session, which knows the tax, and by its invoice, which is its key', async () => {
    const { programId, metadata } = await aKnownCustomer();
    const ids = { paymentIntentId: unique('pi'), invoiceId: unique('in') };
    const { paymentIntentId, invoiceId } = ids;
    await deliver(paymentIntentSucceeded({ metadata, paymentIntentId, amount: 2_261 }));
    expect((await states(programId)).sales).toEqual([[paymentIntentId, 2_261, 0]]);
    await deliver(sessionCompleted({ metadata, paymentIntentId, amount: 1_900, tax: 361 }));
    expect((await states(programId)).sales).toEqual([[paymentIntentId, 1_900, 0]]);
    await deliver(invoicePaymentPaid(paymentIntentId, invoiceId));
    expect(await states(programId)).toEqual({
      sales: [[invoiceId, 1_900, 0]],
      feed: [`sale ${invoiceId} 1900`],
      days: [[1, 0, 0]],
    });
  });

  test('a PaymentIntent turns out to be a renewal', async () => {
    const { programId, metadata } = await aKnownCustomer();
    const ids = { paymentIntentId: unique('pi'), invoiceId: unique('in') };
    await deliver(paymentIntentSucceeded({ metadata, paymentIntentId: ids.paymentIntentId, amount: 1_900 }));
    await deliver(invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId));
    await deliver(invoicePaid({ metadata, ...ids }, { billing_reason: 'subscription_cycle' }));
    const [sale] = await database().sale.findMany({ where: { programId } });
    expect(sale).toMatchObject({ isRecurring: true, subscriptionId: expect.any(String), transactionId: ids.invoiceId });
    expect(await states(programId)).toMatchObject({ feed: [`renewal ${ids.invoiceId} 1900`], days: [[1, 1, 0]] });
  });

  test('a session whose invoice was paid from credit is no sale, in either order', async () => {
    for (const order of [0, 1]) {
      const { programId, metadata } = await aKnownCustomer();
      const invoiceId = unique('in');
      const events = [
        sessionCompleted({ metadata, invoiceId, amount: 1_900 }, { payment_intent: null }),
        invoicePaid({ metadata, invoiceId }, { amount_paid: 0, billing_reason: 'subscription_cycle' }),
      ];
      for (const event of order ? events : events.toReversed()) await deliver(event);
      expect((await states(programId)).sales).toEqual([]);
      expect((await states(programId)).feed).toEqual([]);
      expect((await states(programId)).days.flat().every((count) => count === 0)).toBe(true);
    }
  });

  const reportSale = (program: { apiKey: string; customerKey: string }, transaction_id: string) =>
    recordSale(saleBody.parse({ customer_key: program.customerKey, amount_cents: 1_900, transaction_id }), {
      credentials: { mode: 'server', keyHash: hashSecret(program.apiKey) },
      address: 'test',
      now: new Date(),
    });

  test('a sale of path B under another key of the payment is 409, or replaced by nothing', async () => {
    const program = await aKnownCustomer();
    const ids = { paymentIntentId: unique('pi'), invoiceId: unique('in') };
    await deliver(invoicePaid({ metadata: program.metadata, ...ids }));
    await deliver(invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId));
    expect(await reportSale(program, ids.paymentIntentId)).toMatchObject({ code: 'duplicate_transaction' });
    expect((await states(program.programId)).sales).toEqual([[ids.invoiceId, 1_900, 0]]);
  });

  test('a payment that is a sale already writes nothing to the totals, on its own day or on another', async () => {
    const program = await aKnownCustomer();
    const { programId, metadata } = program;
    const [paid, reported] = [invoicePaid({ metadata }), unique('in')];
    await deliver(paid);
    await reportSale(program, reported);
    const rows = () => database().$queryRaw`
      SELECT 'daily' AS kind, day, sales, xmin::text FROM service_daily_counts WHERE program_id = ${programId}
      UNION ALL SELECT 'late', day, sales, xmin::text FROM service_late_counts WHERE program_id = ${programId}`;
    const before = await rows();
    expect(before).toMatchObject([{ kind: 'daily', sales: 2 }]);
    expect(await deliver(paid)).toMatchObject({ body: { outcome: 'known_sale' } });
    const late = { ...invoicePaid({ metadata, invoiceId: reported }), created: Date.parse('2025-12-24') / 1000 };
    expect(await deliver(late)).toMatchObject({ body: { outcome: 'known_sale' } });
    expect(await rows()).toEqual(before);
  });

  test('two sales that a later link shows to be one payment become one', async () => {
    const program = await aKnownCustomer();
    const ids = { paymentIntentId: unique('pi'), invoiceId: unique('in') };
    await deliver(paymentIntentSucceeded({ metadata: program.metadata, ...ids, amount: 1_900 }));
    await deliver(chargeRefunded({ ...ids, refunded: 500 }));
    expect(await reportSale(program, ids.invoiceId)).toMatchObject({ ok: true });
    await deliver(invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId));
    expect(await states(program.programId)).toEqual({
      sales: [[ids.invoiceId, 1_900, 500]],
      feed: [`refund ${ids.invoiceId} 500`, `sale ${ids.invoiceId} 1900`],
      days: [[1, 0, 1]],
    });
  });

  /** One PaymentIntent of 4,000 that pays an invoice of 1,900 and one of 2,100. */
  const sharedIntent = ({ metadata }: { metadata: Metadata }) => {
    const [first, second] = [unique('in_a'), unique('in_b')];
    const paymentIntentId = unique('pi');
    const events = {
      paid: paymentIntentSucceeded({ metadata, paymentIntentId, amount: 4_000 }),
      links: [invoicePaymentPaid(paymentIntentId, first), invoicePaymentPaid(paymentIntentId, second)] as const,
      invoices: [
        invoicePaid({ metadata, invoiceId: first, amount: 1_900 }),
        invoicePaid({ metadata, invoiceId: second, amount: 2_100 }),
      ] as const,
      refund: chargeRefunded({ paymentIntentId, charged: 4_000, refunded: 1_000 }),
    };
    const expected = {
      sales: [
        [first, 1_900, 475],
        [second, 2_100, 525],
      ],
      feed: [`refund ${first} 475`, `refund ${second} 525`, `sale ${first} 1900`, `sale ${second} 2100`],
      days: [[2, 0, 2]],
    };
    return { first, second, events, expected };
  };
  const inOrderOfKeys = async (programId: string) => {
    const { sales, ...rest } = await states(programId);
    return { ...rest, sales: sales.sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)) };
  };

  test('two invoices that one PaymentIntent pays are two sales, which a refund lowers in proportion, in any order', async () => {
    const orders = permutations([0, 1, 2, 3, 4, 5]).filter((_, index) => index % 37 === 0);
    for (const order of orders) {
      const program = await aKnownCustomer();
      const { events, expected } = sharedIntent(program);
      const all = [events.paid, ...events.links, ...events.invoices, events.refund];
      for (const index of order) await deliver(all[index] as StripeEvent);
      expect(await inOrderOfKeys(program.programId), order.join()).toEqual(expected);
      expect(await totalsByDay(program.programId)).toEqual(await feedByDay(program.programId));
    }
  });

  test('they are two sales where their events arrive all at once, too', async () => {
    const program = await aKnownCustomer();
    const { events, expected } = sharedIntent(program);
    const all = [events.refund, ...events.invoices, ...events.links, events.paid];
    await Promise.all([...all, ...all, ...all].map(deliver));
    expect(await inOrderOfKeys(program.programId)).toEqual(expected);
    expect(await totalsByDay(program.programId)).toEqual(await feedByDay(program.programId));
  });

  test('they are two sales where the last event finds only the sale of the PaymentIntent and all the facts', async () => {
    const program = await aKnownCustomer();
    const { events, expected } = sharedIntent(program);
    await deliver(events.paid);
    // Kept by processes that ended before they had decided.
    for (const event of [...events.links, events.invoices[0], events.refund]) {
      const read = readPaymentEvent(event);
      if (read && 'rank' in read.fact) await keepFact(read.fact, '', read.livemode, new Date());
    }
    await deliver(events.invoices[1]);
    expect(await inOrderOfKeys(program.programId)).toEqual(expected);
  });

  test('where only one of them is attributed, the other one stays listed as not attributed', async () => {
    const program = await aKnownCustomer();
    const { first, second, events } = sharedIntent(program);
    const stranger = { ...program.metadata, svc_customer_key: unique('user') };
    await deliver(invoicePaid({ metadata: stranger, invoiceId: second, amount: 2_100 }));
    for (const event of [...events.links, events.invoices[0], events.refund]) await deliver(event);
    expect(await states(program.programId)).toMatchObject({
      sales: [[first, 1_900, 475]],
      feed: [`not_attributed ${second} 2100`, `refund ${first} 475`, `sale ${first} 1900`],
    });
  });

  test('path B reports both of them, whatever is known of them by then', async () => {
    for (const known of [[], [0], [1], [0, 1]]) {
      const program = await aKnownCustomer();
      const { first, second, events } = sharedIntent({ metadata: {} });
      const invoices = (isKnown: boolean) => events.invoices.filter((_, index) => known.includes(index) === isKnown);
      for (const event of [events.paid, ...events.links, ...invoices(true)]) await deliver(event);
      for (const key of [first, second]) expect(await reportSale(program, key)).toMatchObject({ ok: true });
      for (const event of [...invoices(false), events.refund]) await deliver(event);
      expect((await inOrderOfKeys(program.programId)).sales).toEqual([
        [first, 1_900, 475],
        [second, 1_900, 475],
      ]);
    }
  });

  test('a sale of path B is one with the sale of the same payment from before the account had a name', async () => {
    const program = await aKnownCustomer();
    const { programId, metadata } = program;
    await database().program.update({ where: { id: programId }, data: { paymentAccountId: null } });
    const ids = { paymentIntentId: unique('pi'), invoiceId: unique('in') };
    await deliver(invoicePaid({ metadata, ...ids }));
    await deliver(invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId));
    await database().program.update({ where: { id: programId }, data: { paymentAccountId: 'acct_demo' } });
    expect(await reportSale(program, ids.paymentIntentId)).toMatchObject({ code: 'duplicate_transaction' });
    expect((await states(programId)).sales).toEqual([[ids.invoiceId, 1_900, 0]]);
  });

  test.each([1, 2])(
    'a payment whose invoice path B reported before an account was connected is that sale, delivered %i times',
    async (times) => {
      const program = await aKnownCustomer({ payments: null });
      const { programId, metadata } = program;
      const ids = { paymentIntentId: unique('pi'), invoiceId: unique('in') };
      await reportSale(program, ids.invoiceId);
      await database().program.update({ where: { id: programId }, data: { paymentMode: 'test' } });
      const events = [
        paymentIntentSucceeded({ metadata, ...ids, amount: 1_900 }),
        chargeRefunded({ ...ids, refunded: 500 }),
        invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId),
        invoicePaid({ metadata, ...ids }),
      ];
      for (const event of Array(times).fill(events).flat()) expect(await deliver(event)).toMatchObject({ ok: true });
      expect(await states(programId)).toEqual({
        sales: [[ids.invoiceId, 1_900, 0]],
        feed: [`sale ${ids.invoiceId} 1900`],
        days: [[1, 0, 0]],
      });
      expect(await totalsByDay(programId)).toMatchObject([{ sales: 1n, sold: 1_900n, refunds: 0n, refunded: 0n }]);
    },
  );

  test('new sales and refunds of the same day do not block each other', async () => {
    const program = await aKnownCustomer();
    const { programId, metadata } = program;
    const paid = Array.from({ length: 20 }, () => unique('pi'));
    for (const paymentIntentId of paid)
      await deliver(paymentIntentSucceeded({ metadata, paymentIntentId, amount: 1_900 }));
    const answers = await Promise.all(
      paid.flatMap((paymentIntentId) => [
        deliver(chargeRefunded({ paymentIntentId, refunded: 500 })),
        deliver(paymentIntentSucceeded({ metadata, amount: 1_900 })),
        reportSale(program, unique('in')),
      ]),
    );
    for (const answer of answers) expect(answer).toMatchObject({ ok: true });
    expect(await totalsByDay(programId)).toMatchObject([{ sales: 60n, refunds: 20n, refunded: 10_000n }]);
  });

  test('a crash between a sale of path B and its waiting refund loses nothing: the retry is 409 and applies it', async () => {
    const program = await aKnownCustomer();
    const paymentIntentId = unique('pi');
    await reportSale(program, paymentIntentId);
    // What the crash left: the refund is kept, the sale does not know of it.
    await deliver(chargeRefunded({ paymentIntentId, refunded: 500 }));
    const { programId } = program;
    await database().sale.updateMany({ where: { programId }, data: { refundedCents: 0 } });
    await database().trackingEvent.deleteMany({ where: { programId, kind: 'refund' } });
    expect(await reportSale(program, paymentIntentId)).toMatchObject({ code: 'duplicate_transaction' });
    expect((await states(programId)).sales).toEqual([[paymentIntentId, 1_900, 500]]);
    expect((await states(programId)).feed).toContain(`refund ${paymentIntentId} 500`);
  });

  test.each([
    ["the endpoint's own account", (refund: StripeEvent) => refund, 500],
    ['the connected account', (refund: StripeEvent) => from('acct_demo', refund), 500],
    ['another account', (refund: StripeEvent) => from('acct_other', refund), 0],
  ])('a refund that waits for its sale of path B, from %s', async (_, sent, refunded) => {
    const program = await aKnownCustomer();
    const paymentIntentId = unique('pi');
    await deliver(sent(chargeRefunded({ paymentIntentId, refunded: 500 })));
    expect(await reportSale(program, paymentIntentId)).toMatchObject({ ok: true });
    expect(await states(program.programId)).toEqual({
      sales: [[paymentIntentId, 1_900, refunded]],
      feed: [...(refunded ? [`refund ${paymentIntentId} ${refunded}`] : []), `sale ${paymentIntentId} 1900`],
      days: [[1, 0, refunded ? 1 : 0]],
    });
  });

  test('a dispute shows while it is open, and lowers the sale when it is lost', async () => {
    const { programId, metadata } = await aKnownCustomer();
    const ids = { paymentIntentId: unique('pi'), disputeId: unique('dp') };
    await deliver(paymentIntentSucceeded({ metadata, ...ids, amount: 1_900 }));
    const entries = () =>
      database().trackingEvent.findMany({
        where: { programId, kind: 'refund' },
        select: { reason: true, amountCents: true },
      });
    await deliver(dispute('needs_response', ids));
    expect(await entries()).toEqual([{ reason: 'dispute_open', amountCents: null }]);
    expect(await states(programId)).toMatchObject({ sales: [[ids.paymentIntentId, 1_900, 0]], days: [[1, 0, 0]] });
    await deliver(dispute('lost', ids));
    expect(await entries()).toEqual([{ reason: 'dispute_lost', amountCents: 1_900n }]);
    expect(await states(programId)).toMatchObject({ sales: [[ids.paymentIntentId, 1_900, 1_900]], days: [[1, 0, 1]] });
  });

  test('a reader of the events API, newest first until a known ID, sees each state of a dispute and all in between', async () => {
    const { programId, apiKey, metadata } = await aKnownCustomer();
    const ids = { paymentIntentId: unique('pi'), disputeId: unique('dp') };
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const credentials = { mode: 'server' as const, keyHash: hashSecret(apiKey) };
    const readPage = async (cursor: string | null, limit = 2) => {
      const query = eventsQuery.parse({ limit, ...(cursor && { cursor }) });
      const page = await readEvents(query, { credentials, address: 'test', now: new Date() });
      if ('code' in page) throw new Error(page.code);
      return page.body as { data: EventEntry[]; next_cursor: string | null };
    };
    const known = new Set<string>();
    const readNew = async () => {
      const found: EventEntry[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await readPage(cursor ?? null);
        const knownAt = page.data.findIndex(({ id }) => known.has(id));
        found.push(...page.data.slice(0, knownAt < 0 ? undefined : knownAt));
        cursor = knownAt < 0 ? page.next_cursor : null;
      }
      for (const { id } of found) known.add(id);
      return found.map(({ kind, reason, amount_cents }) => [reason ?? kind, amount_cents]);
    };
    const pay = (days: number) =>
      deliverAt(inDays(days), paymentIntentSucceeded({ metadata, ...(days === 0 && ids), amount: 1_900 }));
    const states = [dispute('needs_response', ids), dispute('lost', ids), dispute('won', ids)];
    const [opened, lost, won] = inSequence(states) as [StripeEvent, StripeEvent, StripeEvent];
    const sale = ['sale', 1_900];
    await pay(0);
    await deliverAt(inDays(1), opened);
    expect(await readNew()).toEqual([['dispute_open', undefined], sale]);
    await pay(2);
    await deliverAt(inDays(60), lost);
    expect(await readNew()).toEqual([['dispute_lost', 1_900], sale]);

    const { next_cursor } = await readPage(null, 1);
    await pay(61);
    await deliverAt(inDays(90), won);
    expect(await readNew()).toEqual([['dispute_won', undefined], sale]);
    // A reader that was paging continues where its page ended.
    expect((await readPage(next_cursor, 10)).data.map(({ kind }) => kind)).toEqual(['sale', 'sale']);
    expect(await database().trackingEvent.count({ where: { programId, kind: 'refund' } })).toBe(1);
    expect(await readNew()).toEqual([]);
    await deliverAt(inDays(91), won); // a repeat
    expect(await readNew()).toEqual([]);
  });

  test('a lost dispute that is won on appeal gives the sale back, whichever of its events comes last', async () => {
    for (const order of permutations([0, 1, 2])) {
      const { programId, metadata } = await aKnownCustomer();
      const ids = { paymentIntentId: unique('pi'), disputeId: unique('dp') };
      await deliver(paymentIntentSucceeded({ metadata, ...ids, amount: 1_900 }));
      const events = inSequence([dispute('needs_response', ids), dispute('lost', ids), dispute('won', ids)]);
      for (const index of order) await deliver(events[index] as StripeEvent);
      const { sales, days } = await states(programId);
      expect(sales).toEqual([[ids.paymentIntentId, 1_900, 0]]);
      expect(days.map(([, , refunds]) => refunds).every((refunds) => refunds === 0)).toBe(true);
    }
  });
});

describe('each program for itself', () => {
  test('two programs that hold the same invoices take their refunds at once', async () => {
    const [first, second] = [await aKnownCustomer(), await aKnownCustomer()];
    const payments = Array.from({ length: 12 }, () => ({ invoiceId: unique('in'), paymentIntentId: unique('pi') }));
    for (const ids of payments) {
      await deliver(invoicePaid({ metadata: first.metadata, ...ids }));
      await deliver(invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId));
      const body = { customer_key: second.customerKey, amount_cents: 1_900, transaction_id: ids.invoiceId };
      const credentials = { mode: 'server' as const, keyHash: hashSecret(second.apiKey) };
      await recordSale(saleBody.parse(body), { credentials, address: 'test', now: new Date() });
    }
    const refunds = payments.map(({ paymentIntentId }) => chargeRefunded({ paymentIntentId, refunded: 500 }));
    for (const answer of await Promise.all(refunds.map(deliver))) expect(answer).toMatchObject({ ok: true });
    for (const { programId } of [first, second]) {
      expect(await totalsByDay(programId)).toMatchObject([{ refunds: 12n, refunded: 6_000n }]);
    }
  });

  /** Everything that a program has, as text. */
  const everythingOf = async (programId: string) => {
    const where = { programId };
    const tables = [
      database().trackingEvent.findMany({ where, orderBy: { id: 'asc' } }),
      database().dailyCount.findMany({ where }),
      database().dailyAmount.findMany({ where }),
      database().unattributedPayment.findMany({ where }),
      database().sale.findMany({ where, orderBy: { id: 'asc' } }),
      database().lead.findMany({ where }),
    ] as const;
    return JSON.stringify(await Promise.all(tables), (_, value) => (typeof value === 'bigint' ? String(value) : value));
  };

  test('a payment of a program that does not exist writes nothing, and is warned of', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const event = invoicePaid({ metadata: { program_id: unique('prg') } });
    expect(await deliver(event)).toMatchObject({ body: { outcome: 'not_attributed', reason: 'unknown_program' } });
    const line = 'service: a payment event of a program that does not exist was not recorded';
    expect(warn.mock.calls).toEqual([[`${line} event_id="${event.id}"`]]);
    warn.mockRestore();
  });

  test('a payment of another account writes nothing at all', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { programId, metadata } = await aKnownCustomer();
    const forged: Metadata = { ...metadata, svc_customer_key: 'chosen by another tenant' };
    for (const connected of ['acct_demo', null]) {
      await database().program.update({ where: { id: programId }, data: { paymentAccountId: connected } });
      const before = await everythingOf(programId);
      for (const keys of [metadata, forged]) {
        const answer = await deliver(from('acct_other', invoicePaid({ metadata: keys })));
        expect(answer).toMatchObject({ body: { outcome: 'not_attributed', reason: 'account_mismatch' } });
      }
      expect(await everythingOf(programId)).toBe(before);
    }
    vi.restoreAllMocks();
  });

  test('a refund of another account lowers nothing, whatever payment it names', async () => {
    const { programId, metadata } = await aKnownCustomer();
    const paymentIntentId = unique('pi');
    await deliver(from('acct_demo', paymentIntentSucceeded({ metadata, paymentIntentId, amount: 1_900 })));
    const before = await everythingOf(programId);
    await deliver(from('acct_other', chargeRefunded({ paymentIntentId, refunded: 1_900 })));
    expect(await everythingOf(programId)).toBe(before);
    await deliver(from('acct_demo', chargeRefunded({ paymentIntentId, refunded: 1_900 })));
    expect((await finalState(programId, paymentIntentId)).sales).toEqual([[1_900, 1_900]]);
  });

  test.each(['acct_other', null])(
    'a sale of path B that is reported again lowers no sale of a program whose account is %s',
    async (paymentAccountId) => {
      const [reporter, other] = [await aKnownCustomer(), await aKnownCustomer()];
      await database().program.update({ where: { id: other.programId }, data: { paymentAccountId } });
      const paymentIntentId = unique('pi');
      const report = ({ customerKey: customer_key, apiKey }: typeof reporter) =>
        recordSale(saleBody.parse({ customer_key, amount_cents: 1_900, transaction_id: paymentIntentId }), {
          credentials: { mode: 'server', keyHash: hashSecret(apiKey) },
          address: 'test',
          now: new Date(),
        });
      for (const program of [reporter, other]) expect(await report(program)).toMatchObject({ ok: true });
      const before = await everythingOf(other.programId);
      await deliver(from('acct_demo', chargeRefunded({ paymentIntentId, refunded: 500 })));
      expect(await report(reporter)).toMatchObject({ code: 'duplicate_transaction' });
      expect((await finalState(reporter.programId, paymentIntentId)).sales).toEqual([[1_900, 500]]);
      expect(await everythingOf(other.programId)).toBe(before);
    },
  );

  test('a refund follows the account and the mode of its sale, not those the program has by then', async () => {
    const { programId, metadata } = await aKnownCustomer();
    const paymentIntentId = unique('pi');
    await deliver(paymentIntentSucceeded({ metadata, paymentIntentId, amount: 1_900 }));
    await database().program.update({
      where: { id: programId },
      data: { paymentMode: 'live', paymentAccountId: 'acct_new' },
    });
    await deliver({ ...chargeRefunded({ paymentIntentId, refunded: 1_900 }), livemode: true });
    expect((await finalState(programId, paymentIntentId)).sales).toEqual([[1_900, 0]]);
    await deliver(chargeRefunded({ paymentIntentId, refunded: 500 }));
    expect((await finalState(programId, paymentIntentId)).sales).toEqual([[1_900, 500]]);
  });

  test('a renewal without metadata is kept only in the program whose subscription it is', async () => {
    const [victim, other] = [await aKnownCustomer(), await aKnownCustomer()];
    const subscription = unique('sub');
    const of = (metadata: Metadata) => ({ parent: { subscription_details: { metadata, subscription } } });
    // Another program claims the subscription first, over path B, where any ID can be sent.
    const claim = {
      customer_key: other.customerKey,
      amount_cents: 1,
      transaction_id: unique('in'),
      subscription_id: subscription,
    };
    await recordSale(saleBody.parse(claim), {
      credentials: { mode: 'server', keyHash: hashSecret(other.apiKey) },
      address: 'test',
      now: new Date(),
    });
    await deliver(invoicePaid({ metadata: victim.metadata }, of(victim.metadata)));
    const before = await everythingOf(other.programId);
    await deliver(invoicePaid({ metadata: {} }, of({})));
    expect(await everythingOf(other.programId)).toBe(before);
    const kept = { programId: victim.programId, kind: 'not_attributed' };
    expect(await database().trackingEvent.count({ where: kept })).toBe(1);
    // And from another account not even there.
    await deliver(from('acct_other', invoicePaid({ metadata: {} }, of({}))));
    expect(await database().trackingEvent.count({ where: kept })).toBe(1);
  });
});

describe('the signature', () => {
  const body = JSON.stringify(invoicePaid({ metadata: {} }));
  const refused = { ok: false, code: 'invalid_signature' };
  const now = new Date();

  test.each([
    ['missing', body, null],
    ['of another secret', body, signatureOf(body, { key: 'whsec_other' })],
    ['of other bytes', `${body} `, signatureOf(body, { key: SECRET })],
    [
      'older than five minutes',
      body,
      signatureOf(body, { key: SECRET, timestamp: Math.floor(Date.now() / 1000) - 301 }),
    ],
    ['malformed', body, 't=1,v1=zz'],
  ])('%s: refused, nothing recorded', async (_, text, signature) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    expect(await receivePaymentEvent(text, signature, now)).toEqual(refused);
    expect(warn.mock.calls).toEqual([['service: a payment event was refused: its signature does not match']]);
    warn.mockRestore();
  });
});

type DayTotals = { day: string; sales: bigint; refunds: bigint; sold: bigint; refunded: bigint };

/**
 * The totals that are kept beside the records, and what they have to be: the sums of the feed by day of occurrence. A sale
 * that moved to another day may leave zeros where it was.
 */
const totalsByDay = (programId: string) =>
  database().$queryRaw<DayTotals[]>`
    SELECT day::text, sum(sales) AS sales, sum(refunds) AS refunds, sum(sold)::bigint AS sold, sum(refunded)::bigint AS refunded
    FROM (
      SELECT program_id, day, sales, refunds, 0 AS sold, 0 AS refunded FROM service_daily_counts
      UNION ALL SELECT program_id, day, sales, refunds, 0, 0 FROM service_late_counts
      UNION ALL SELECT program_id, day, 0, 0, sales_cents, refunded_cents FROM service_daily_amounts
      UNION ALL SELECT program_id, day, 0, 0, sales_cents, refunded_cents FROM service_late_amounts
    ) AS kept
    WHERE program_id = ${programId}
    GROUP BY 1 HAVING sum(abs(sales) + abs(refunds) + abs(sold) + abs(refunded)) > 0 ORDER BY 1`;

const feedByDay = (programId: string) =>
  database().$queryRaw<DayTotals[]>`
    SELECT (occurred_at AT TIME ZONE 'UTC')::date::text AS day, count(*) FILTER (WHERE kind <> 'refund') AS sales,
      count(*) FILTER (WHERE kind = 'refund' AND reason IS DISTINCT FROM 'refund_failed') AS refunds,
      coalesce(sum(amount_cents) FILTER (WHERE kind <> 'refund'), 0)::bigint AS sold,
      coalesce(sum(CASE reason WHEN 'refund_failed' THEN -amount_cents ELSE amount_cents END) FILTER (WHERE kind = 'refund'), 0)::bigint
        AS refunded
    FROM service_events WHERE program_id = ${programId} AND kind IN ('sale', 'renewal', 'refund')
      AND amount_cents IS NOT NULL -- an open dispute has taken nothing yet
    GROUP BY 1 ORDER BY 1`;

async function finalState(programId: string, transactionId: string) {
  const where = { programId, transactionId };
  const sales = await database().sale.findMany({ where });
  const feed = await database().trackingEvent.findMany({ where });
  return {
    sales: sales.map(({ amountCents, refundedCents }) => [Number(amountCents), Number(refundedCents)]),
    feed: feed.map(({ kind, amountCents }) => `${kind} ${amountCents}`).sort(),
  };
}
