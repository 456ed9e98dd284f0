import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { withRequestId } from './log';
import { clickBody, eventsQuery, leadBody, saleBody } from './schemas';

const click = { affiliate_url: 'https://shop.example/?aff=ada', program_id: '123' };
const lead = { customer_key: 'user_1', click_id: 'cust_42_1714000000000' };
const sale = { customer_key: 'user_1', amount_cents: 1_900, transaction_id: 'in_1' };

const warn = vi.fn();
beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(warn);
});
afterEach(() => {
  vi.restoreAllMocks();
  warn.mockReset();
});

describe('optional data costs neither a click nor a lead nor a sale', () => {
  test.each(['müller@example.de', 'a&b@example.com', 'ada@bücher.example'])('the email %s is kept', (email) => {
    expect(leadBody.parse({ ...lead, email })).toMatchObject({ email });
    expect(warn).not.toHaveBeenCalled();
  });

  test.each(['no address', `${'a'.repeat(400)}@example.com`, 7, { a: 1 }])('the email %j is dropped', (email) => {
    expect(leadBody.parse({ ...lead, email }).email).toBeUndefined();
  });

  test('what is dropped is one line for a request, with its names and never its values', async () => {
    const odd = { ...click, existing_click_id: 7, page_url: 'secret of ada', referrer_url: 7 };
    await withRequestId('request-1', async () => clickBody.parse(odd));
    const fields = 'existing_click_id page_url referrer_url';
    const line = `service: dropped fields that cannot be read fields="${fields}" request_id="request-1"`;
    expect(warn.mock.calls).toEqual([[line]]);
  });

  test('long URLs are shortened, and an odd old click is dropped', () => {
    const long = `https://shop.example/${'x'.repeat(10_000)}`;
    const parsed = clickBody.parse({
      affiliate_url: `${long}?aff=ada`,
      program_id: '123',
      page_url: long,
      referrer_url: long,
      existing_click_id: 'x'.repeat(256),
    });
    expect(parsed.affiliate_url).toMatch(/\?aff=ada$/);
    for (const url of [parsed.affiliate_url, parsed.page_url, parsed.referrer_url]) {
      expect(url?.length).toBeLessThanOrEqual(2_048);
    }
    expect(parsed.existing_click_id).toBeUndefined();
  });

  test.each([null, '', undefined])('%j is absent, without a word', (nothing) => {
    expect(clickBody.parse({ ...click, referrer_url: nothing, existing_click_id: nothing })).toMatchObject(click);
    expect(leadBody.parse({ ...lead, email: nothing }).email).toBeUndefined();
    expect(saleBody.parse({ ...sale, subscription_id: nothing }).subscription_id).toBeUndefined();
    expect(warn).not.toHaveBeenCalled();
  });

  test.each([
    [true, true],
    ['true', true],
    [false, false],
    ['false', false],
    ['yes', undefined],
    [1, undefined],
  ])('is_recurring: %j is read as %j', async (sent, read) => {
    const parsed = await withRequestId('request-1', async () => saleBody.parse({ ...sale, is_recurring: sent }));
    expect(parsed.is_recurring).toBe(read);
    expect(warn).toHaveBeenCalledTimes(read === undefined ? 1 : 0);
  });

  test.each([undefined, false, null])(
    'outside of test mode (%j) a program_id that cannot be read is dropped',
    (test_mode) => {
      const additional_data = { test_mode, program_id: 123, plan: 'studio' };
      const kept = leadBody.parse({ ...lead, additional_data }).additional_data;
      expect(kept).toMatchObject({ plan: 'studio' });
      expect(kept?.program_id).toBeUndefined();
      expect(saleBody.parse({ ...sale, additional_data }).additional_data?.program_id).toBeUndefined();
      const known = leadBody.parse({ ...lead, additional_data: { test_mode, program_id: '123' } });
      expect(known.additional_data?.program_id).toBe('123');
    },
  );

  test('a click ID that is too long or unprintable is an unknown click, not a malformed lead', () => {
    expect(leadBody.parse({ ...lead, click_id: 'x'.repeat(5_000) }).click_id).toHaveLength(255);
    expect(leadBody.parse({ ...lead, click_id: '😀'.repeat(256) }).click_id).toBe('😀'.repeat(255));
    expect(leadBody.parse({ ...lead, click_id: 'clk_\0\ud800' }).click_id).toBe('clk_\uFFFD\uFFFD');
  });

  test('half a surrogate pair or a NUL costs nothing where it is not stored', () => {
    const odd = { bio: 'cut in \ud83d', '\0': '\0' };
    const parsed = leadBody.parse({ ...lead, ...odd, email: 'a\ud83d@example.com', additional_data: odd });
    expect(parsed).toMatchObject(lead);
    expect(parsed.email).toBeUndefined();
    const urls = { page_url: 'https://shop.example/\ud83d?q=\0x', existing_click_id: 'a\ud83d' };
    const { page_url, existing_click_id } = clickBody.parse({ ...click, ...urls });
    expect(page_url).toBe('https://shop.example/%EF%BF%BD?q=%00x');
    expect(existing_click_id).toBeUndefined();
  });
});

