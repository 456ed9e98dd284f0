import { describe, expect, test } from 'vitest';
import { readPartnerCode } from './click';

describe('the partner code is the aff parameter of the page URL', () => {
  test.each([
    ['https://shop.example/?aff=ada', 'ada'],
    ['http://localhost:3000/pricing?utm=x&aff=ada#plans', 'ada'],
    ['https://shop.example/?aff=%20ada%20', 'ada'],
    ['https://shop.example/?aff=ada&aff=grace', 'ada'],
    ['https://shop.example/?aff=%E6%97%A5%E6%9C%AC', '日本'],
    [`https://shop.example/?aff=${'x'.repeat(255)}`, 'x'.repeat(255)],
  ])('%s', (url, code) => {
    expect(readPartnerCode(url)).toEqual({ ok: true, code });
  });

  test.each([
    ['https://shop.example/', 'missing_aff'],
    ['https://shop.example/?aff=', 'missing_aff'],
    ['shop.example/?aff=ada', 'invalid_url'],
    ['data:text/html,?aff=ada', 'invalid_url'],
    ['https://shop.example/?aff=a%00b', 'unknown_partner'], // PostgreSQL would refuse the lookup
    [`https://shop.example/?aff=${'x'.repeat(256)}`, 'unknown_partner'],
    [`https://shop.example/?aff=${'+'.repeat(253)}ada`, 'unknown_partner'],
  ])('%s has none: %s', (url, code) => {
    expect(readPartnerCode(url)).toEqual({ ok: false, code });
  });
});
