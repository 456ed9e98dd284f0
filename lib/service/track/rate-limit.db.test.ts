import { expect, test } from 'vitest';
import { database, databasePool, openDatabase } from '@/prisma/client';
import { aProgram } from '@/tests/support/program';
import { unique } from '@/tests/support/unique';
import { hashSecret } from '../api-key';
import type { Caller } from '../http/caller';
import { authenticate } from '../http/check-caller';
import { recordSale } from '../payments/record-sale';
import { saleBody } from '../schemas';
import { recordClick } from './record-click';

const MINUTE = 60_000;
/** A quarter past the current minute: recent, or another test would make the service forget its callers. */
const quarterPast = () => new Date(Math.floor(Date.now() / MINUTE) * MINUTE + 15_000);

async function aVisitor(browserRequestsPerMinute: number, browserCeilingPerMinute = 60_000) {
  const { programId, apiKey } = await aProgram({ browserRequestsPerMinute, browserCeilingPerMinute });
  const extras = { existing_click_id: undefined, page_url: undefined, referrer_url: undefined };
  const body = { affiliate_url: 'https://shop.example/?aff=ada', program_id: programId, ...extras };
  const click = async (address: string, now: Date) => {
    const caller: Caller = { credentials: { mode: 'browser' }, address, now };
    const response = await recordClick(body, caller);
    return response.ok ? 'click' : response;
  };
  return { programId, apiKey, click };
}

test('a browser address makes as many requests a minute as the program allows, and no more', async () => {
  const { programId, click } = await aVisitor(2);
  const now = quarterPast();
  expect([await click('a', now), await click('a', now)]).toEqual(['click', 'click']);
  expect(await click('a', now)).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 45 });
  expect(await click('b', now)).toBe('click');
  expect(await click('a', new Date(now.getTime() + MINUTE))).toBe('click');
  expect(await database().click.count({ where: { programId } })).toBe(4);
});

test('an API key makes as many requests a minute as the program allows, and no more', async () => {
  const { programId, apiKey } = await aProgram({ serverRequestsPerMinute: 2 });
  const keyHash = hashSecret(apiKey);
  const call = (now: Date) => authenticate({ credentials: { mode: 'server', keyHash }, address: 'a', now });
  const now = quarterPast();
  for (let i = 0; i < 2; i++) expect(await call(now)).toEqual({ ok: true, programId });
  expect(await call(now)).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 45 });
  expect(await call(new Date(now.getTime() + MINUTE))).toEqual({ ok: true, programId });
});

test('twenty at once are counted one by one', async () => {
  const { click } = await aVisitor(5);
  const now = quarterPast();
  const responses = await Promise.all(Array.from({ length: 20 }, () => click('a', now)));
  expect(responses.filter((response) => response === 'click')).toHaveLength(5);
});

test('callers of hours ago are forgotten', async () => {
  const { programId, click } = await aVisitor(10);
  const old = unique('old');
  await click(old, new Date('2020-01-01T00:00:00Z')); // older than anything another test leaves
  for (let i = 0; i < 40; i++) await click('new', new Date());
  expect(await database().rateLimit.findUnique({ where: { bucket: `${programId} ${old}` } })).toBeNull();
});

test('addresses that a client invents meet the ceiling of the program, and no more rows than that are written', async () => {
  const { programId, apiKey, click } = await aVisitor(10, 5);
  const now = quarterPast();
  const responses = [];
  for (let i = 0; i < 20; i++) responses.push(await click(unique('invented'), now));
  expect(responses.filter((response) => response === 'click')).toHaveLength(5);
  expect(responses.at(-1)).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 45 });
  expect(await database().rateLimit.count({ where: { bucket: { startsWith: programId } } })).toBe(1 + 5);
  // Volume refuses clicks, never sales: servers are counted for themselves.
  const server: Caller = { credentials: { mode: 'server', keyHash: hashSecret(apiKey) }, address: 'a', now };
  expect(await authenticate(server)).toEqual({ ok: true, programId });
});

test('sales and leads of servers do not wait for connections that calls from browsers take, and the other way round', async () => {
  const { programId, apiKey, click } = await aVisitor(10);
  const now = quarterPast();
  const server: Caller = { credentials: { mode: 'server', keyHash: hashSecret(apiKey) }, address: 'a', now };
  const sale = () =>
    recordSale(saleBody.parse({ customer_key: programId, amount_cents: 100, transaction_id: programId }), server);
  const attempts = { browser: () => click('a', now), server: sale };
  expect(await attempts.browser()).toBe('click');
  expect(await attempts.server()).toMatchObject({ code: 'unknown_customer' });
  for (const [pool, own, other] of [
    [openDatabase('browser').pool, attempts.browser, attempts.server],
    [databasePool(), attempts.server, attempts.browser],
  ] as const) {
    const taken = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    const waiting = own();
    try {
      await other();
      expect(pool.waitingCount).toBe(1);
    } finally {
      for (const session of taken) session.release();
    }
    await waiting;
  }
});

test('an address past its own limit uses up nothing of the ceiling', async () => {
  const { click } = await aVisitor(2, 5);
  const now = quarterPast();
  for (let i = 0; i < 10; i++) await click('a', now);
  expect([await click('b', now), await click('c', now), await click('d', now)]).toEqual(['click', 'click', 'click']);
  expect(await click('e', now)).toMatchObject({ code: 'rate_limited' });
});

test('hosts whose clocks differ count together', async () => {
  const { click } = await aVisitor(4);
  const now = quarterPast();
  const behind = new Date(now.getTime() - MINUTE);
  const responses = [];
  for (let i = 0; i < 4; i++) responses.push(await click('a', now), await click('a', behind));
  expect(responses.filter((response) => response === 'click')).toHaveLength(4);
});

test('a clock that was hours ahead locks no caller out', async () => {
  const { click } = await aVisitor(1);
  const now = quarterPast();
  expect(await click('a', new Date(now.getTime() + 180 * MINUTE))).toBe('click');
  expect(await click('a', now)).toBe('click');
});
