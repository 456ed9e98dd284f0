import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { profileSchema } from '../../emulators/core/profile';
import { findAppIds } from '../../emulators/core/trace-ids';
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

test.each([
  ['Click ID', '{"click_id":"clk_1"}'],
  ['Customer', '{"customer_key":"user_1"}'],
  ['Lead', '{"success":true,"lead_id":"led_1","message":"The lead is settled."}'],
])('a message of the tracking service is followed by its %s', (label, body) => {
  expect(findAppIds(body, parsed)).toMatchObject([{ label }]);
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
