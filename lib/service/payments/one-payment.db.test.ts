import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { database } from '@/prisma/client';
import { aKnownCustomer } from '@/tests/support/known-customer';
import { beginAtNoon, deliver, deliverAt, feedByDay, from, totalsByDay } from '@/tests/support/payment-events';
import { permutations } from '@/tests/support/permutations';
import {
  chargeRefunded,
  dispute,
  inSequence,
  invoicePaid,
  invoicePaymentPaid,
  type Metadata,
  paymentIntentSucceeded,
  type StripeEvent,
  sessionCompleted,
} from '@/tests/support/stripe-events';
import { unique } from '@/tests/support/unique';
import { hashSecret } from '../api-key';
import { readEvents } from '../events/read-events';
import type { EventEntry } from '../response-schemas';
import { clickBody, eventsQuery, saleBody } from '../schemas';
import { recordClick } from '../track/record-click';
import { keepFact } from './fact-store';
import { recordSale } from './record-sale';
import { readPaymentEvent } from './stripe-event';

beginAtNoon();

/** @returns reads the lines about removed sales that are logged from now on */
function listenToRemovals() {
  const info = vi.spyOn(console, 'info').mockReturnValue();
  onTestFinished(() => info.mockRestore());
  return () => info.mock.calls.flat().filter((line) => String(line).includes('a sale was removed'));
}

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

  test('its currency is that of the event which is preferred, also of its refund, in any order and repeated', async () => {
    for (const order of permutations([0, 1, 2])) {
      const { programId, metadata } = await aKnownCustomer();
      const paymentIntentId = unique('pi');
      const intent = paymentIntentSucceeded({ metadata, paymentIntentId, amount: 1_850 });
      const events = [
        { ...intent, data: { object: { ...intent.data.object, currency: 'eur' } } },
        sessionCompleted({ metadata, paymentIntentId, amount: 2_000 }),
        chargeRefunded({ paymentIntentId, charged: 2_000, refunded: 500 }),
      ];
      for (const index of [...order, ...order]) await deliver(events[index] as StripeEvent);
      const feed = await database().trackingEvent.findMany({ where: { programId, kind: { in: ['sale', 'refund'] } } });
      expect(feed.map(({ kind, amountCents, currency }) => `${kind} ${amountCents} ${currency}`).sort()).toEqual([
        'refund 500 usd',
        'sale 2000 usd',
      ]);
      const sold = await database().sale.findMany({ where: { programId } });
      expect(sold).toMatchObject([{ amountCents: 2_000n, refundedCents: 500n, currency: 'usd' }]);
      const amounts = await database().dailyAmount.findMany({ where: { programId } });
      expect(amounts.filter(({ salesCents, refundedCents }) => salesCents || refundedCents)).toMatchObject([
        { currency: 'usd', salesCents: 2_000n, refundedCents: 500n },
      ]);
    }
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
      const readLog = listenToRemovals();
      for (const event of order ? events : events.toReversed()) await deliver(event);
      const line = new RegExp(`transaction_id="${invoiceId}"$`); // and no sale remains
      expect(readLog()).toEqual(order ? [expect.stringMatching(line)] : []);
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
    const where = { programId: program.programId };
    const [first, reported] = await database().sale.findMany({ where, orderBy: { createdAt: 'asc' } });
    const readLog = listenToRemovals();
    await deliver(invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId));
    expect(readLog(), 'the only record of it').toEqual([
      `service: a sale was removed sale_id="${reported?.id}" transaction_id="${ids.invoiceId}" remaining_sale_id="${first?.id}"`,
    ]);
    expect(await states(program.programId)).toEqual({
      sales: [[ids.invoiceId, 1_900, 500]],
      feed: [`refund ${ids.invoiceId} 500`, `sale ${ids.invoiceId} 1900`],
      days: [[1, 0, 1]],
    });
  });

  test('and the refund of the one that leaves is then of the customer and the click of the other, in either order', async () => {
    for (const isLinkedFirst of [true, false]) {
      const program = await aKnownCustomer();
      const { programId, customerKey } = program;
      const ids = { paymentIntentId: unique('pi'), invoiceId: unique('in') };
      const click = clickBody.parse({ affiliate_url: 'https://shop.example/?aff=grace', program_id: programId });
      const from = { credentials: { mode: 'browser' }, address: 'test', now: new Date() } as const;
      const clicked = await recordClick(click, from);
      const { click_id: clickId } = (clicked.ok ? clicked.body : {}) as { click_id: string };
      expect(await reportSale(program, ids.invoiceId)).toMatchObject({ ok: true });
      await deliver(
        paymentIntentSucceeded({ metadata: { program_id: programId, svc_click_id: clickId }, ...ids, amount: 1_900 }),
      );
      const link = invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId);
      const refund = chargeRefunded({ ...ids, refunded: 1_900 });
      for (const event of isLinkedFirst ? [link, refund] : [refund, link]) await deliver(event);
      const feed = await database().trackingEvent.findMany({
        where: { programId, kind: { in: ['sale', 'refund'] } },
        select: { kind: true, customerKey: true, clickId: true, partnerCode: true, transactionId: true },
        orderBy: { kind: 'asc' },
      });
      const of = { customerKey, clickId: null, partnerCode: 'ada', transactionId: ids.invoiceId };
      expect(feed).toEqual([
        { kind: 'refund', ...of },
        { kind: 'sale', ...of },
      ]);
    }
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

  test.each(['invoice', 'PaymentIntent'])(
    'a payment whose %s path B reported before an account was connected is that sale, in any order and repeated',
    async (reported) => {
      for (const order of permutations([0, 1, 2, 3])) {
        const program = await aKnownCustomer({ payments: null });
        const { programId, metadata } = program;
        const ids = { paymentIntentId: unique('pi'), invoiceId: unique('in') };
        const key = reported === 'invoice' ? ids.invoiceId : ids.paymentIntentId;
        await reportSale(program, key);
        await database().program.update({ where: { id: programId }, data: { paymentMode: 'test' } });
        const events = [
          paymentIntentSucceeded({ metadata, ...ids, amount: 1_900 }),
          chargeRefunded({ ...ids, refunded: 500 }),
          invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId),
          invoicePaid({ metadata, ...ids }),
        ];
        const expected = { sales: [[key, 1_900, 0]], feed: [`sale ${key} 1900`], days: [[1, 0, 0]] };
        for (const _ of ['delivered', 'repeated']) {
          for (const index of order) await deliver(events[index] as StripeEvent);
          expect(await states(programId), order.join()).toEqual(expected);
          expect(await totalsByDay(programId)).toMatchObject([{ sales: 1n, sold: 1_900n, refunds: 0n, refunded: 0n }]);
        }
      }
    },
  );

  test('new sales and refunds of the same day do not block each other', async () => {
    const program = await aKnownCustomer();
    const { programId, metadata } = program;
    const paid = Array.from({ length: 20 }, () => unique('pi'));
    for (const paymentIntentId of paid)
      await deliver(paymentIntentSucceeded({ metadata, paymentIntentId, amount: 1_900 }));
    const responses = await Promise.all(
      paid.flatMap((paymentIntentId) => [
        deliver(chargeRefunded({ paymentIntentId, refunded: 500 })),
        deliver(paymentIntentSucceeded({ metadata, amount: 1_900 })),
        reportSale(program, unique('in')),
      ]),
    );
    for (const response of responses) expect(response).toMatchObject({ ok: true });
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
