import { expect, test } from 'vitest';
import { database } from '@/prisma/client';
import { aProgram } from '@/tests/support/program';
import { unique } from '@/tests/support/unique';
import { readServiceMetrics, respondWithMetrics } from './metrics';
import { keepFact } from './payments/fact-store';
import type { PaymentFact } from './payments/payment';

const NOW = new Date('1997-03-01T12:00:00Z'); // no other test has records then
const ago = (seconds: number) => new Date(NOW.getTime() - seconds * 1000);

const createFact = (createdAt: Date, occurredAt: Date) =>
  database().paymentFact.create({
    data: {
      accountId: unique('acct'),
      livemode: false,
      kind: 'session',
      id: unique('cs'),
      rank: 0,
      details: {},
      createdAt,
      occurredAt,
    },
  });

test('the lag is the longest of the last hour, and no lag where no event arrived', async () => {
  await createFact(ago(4000), ago(90_000));
  expect((await readServiceMetrics(NOW)).paymentWebhookLagSeconds).toBeNull();
  await createFact(ago(1000), ago(1002));
  await createFact(ago(900), ago(960));
  expect((await readServiceMetrics(NOW)).paymentWebhookLagSeconds).toBe(60);
});

test('the lag of the second state of an object counts as well as that of its first', async () => {
  const now = new Date('1997-04-01T12:00:00Z');
  const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);
  const disputed = (rank: 0 | 1, occurredAt: Date): PaymentFact => ({
    ...{ id: unique('dp'), kind: 'dispute', paymentIntentId: unique('pi'), invoiceId: null },
    ...{ amountCents: 1_900, currency: 'usd', state: rank === 0 ? 'open' : 'lost', rank, occurredAt },
  });
  const opened = disputed(0, minutesAgo(9_000));
  await keepFact(opened, '', false, minutesAgo(9_000));
  await keepFact({ ...disputed(1, minutesAgo(50)), id: opened.id }, '', false, minutesAgo(10));
  expect((await readServiceMetrics(now)).paymentWebhookLagSeconds).toBe(40 * 60);
});

test('payments without a partner are counted on the day their event arrived, whenever they were made', async () => {
  const { programId } = await aProgram();
  const entry = (kind: string, createdAt: Date, occurredAt = createdAt, test = false) => ({
    ...{ id: unique('evt'), programId, kind, createdAt, occurredAt, test },
  });
  const [midnight, yesterday] = [new Date('1997-03-01'), new Date('1997-02-28T23:59:59.999Z')];
  await database().trackingEvent.createMany({
    data: [
      entry('not_attributed', midnight, yesterday),
      entry('not_attributed', ago(1)),
      entry('not_attributed', yesterday),
      entry('not_attributed', ago(1), ago(1), true),
      entry('sale', ago(1)),
    ],
  });
  expect((await readServiceMetrics(NOW)).unattributedToday).toBe(2);
});

test('only a caller with the secret gets them, as Prometheus reads them', async () => {
  const ask = (authorization?: string) =>
    respondWithMetrics(new Request('http://svc', authorization ? { headers: { authorization } } : {}), NOW);
  for (const authorization of [undefined, 'Bearer wrong', 'secret of the scheduler']) {
    expect((await ask(authorization)).status).toBe(401);
  }
  const response = await ask('Bearer secret of the scheduler');
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await response.text()).toMatch(/^service_unattributed_payments_today \d+$/m);
});
