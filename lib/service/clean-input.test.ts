import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanUrl, hasRepeatedName, isOpaqueId, isStorableText, readEmail, shorten } from './clean-input';

describe('an email address', () => {
  test.each([
    'ada@example.com',
    'müller@example.de',
    'a&b@example.com',
    'ada@bücher.example',
    '用户@例え.jp',
    'a@localhost',
  ])('%s is one', (email) => {
    expect(readEmail(email)).toBe(email);
  });

  test('loses the spaces around it, and has at most 320 characters', () => {
    expect(readEmail(' ada@example.com\n')).toBe('ada@example.com');
    const longest = `${'a'.repeat(308)}@example.com`;
    expect(longest).toHaveLength(320);
    expect(readEmail(longest)).toBe(longest);
    expect(readEmail(`a${longest}`)).toBeNull();
  });

  test.each([
    'no address',
    '@example.com',
    'ada@',
    'a@b@c',
    'ada @example.com',
    `${'a'.repeat(320)}@example.com`,
    1,
    null,
    {},
  ])('%j is none', (value) => {
    expect(readEmail(value)).toBeNull();
  });
});

describe('an ID of another system is opaque', () => {
  test.each(['123', 'cust_42_1714000000000', 'ü 日本 😀', '<b>\'";', 'x'.repeat(255), '😀'.repeat(255)])(
    '%s is one',
    (id) => {
      expect(isOpaqueId(id)).toBe(true);
    },
  );

  test.each(['', 'x'.repeat(256), 'a\nb', 'a\u0007', 7, null])('%j is none', (id) => {
    expect(isOpaqueId(id)).toBe(false);
  });
});

