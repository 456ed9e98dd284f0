import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isMatch, profileSchema } from '../../emulators/core/profile';
import { profile } from './profile.mjs';
import { compare } from './run-scenario.mjs'; // part: service

const parsed = profileSchema.parse(profile);

describe('what the control room shows of the code is there', () => {
  const places = [
    ...parsed.sources.flatMap(({ sentBy, handledBy }) => [sentBy, handledBy]),
    ...parsed.scenarios.flatMap(({ decidedBy, provenBy }) => [decidedBy, provenBy]),
  ].filter((place) => place !== undefined);

  test.each(places)('$file has $find', ({ file, find }) => {
    expect(existsSync(file)).toBe(true);
    expect(readFileSync(file, 'utf8')).toContain(find);
  });

  test('and every message that the shop sends to a provider names its code', () => {
    expect(places.length).toBeGreaterThan(10);
  });
});

describe('the remark on a renewal that could not be paid', () => {
  const remark = parsed.tour?.remarks.find(({ text }) => text.startsWith('A renewal could not be paid'));
  const isSaidBy = (name: 'when' | 'until', body: string) => {
    const message = { from: 'stripe', to: 'app', method: 'POST', path: '/api/webhooks/stripe', status: 200 } as const;
    const exchange = { ...message, request: { headers: {}, body }, response: { headers: {}, body: '' } };
    return remark?.[name].some((pattern) => isMatch(exchange, pattern));
  };

  test.each([
    ['Stripe', (status: string) => `{"object":"subscription","start_date":1,"status":"${status}","test_clock":null}`],
    ['the emulator', (status: string) => `{"object":"subscription","status":"${status}","created":1}`],
  ])('reads the status, not the one before, in the order of fields of %s', (_whose, subscription) => {
    const event = (now: string, before: string) =>
      `{"data":{"object":${subscription(now)},"previous_attributes":{"status":"${before}"}}}`;
    const [failed, recovered] = [event('past_due', 'active'), event('active', 'past_due')];
    expect([isSaidBy('when', failed), isSaidBy('until', failed)]).toEqual([true, false]);
    expect([isSaidBy('when', recovered), isSaidBy('until', recovered)]).toEqual([false, true]);
  });
});

// part: service
describe('a stage of a scenario', () => {
  const outcomeOf = (during: string, after: string) => compare({ Sale: during }, { Sale: after })[0]?.outcome;

  test('survived where the fault changed nothing', () => {
    expect(outcomeOf('Sale of $19.00, ada', 'Sale of $19.00, ada')).toBe('survived');
  });

  test('recovered where it came once the fault was off', () => {
    expect(outcomeOf('Nothing recorded', 'Sale of $19.00, ada')).toBe('recovered');
  });

  test.each(['Nothing recorded', 'Not attributed: no_attribution'])('is lost where the end is: %s', (after) => {
    expect(outcomeOf('Nothing recorded', after)).toBe('lost');
  });
});
// end: service
