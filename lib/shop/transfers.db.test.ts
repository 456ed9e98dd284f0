import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PLANS } from '@/lib/integration/plans';
import { database } from '@/prisma/client';
import { type MisbehavingService, startMisbehavingService } from '@/tests/support/misbehaving-service';

let service: MisbehavingService;
let transfers: typeof import('./transfers');
let retryEntry: typeof import('./outbox').retryEntry;
beforeEach(async () => {
  service = await startMisbehavingService();
  vi.stubEnv('NEXT_PUBLIC_SVC_PROGRAM_ID', 'prg_test');
  vi.stubEnv('NEXT_PUBLIC_SVC_BASE_URL', service.baseUrl);
  vi.stubEnv('SVC_API_KEY', service.apiKey);
  vi.resetModules();
  transfers = await import('./transfers');
  ({ retryEntry } = await import('./outbox'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.resetModules();
  await service.stop();
});

const yearly = PLANS[1];
const now = new Date(); // the delivery has the real clock, and gives a report up after a week
const newUser = () => `user_${randomUUID()}`;
const entryOf = (invoiceId: string) =>
  database().shopOutboxEntry.findUniqueOrThrow({ where: { id: transfers.saleEntryId(invoiceId) } });

test('§1 path B: a transfer that is marked as paid is reported as a sale, with the user ID of the lead', async () => {
  const userId = newUser();
  const invoiceId = await transfers.requestTransfer(userId, yearly, now);
  expect(service.calls).toEqual([]);
  await transfers.markTransferPaid(invoiceId, now);
  expect(service.calls.map(({ path, body }) => [path, body])).toEqual([
    ['/api/v1/track/sale', { customer_key: userId, amount_cents: 19000, transaction_id: invoiceId, currency: 'usd' }],
  ]);
  expect((await entryOf(invoiceId)).state).toBe('done');
  const [entitlement] = await transfers.listTransferEntitlements(userId, now);
  expect(entitlement).toMatchObject({ plan: yearly.name, endsAt: transfers.transferUntil(yearly, now) });
});

test('an amount of twelve digits, as in IDR, is stored, shown and reported', async () => {
  const [userId, amount] = [newUser(), 999_999_999_999];
  const invoiceId = await transfers.requestTransfer(userId, { ...yearly, amount, currency: 'idr' }, now);
  await transfers.markTransferPaid(invoiceId, now);
  expect((await transfers.listTransfers(userId))[0]).toMatchObject({ amount, currency: 'idr' });
  expect(service.calls.map(({ body }) => body.amount_cents)).toEqual([amount]);
});

test('marking it twice, or twice at once, reports it once', async () => {
  const invoiceId = await transfers.requestTransfer(newUser(), yearly, now);
  await Promise.all([transfers.markTransferPaid(invoiceId, now), transfers.markTransferPaid(invoiceId, now)]);
  await transfers.markTransferPaid(invoiceId, now);
  expect(service.calls).toHaveLength(1);
});

test('§7: a report that is repeated by hand gets a 409 and is shown as already recorded', async () => {
  const invoiceId = await transfers.requestTransfer(newUser(), yearly, now);
  await transfers.markTransferPaid(invoiceId, now);
  service.behave(() => ({ status: 409, body: { error: 'Used.', code: 'duplicate_transaction' } }));
  await retryEntry(transfers.saleEntryId(invoiceId));
  expect(await entryOf(invoiceId)).toMatchObject({ state: 'done', lastStatus: 409, lastReason: 'already recorded' });
});

test('an unreachable service loses no sale: the plan is paid, the report waits', async () => {
  service.behave(() => ({ status: 503 }));
  const userId = newUser();
  const invoiceId = await transfers.requestTransfer(userId, yearly, now);
  await transfers.markTransferPaid(invoiceId, now);
  expect((await transfers.listTransfers(userId))[0]?.paidAt).toEqual(now);
  expect((await entryOf(invoiceId)).state).toBe('pending');
  service.behave(() => 'record');
  await retryEntry(transfers.saleEntryId(invoiceId));
  expect((await entryOf(invoiceId)).state).toBe('done');
});

test('a sale of a customer who was not referred is skipped, and is no error', async () => {
  service.behave(() => ({ status: 400, body: { error: 'Unknown.', code: 'unknown_customer' } }));
  const invoiceId = await transfers.requestTransfer(newUser(), yearly, now);
  await transfers.markTransferPaid(invoiceId, now);
  expect(await entryOf(invoiceId)).toMatchObject({ state: 'skipped', lastReason: 'not referred by a partner' });
});

describe('what a customer holds is not paid for again by transfer', () => {
  const [monthly, , lifetime] = PLANS;
  const held = { plan: 'studio_monthly', status: 'active', renewsAt: now, endsAt: null, price: null } as const;
  const owned = { plan: 'studio_lifetime', status: 'active', renewsAt: null, endsAt: null, price: null } as const;

  test.each([
    ['has bought the plan', { plan: lifetime.name }, 1],
    ['has bought another one', { plan: 'studio_other' }, 0],
    ['has got the money back', { plan: lifetime.name, refundedAt: now }, 0],
  ])(
    'marked as paid, a transfer whose customer %s by card meanwhile is logged only if both are paid',
    async (_, paid, lines) => {
      const error = vi.spyOn(console, 'error').mockReturnValue();
      const [userId, stripeCustomerId] = [newUser(), `cus_${randomUUID()}`];
      const invoiceId = await transfers.requestTransfer(userId, lifetime, now);
      await database().shopCustomer.create({ data: { userId, stripeCustomerId } });
      const purchase = { paymentIntentId: `pi_${randomUUID()}`, stripeCustomerId, paidAt: now, ...paid };
      await database().shopPurchase.create({ data: purchase });
      for (let repeat = 0; repeat < 2; repeat++) await transfers.markTransferPaid(invoiceId, now);
      const logged = error.mock.calls.flat();
      error.mockRestore();
      const line = `fulfil: a customer pays twice customer="${stripeCustomerId}" plan="studio_lifetime" second="${invoiceId}"`;
      expect(logged).toEqual(Array(lines).fill(line));
    },
  );

  test.each([
    [
      'any plan with a period, for a subscriber',
      monthly,
      { ...held, plan: 'studio_yearly', source: 'subscription' },
      true,
    ],
    [
      'a period after the subscription, which ends',
      monthly,
      { ...held, renewsAt: null, endsAt: now, source: 'subscription' },
      false,
    ],
    [
      'any plan with a period, while a subscription waits for a payment',
      monthly,
      { ...held, status: 'unpaid', source: 'subscription' },
      true,
    ],
    ['after the subscription ended', monthly, { ...held, status: 'ended', source: 'subscription' }, false],
    ['a further period of what was paid by transfer', monthly, { ...held, source: 'grant' }, false],
    ['a lifetime plan that was bought', lifetime, { ...owned, source: 'purchase' }, true],
    ['a lifetime plan that was paid by transfer', lifetime, { ...owned, source: 'grant' }, true],
    [
      'a lifetime plan that was refunded',
      lifetime,
      { ...owned, status: 'refunded', endsAt: now, source: 'purchase' },
      false,
    ],
    ['a lifetime plan, for a subscriber', lifetime, { ...held, source: 'subscription' }, false],
  ] as const)('%s', (_, plan, entitlement, isPaid) => {
    expect(transfers.isPaidFor(plan, [entitlement])).toBe(isPaid);
    expect(transfers.isPaidFor(plan, [])).toBe(false);
  });
});

describe('one open transfer per user and plan', () => {
  const openOf = (userId: string) => database().shopTransfer.count({ where: { userId, paidAt: null } });

  test('ordering twice, or twenty times at once, is one order', async () => {
    const userId = newUser();
    const first = await transfers.requestTransfer(userId, yearly, now);
    const again = await Promise.all(Array.from({ length: 20 }, () => transfers.requestTransfer(userId, yearly, now)));
    expect(new Set(again)).toEqual(new Set([first]));
    expect(await openOf(userId)).toBe(1);
  });

  test('twenty first orders at once are one, too', async () => {
    const userId = newUser();
    const orders = await Promise.all(Array.from({ length: 20 }, () => transfers.requestTransfer(userId, yearly, now)));
    expect(new Set(orders).size).toBe(1);
    expect(await openOf(userId)).toBe(1);
  });

  test('another plan and another user have their own', async () => {
    const [userId, other] = [newUser(), newUser()];
    const orders = [
      await transfers.requestTransfer(userId, yearly, now),
      await transfers.requestTransfer(userId, PLANS[0], now),
      await transfers.requestTransfer(other, yearly, now),
    ];
    expect(new Set(orders).size).toBe(3);
  });

  test('once it is paid, the next order is a new one', async () => {
    const userId = newUser();
    const first = await transfers.requestTransfer(userId, yearly, now);
    await transfers.markTransferPaid(first, now);
    const second = await transfers.requestTransfer(userId, yearly, now);
    expect(second).not.toBe(first);
    expect(await transfers.requestTransfer(userId, yearly, now)).toBe(second);
  });
});
