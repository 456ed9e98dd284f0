import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clickBody, leadBody, saleBody } from './schemas.ts';

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

  test('what is dropped is logged by its name, never by its value', () => {
    leadBody.parse({ ...lead, email: 'secret of ada' });
    expect(warn).toHaveBeenCalledOnce();
    expect(String(warn.mock.calls)).toContain('email');
    expect(String(warn.mock.calls)).not.toContain('ada');
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

  test('a click ID that is too long is an unknown click, not a malformed lead', () => {
    expect(leadBody.parse({ ...lead, click_id: 'x'.repeat(5_000) }).click_id).toHaveLength(255);
  });
});

describe('IDs are opaque: 1 to 255 printable characters', () => {
  test.each(['1', 'cust_42_1714000000000', 'ü 日本 😀', 'x'.repeat(255)])('%s', (id) => {
    expect(saleBody.safeParse({ ...sale, customer_key: id, transaction_id: id }).success).toBe(true);
    expect(clickBody.safeParse({ ...click, program_id: id }).success).toBe(true);
  });

  test.each(['', 'x'.repeat(256), 'a\nb', 7, null])('not %j', (id) => {
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