describe('a stored URL', () => {
  test.each([
    [
      'keeps what says nothing about a person',
      'https://shop.example/a?aff=ada&utm=x',
      'https://shop.example/a?aff=ada&utm=x',
    ],
    ['has no email address', 'https://shop.example/?aff=ada&email=ada%40example.com', 'https://shop.example/?aff=ada'],
    [
      'has none that is encoded twice',
      'https://shop.example/?e=ada%2540example.com&aff=ada',
      'https://shop.example/?aff=ada',
    ],
    [
      'has none in its path',
      'https://shop.example/u/ada@example.com/?aff=ada',
      'https://shop.example/redacted?aff=ada',
    ],
    [
      'keeps a name with an @, which is no address',
      'https://blog.example/@ada?aff=ada',
      'https://blog.example/@ada?aff=ada',
    ],
    [
      'has no address that begins in the middle of a word',
      'https://shop.example/u/a-da@example.com',
      'https://shop.example/redacted',
    ],
    ['has no address after another @', 'https://shop.example/@x/@ada%40example.com@/', 'https://shop.example/redacted'],
    ['keeps a version after an @', 'https://cdn.example/next@16', 'https://cdn.example/next@16'],
    ['has no credentials and no fragment', 'https://u:p@shop.example/?aff=ada#token', 'https://shop.example/?aff=ada'],
    ['may be without encryption', 'http://shop.example/?aff=ada', 'http://shop.example/?aff=ada'],
    ['may be without a query', 'https://shop.example/a?', 'https://shop.example/a'],
  ])('%s', (_, url, stored) => {
    expect(cleanUrl(url)).toBe(stored);
    expect(cleanUrl(url, { keepsAff: true })).toBe(stored);
  });

  test.each([
    ['its first only, in front', '?a=1&aff=ada&aff=grace', '?aff=ada&a=1', '?a=1&aff=ada&aff=grace'],
    ['with an @', '?aff=%40ada&a=1', '?aff=%40ada&a=1', '?a=1'],
    ['of any length', `?a=1&aff=${'x'.repeat(2_100)}`, `?aff=${'x'.repeat(2_100)}`, '?a=1'],
  ])(
    'keeps the aff, %s, where it is the partner’s link, and treats it as any parameter elsewhere',
    (_, query, link, page) => {
      const url = `https://shop.example/${query}`;
      expect(cleanUrl(url, { keepsAff: true })).toBe(`https://shop.example/${link}`);
      expect(cleanUrl(url)).toBe(`https://shop.example/${page}`);
    },
  );

  test('keeps a query of 511 characters beside the aff, and drops the first parameter beyond them', () => {
    const url = (length: number) => `https://shop.example/?aff=ada&q=${'x'.repeat(length)}&z=1`;
    const fits = 511 - 'aff=ada'.length - 'q='.length;
    expect(cleanUrl(url(fits))).toBe(`https://shop.example/?aff=ada&q=${'x'.repeat(fits)}`);
    expect(cleanUrl(url(fits + 1))).toBe('https://shop.example/?aff=ada&z=1');
  });

  test('a query of thousands of parts is not read to its end, except for the partner', () => {
    const parts = (count: number) => `https://shop.example/?${'q=%40&'.repeat(count)}z=1&aff=ada`;
    expect(cleanUrl(parts(255))).toBe('https://shop.example/?z=1');
    expect(cleanUrl(parts(10_000))).toBe('https://shop.example/');
    expect(cleanUrl(parts(10_000), { keepsAff: true })).toBe('https://shop.example/?aff=ada');
  });

  test.each(['javascript:alert(1)', 'ftp://shop.example/', 'no url', '', 3, new URL('https://shop.example')])(
    '%j is none',
    (value) => {
      expect(cleanUrl(value)).toBeNull();
    },
  );

  test.each([
    ['a path without an address', (length: number) => `https://shop.example/${'x'.repeat(length)}`],
    ['a path of encoded @', (length: number) => `https://shop.example/${'x%40'.repeat(length / 4)}`],
    ['many parameters', (length: number) => `https://shop.example/?${'a&'.repeat(length / 2)}`],
  ])('%s takes time with its length, not with the square of it, so that no caller keeps the service busy', (_, url) => {
    expect(cleanUrl(url(200_000))?.length).toBeLessThanOrEqual(2_048); // the square would exceed the limit of a test
  });

  test('is bounded, keeps its aff, and holds no address, whatever was sent', () => {
    const pairs = fc.array(fc.tuple(fc.string(), fc.oneof(fc.string(), fc.emailAddress())), { maxLength: 6 });
    // `fc.webPath()` spends seconds on a table of every character.
    const paths = fc
      .array(fc.string({ unit: 'grapheme' }))
      .map((segments) => segments.map((one) => `/${encodeURIComponent(one)}`).join(''));
    fc.assert(
      fc.property(paths, pairs, fc.emailAddress(), (path, pairs, email) => {
        const query = new URLSearchParams([...pairs, ['email', email], ['long', 'x'.repeat(5_000)]]);
        const codes = new URLSearchParams([
          ['aff', email],
          ['aff', 'x'.repeat(5_000)],
        ]);
        const page = cleanUrl(`https://shop.example${path}?${query}&${codes}`) ?? '';
        const link = cleanUrl(`https://shop.example${path}?${query}&aff=ada`, { keepsAff: true }) ?? '';
        for (const stored of [page, link]) {
          expect(stored.length).toBeLessThanOrEqual(2_048);
          expect(decodeURIComponent(stored)).not.toContain(email);
        }
        expect(new URL(link).searchParams.has('aff')).toBe(true);
      }),
    );
  }, 30_000);
});

test('a text is never cut through a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, limit) => {
      expect(() => encodeURIComponent(shorten(text, limit))).not.toThrow();
      expect(shorten(text, limit).length).toBeLessThanOrEqual(limit);
    }),
  );
});

test.each([
  ['', true],
  ['ü 日本 🙂\n', true],
  ['a\0', false],
  ['\ud83d', false],
  ['a\ude42\0', false],
])('PostgreSQL stores %j as it is: %s', (text, isStorable) => {
  expect(isStorableText(text)).toBe(isStorable);
});

test.each([
  ['', false],
  ['kind=sale&customer=a&limit=1', false],
  ['kind=sale&kind=refund', true],
  ['kind=sale&limit=1&kind=sale', true],
])('whether a name is repeated in the query %j: %j', (query, isRepeated) => {
  expect(hasRepeatedName(new URLSearchParams(query))).toBe(isRepeated);
});
