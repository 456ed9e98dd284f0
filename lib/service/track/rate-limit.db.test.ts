import { expect, test } from 'vitest';
import { database } from '@/prisma/client.ts';
import { aProgram, unique } from '@/tests/support/program.ts';
import type { Caller } from '../http/caller.ts';
import { recordClick } from './record-click.ts';

const MINUTE = 60_000;
/** A quarter past the current minute: recent, or another test would make the service forget its callers. */
const quarterPast = () => new Date(Math.floor(Date.now() / MINUTE) * MINUTE + 15_000);

async function aVisitor(browserRequestsPerMinute: number) {
  const { programId } = await aProgram({ browserRequestsPerMinute });
  const extras = { existing_click_id: undefined, page_url: undefined, referrer_url: undefined };
  const body = { affiliate_url: 'https://shop.example/?aff=ada', program_id: programId, ...extras };
  const click = async (address: string, now: Date) => {
    const caller: Caller = { credentials: { mode: 'browser' }, address, now };
    const answer = await recordClick(body, caller);
    return answer.ok ? 'click' : answer;
  };
  return { programId, click };
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

test('twenty at once are counted one by one', async () => {
  const { click } = await aVisitor(5);
  const now = quarterPast();
  const answers = await Promise.all(Array.from({ length: 20 }, () => click('a', now)));
  expect(answers.filter((answer) => answer === 'click')).toHaveLength(5);
});

test('callers of hours ago are forgotten', async () => {
  const { programId, click } = await aVisitor(10);
  const old = unique('old');
  await click(old, new Date('2020-01-01T00:00:00Z')); // older than anything another test leaves
  for (let i = 0; i < 40; i++) await click('new', new Date());
  expect(await database().rateLimit.findUnique({ where: { bucket: `${programId} ${old}` } })).toBeNull();
});