describe('IDs are opaque: 1 to 255 printable characters', () => {
  test.each(['1', 'cust_42_1714000000000', 'ü 日本 😀', 'x'.repeat(255), '😀'.repeat(255)])('%s', (id) => {
    expect(saleBody.safeParse({ ...sale, customer_key: id, transaction_id: id }).success).toBe(true);
    expect(clickBody.safeParse({ ...click, program_id: id }).success).toBe(true);
  });

  test.each(['', 'x'.repeat(256), 'a\nb', 'a\0', 'a\ud83d', 7, null])('not %j', (id) => {
    expect(saleBody.safeParse({ ...sale, customer_key: id }).success).toBe(false);
    expect(saleBody.safeParse({ ...sale, transaction_id: id }).success).toBe(false);
    expect(leadBody.safeParse({ ...lead, customer_key: id }).success).toBe(false);
  });
});

describe('§2 amount is a positive integer in cents', () => {
  test.each([1, 99_999_999, 100_000_000, Number.MAX_SAFE_INTEGER])('%i is one', (amount_cents) => {
    expect(saleBody.safeParse({ ...sale, amount_cents }).success).toBe(true);
  });

  test.each([0, -1, 19.5, '1900', 2 ** 53, null, true])('%j is none', (amount_cents) => {
    expect(saleBody.safeParse({ ...sale, amount_cents }).success).toBe(false);
  });
});

describe('what a mistake would make something else of is refused', () => {
  const sentence = 'Send an object; in it test_mode is true or false, and program_id a string.';

  test.each([{ test_mode: 'true' }, { test_mode: 1 }, { test_mode: true, program_id: 123 }, 'test', []])(
    'a test that would be live, or in no program: %j',
    (additional_data) => {
      expect(sentenceOf(leadBody, { ...lead, additional_data })).toEqual({ additional_data: sentence });
      expect(sentenceOf(saleBody, { ...sale, additional_data })).toEqual({ additional_data: sentence });
    },
  );

  test.each([true, false])('a lead that names two programs (test_mode: %j)', (test_mode) => {
    const named = (program_id: string) => ({ ...lead, program_id, additional_data: { test_mode, program_id: '123' } });
    expect(sentenceOf(leadBody, named('456'))).toEqual({
      program_id: 'Send the program_id of additional_data, or none.',
    });
    expect(sentenceOf(leadBody, named('123'))).toEqual({});
  });

  test('a test is one', () => {
    const additional_data = { test_mode: true, program_id: '123' };
    expect(leadBody.parse({ ...lead, additional_data })).toMatchObject({ additional_data });
  });
});

