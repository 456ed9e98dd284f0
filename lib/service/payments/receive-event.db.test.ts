import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { database } from '@/prisma/client';
import { playHistory, stripeHistories } from '@/tests/property/stripe-histories';
import { aKnownCustomer } from '@/tests/support/known-customer';
import { beginAtNoon, deliver, feedByDay, from, totalsByDay } from '@/tests/support/payment-events';
import { permutations } from '@/tests/support/permutations';
import { aProgram } from '@/tests/support/program';
import {
  chargeRefunded,
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
} from '@/tests/support/stripe-events';
import { unique } from '@/tests/support/unique';
import { hashSecret } from '../api-key';
import { listEvents } from '../dashboard/event-queries';
import { findJourney } from '../dashboard/journey-queries';
import type { Caller } from '../http/caller';
import { createId } from '../ids';
import { clickBody, leadBody, saleBody } from '../schemas';
import { recordClick } from '../track/record-click';
import { recordLead } from '../track/record-lead';
import { receivePaymentEvent } from './receive-event';
import { recordSale } from './record-sale';

const now = beginAtNoon();

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
  });

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
  });

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

  test.each([
    ['alone', 0],
    ['beside the server’s lead', 1],
  ])('the first payments of a customer at once, %s, are one lead, and every payment is a sale', async (_, leads) => {
    const { programId, apiKey } = await aProgram();
    const credentials = { mode: 'server' as const, keyHash: hashSecret(apiKey) };
    const server: Caller = { credentials, address: unique('a'), now: new Date() };
    const { id: partnerId } = await database().partner.findFirstOrThrow({ where: { programId, code: 'ada' } });
    for (let round = 0; round < 8; round++) {
      const [customer_key, click_id] = [unique('user'), createId('clk')];
      const click = { id: click_id, programId, partnerId, affiliateUrl: 'https://shop.example/?aff=ada' };
      await database().click.create({ data: { ...click, createdAt: new Date() } });
      const metadata = { program_id: programId, svc_customer_key: customer_key, svc_click_id: click_id };
      const payments = Array.from({ length: 3 }, () => deliver(paymentIntentSucceeded({ metadata })));
      const lead = () => recordLead(leadBody.parse({ customer_key, click_id }), server);
      await Promise.all([...payments, ...Array.from({ length: leads }, lead)]);
      const where = { programId, customerKey: customer_key };
      expect(await database().lead.count({ where })).toBe(1);
      expect(await database().sale.count({ where: { ...where, partnerId, amountCents: 39_900n } })).toBe(3);
    }
    expect(await totalsByDay(programId)).toEqual(await feedByDay(programId));
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

  test('a sale that is committed while its payment is being kept as not attributed is not listed beside it', async () => {
    const { programId } = await aProgram();
    const transactionId = unique('in');
    const sale = { id: createId('sal'), programId, test: false, transactionId, amountCents: 1_900n, currency: 'usd' };
    const client = database();
    const transact = client.$transaction.bind(client) as (work: unknown) => Promise<unknown>;
    const keeping = vi.spyOn(client, '$transaction').mockImplementationOnce(async (work: unknown) => {
      const kept = await transact(work);
      expect(await unattributedOf(programId)).toEqual([1, 1, 1]);
      const now = new Date();
      await client.sale.create({ data: { ...sale, source: 'api', occurredAt: now, createdAt: now } });
      return kept;
    });
    await deliver(
      invoicePaid({ metadata: { program_id: programId, svc_customer_key: 'stranger' }, invoiceId: transactionId }),
    );
    keeping.mockRestore();
    expect(await unattributedOf(programId)).toEqual([0, 0, 0]);
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
  });

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

  test.each(['no account is connected', 'one was disconnected'])(
    'so it is where %s, and path B reports the payment',
    async (which) => {
      const { programId, apiKey, customerKey, metadata } = await aKnownCustomer({ payments: null });
      const ids = { paymentIntentId: unique('pi'), invoiceId: unique('in') };
      const account = which === 'one was disconnected' ? { account: unique('acct') } : {};
      const paymentAccountId = account.account ?? null;
      await database().program.update({ where: { id: programId }, data: { paymentAccountId } });
      await deliver({ ...paymentIntentSucceeded({ metadata, ...ids }), ...account });
      await deliver({ ...invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId), ...account });
      expect(await unattributedOf(programId)).toEqual([1, 1, 1]);
      const sale = { customer_key: customerKey, amount_cents: 1_900, transaction_id: ids.invoiceId };
      const credentials = { mode: 'server' as const, keyHash: hashSecret(apiKey) };
      await recordSale(saleBody.parse(sale), { credentials, address: 'test', now: new Date() });
      expect(await unattributedOf(programId)).toEqual([0, 0, 0]);
      expect(await database().sale.count({ where: { programId } })).toBe(1);
    },
  );

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
    const journey = await findJourney(programId, metadata.svc_customer_key);
    expect(journey?.nodes.at(-1)).toMatchObject({
      title: 'Renewal not attributed',
      reason: expect.stringMatching(/^The payment has no svc_click_id and no svc_customer_key\./),
      record: { transaction_id: feed[0]?.transactionId, click_id: null, reason: 'no_attribution' },
    });
  });

  test('the journey of a click that the program does not know shows what its payment named', async () => {
    const { programId } = await aProgram();
    const named = { svc_click_id: unique('clk'), svc_customer_key: unique('user') };
    const invoiceId = unique('in');
    const payment = invoicePaid({ metadata: { program_id: programId, ...named }, invoiceId });
    expect(await deliver(payment)).toMatchObject({ body: { outcome: 'not_attributed', reason: 'unknown_click' } });
    const journey = await findJourney(programId, named.svc_click_id);
    expect(journey?.nodes.find(({ event }) => event)?.record).toEqual({
      transaction_id: invoiceId,
      click_id: named.svc_click_id,
      customer_key: named.svc_customer_key,
      amount_cents: 1900,
      currency: 'usd',
      reason: 'unknown_click',
      occurred_at: expect.any(String),
      created_at: expect.any(String),
    });
  });

  test('the first payment after a trial whose subscription has no metadata is kept in the program that the checkout named', async () => {
    const { programId, metadata } = await aKnownCustomer();
    const subscription = unique('sub');
    const bare = { parent: { subscription_details: { metadata: {}, subscription } } };
    const trial = { payment_status: 'no_payment_required', subscription };
    for (const event of [
      subscriptionSession({ metadata, amount: 0 }, trial),
      invoicePaid({ metadata: {}, amount: 0 }, bare),
    ]) {
      expect(await deliver(event)).toMatchObject({ body: { outcome: 'ignored' } });
    }
    const kept = { body: { outcome: 'not_attributed', reason: 'no_attribution' } };
    const first = invoicePaid({ metadata: {} }, bare);
    for (const event of [first, first, invoicePaid({ metadata: {} }, bare)])
      expect(await deliver(event)).toMatchObject(kept);
    // From another account or mode it belongs to no program.
    const elsewhere = { body: { outcome: 'not_attributed', reason: 'no_program' } };
    expect(await deliver(from('acct_other', invoicePaid({ metadata: {} }, bare)))).toMatchObject(elsewhere);
    expect(await deliver({ ...invoicePaid({ metadata: {} }, bare), livemode: true })).toMatchObject(elsewhere);
    const feed = await database().trackingEvent.findMany({ where: { programId, kind: { not: 'lead' } } });
    const entry = { kind: 'not_attributed', customerKey: metadata.svc_customer_key, amountCents: 1900n };
    expect(feed).toMatchObject([entry, entry]);
    expect(await database().sale.count({ where: { programId } })).toBe(0);
  });

  test('one whose metadata names a customer and no program is kept there too, with that reason', async () => {
    const { programId, metadata } = await aKnownCustomer();
    const subscription = unique('sub');
    const of = (metadata: Metadata) => ({ parent: { subscription_details: { metadata, subscription } } });
    await deliver(invoicePaid({ metadata }, of(metadata)));
    for (const named of [{ svc_customer_key: unique('user') }, { svc_click_id: 'clk_1' }]) {
      for (const metadata of [
        { metadata: named, ...of({}) },
        { metadata: {}, ...of(named) },
      ]) {
        const renewal = invoicePaid({ metadata: {} }, metadata);
        expect(await deliver(renewal)).toMatchObject({ body: { outcome: 'not_attributed', reason: 'no_program' } });
      }
    }
    const feed = await database().trackingEvent.findMany({ where: { programId, kind: 'not_attributed' } });
    const kept = { customerKey: metadata.svc_customer_key, reason: 'no_program' };
    expect(feed).toMatchObject([kept, kept, kept, kept]);
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
    for (const response of await Promise.all(refunds.map(deliver))) expect(response).toMatchObject({ ok: true });
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

  test('a payment of a program that does not exist is recorded in none, and is warned of', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const transactionId = unique('in');
    const event = invoicePaid({ metadata: { program_id: unique('prg') }, invoiceId: transactionId });
    expect(await deliver(event)).toMatchObject({ body: { outcome: 'not_attributed', reason: 'unknown_program' } });
    const line = 'service: a payment event of a program that does not exist was not recorded';
    expect(warn.mock.calls).toEqual([[`${line} event_id="${event.id}"`]]);
    warn.mockRestore();
    const where = { transactionId };
    expect(await database().trackingEvent.count({ where })).toBe(0);
    expect(await database().unattributedPayment.count({ where })).toBe(0);
    expect(await database().sale.count({ where })).toBe(0);
  });

  test('a payment of another account writes nothing at all', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { programId, metadata } = await aKnownCustomer();
    const forged: Metadata = { ...metadata, svc_customer_key: 'chosen by another tenant' };
    for (const connected of ['acct_demo', null]) {
      await database().program.update({ where: { id: programId }, data: { paymentAccountId: connected } });
      const before = await everythingOf(programId);
      for (const keys of [metadata, forged]) {
        const response = await deliver(from('acct_other', invoicePaid({ metadata: keys })));
        expect(response).toMatchObject({ body: { outcome: 'not_attributed', reason: 'account_mismatch' } });
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
    ['of other bytes', `${body} `, signatureOf(body)],
    ['older than five minutes', body, signatureOf(body, { timestamp: Math.floor(Date.now() / 1000) - 301 })],
    ['malformed', body, 't=1,v1=zz'],
  ])('%s: refused, nothing recorded', async (_, text, signature) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    expect(await receivePaymentEvent(text, signature, now)).toEqual(refused);
    expect(warn.mock.calls).toEqual([['service: a payment event was refused: its signature does not match']]);
    warn.mockRestore();
    const { id } = JSON.parse(body).data.object;
    expect(await database().paymentFact.count({ where: { id } })).toBe(0);
  });
});

async function finalState(programId: string, transactionId: string) {
  const where = { programId, transactionId };
  const sales = await database().sale.findMany({ where });
  const feed = await database().trackingEvent.findMany({ where });
  return {
    sales: sales.map(({ amountCents, refundedCents }) => [Number(amountCents), Number(refundedCents)]),
    feed: feed.map(({ kind, amountCents }) => `${kind} ${amountCents}`).sort(),
  };
}
