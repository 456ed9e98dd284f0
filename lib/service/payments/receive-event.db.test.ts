import { beforeAll, describe, expect, test } from 'vitest';
import { database } from '@/prisma/client.ts';
import { aProgram, unique } from '@/tests/support/program.ts';
import {
  chargeRefunded,
  invoicePaid,
  invoicePaymentPaid,
  type StripeEvent,
  signatureOf,
} from '@/tests/support/stripe-events.ts';
import { createId } from '../ids.ts';
import { receivePaymentEvent } from './receive-event.ts';

const SECRET = 'whsec_receive_event';

beforeAll(() => {
  process.env.SVC_STRIPE_WEBHOOK_SECRET = SECRET;
});

function deliver(event: StripeEvent) {
  const payload = JSON.stringify(event);
  return receivePaymentEvent(payload, signatureOf(payload, { key: SECRET }), new Date());
}

async function aKnownCustomer() {
  const { programId } = await aProgram();
  const customerKey = unique('user');
  const partner = await database().partner.findFirstOrThrow({ where: { programId, code: 'ada' } });
  await database().lead.create({
    data: {
      id: createId('led'),
      programId,
      test: false,
      customerKey,
      partnerId: partner.id,
      settledBy: 'server',
      createdAt: new Date(),
    },
  });
  return { programId, metadata: { program_id: programId, svc_customer_key: customerKey } };
}

function permutations<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]));
}

describe('payment events', () => {
  test('in each of their 24 orders, each delivered twice, end in one and the same state', async () => {
    const { programId, metadata } = await aKnownCustomer();
    const finals = [];
    for (const order of permutations([0, 1, 2, 3])) {
      const ids = { invoiceId: unique('in'), paymentIntentId: unique('pi'), chargeId: unique('ch') };
      const events = [
        invoicePaid({ metadata, ...ids }),
        invoicePaymentPaid(ids.paymentIntentId, ids.invoiceId),
        chargeRefunded({ ...ids, refunded: 500 }),
        chargeRefunded({ ...ids, refunded: 1900, before: 500 }),
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
    await database().lead.create({
      data: { id: createId('led'), programId, test: false, customerKey, settledBy: 'server', createdAt: new Date() },
    });
    expect(await deliver(event)).toMatchObject({ body: { outcome: 'sale' } });
    const logged = await database().paymentEvent.findUniqueOrThrow({ where: { id: event.id } });
    expect(logged).toMatchObject({ outcome: 'sale', deliveries: 2 });
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

  test('no payload is kept, and no e-mail', async () => {
    const { metadata } = await aKnownCustomer();
    const event = invoicePaid({ metadata }, { customer_email: 'ada@example.com' });
    await deliver(event);
    const logged = await database().paymentEvent.findUniqueOrThrow({ where: { id: event.id } });
    expect(Object.values(logged).join()).not.toContain('ada@example.com');
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
    expect(await receivePaymentEvent(text, signature, now)).toEqual(refused);
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