test.each([null, '', undefined])('an optional field that is %j is absent', (nothing) => {
  const body = { ...sale, currency: nothing, is_recurring: nothing, additional_data: nothing };
  expect(saleBody.parse(body)).toEqual({ ...sale, currency: 'usd' });
  expect(leadBody.parse({ ...lead, program_id: nothing, click_id: nothing }).program_id).toBeUndefined();
  expect(eventsQuery.parse({ kind: nothing, test: nothing, limit: nothing })).toEqual({ limit: 50 });
});

test.each(['usd', 'eur', 'jpy'])('%s is a currency, kept as it is', (currency) => {
  expect(saleBody.parse({ ...sale, currency })).toMatchObject({ currency });
});

test.each(['USD', 'dollars', 'xyz', 7])('%j is none', (currency) => {
  expect(sentenceOf(saleBody, { ...sale, currency })).toEqual({ currency: 'Send an ISO 4217 code in lower case.' });
});

describe('a page of events', () => {
  test.each([
    ['true', true],
    ['false', false],
    [undefined, undefined],
  ])('test: %s asks for %s', (text, value) => {
    expect(eventsQuery.parse({ test: text }).test).toBe(value);
  });

  test.each([
    ['1', 1],
    ['100', 100],
    ['007', 7],
  ])('limit %s is %i', (text, limit) => {
    expect(eventsQuery.parse({ limit: text }).limit).toBe(limit);
  });

  test.each(['0', '101', '-1', '1.5', '1e1', '0001', 'ten', ' 5'])('no limit is %j', (limit) => {
    expect(sentenceOf(eventsQuery, { limit })).toEqual({ limit: 'Send an integer from 1 to 100.' });
  });

  test('a customer and a cursor are texts of bounded length', () => {
    expect(eventsQuery.parse({ customer: 'user_1', cursor: 'x'.repeat(512) })).toMatchObject({ customer: 'user_1' });
    expect(sentenceOf(eventsQuery, { cursor: 'x'.repeat(513) })).toEqual({
      cursor: 'Send a string of at most 512 characters.',
    });
  });

  test('anything else is refused in a sentence', () => {
    expect(sentenceOf(eventsQuery, { kind: 'views', test: 'yes', customer: 'a\n' })).toEqual({
      kind: 'Send one of click, lead, sale, refund, not_attributed.',
      test: 'Send true or false.',
      customer: 'Send printable characters.',
    });
    expect(sentenceOf(eventsQuery, { customer: 7 })).toEqual({
      customer: 'Send a string of 1 to 255 printable characters.',
    });
  });
});

test('§7: what is wrong with a body is said for each field', () => {
  expect(sentenceOf(clickBody, {})).toEqual({ affiliate_url: 'Required.', program_id: 'Required.' });
  expect(sentenceOf(clickBody, { affiliate_url: '', program_id: '' })).toEqual({
    affiliate_url: 'Required.',
    program_id: 'Required.',
  });
  expect(sentenceOf(leadBody, { customer_key: 'x'.repeat(256), click_id: 1 })).toEqual({
    customer_key: 'At most 255 characters.',
    click_id: 'Send a string.',
  });
  const odd = { ...sale, customer_key: 'a\n', amount_cents: 0.5, additional_data: 'test' };
  expect(sentenceOf(saleBody, odd)).toEqual({
    customer_key: 'Send printable characters.',
    amount_cents: 'Send an integer, in minor units of the currency.',
    additional_data: 'Send an object; in it test_mode is true or false, and program_id a string.',
  });
  expect(sentenceOf(saleBody, { ...sale, amount_cents: 0 })).toEqual({ amount_cents: 'At least 1.' });
  for (const body of [clickBody, leadBody, saleBody]) {
    expect(sentenceOf(body, [])).toEqual({ '': 'Send a JSON object.' });
  }
});

/** What is said of each field that is refused: one sentence. */
function sentenceOf(schema: z.ZodType, value: unknown) {
  const sentences = (schema.safeParse(value).error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]);
  expect(new Set(sentences.map(([field]) => field)).size).toBe(sentences.length);
  return Object.fromEntries(sentences);
}
