import { expect, test } from 'vitest';
import { findPhrases } from './lint-words.mjs';

test('a phrase that a native engineer would not write is found with its line and the replacement', () => {
  expect(findPhrases('plain\nvisitors whom no partner referred')).toEqual([
    { line: 2, found: 'whom', instead: expect.stringContaining('not referred') },
  ]);
});

test.each([
  'an e-mail address',
  'Nobody signed up',
  'metadata are missing',
  "the customer's stand-in",
  'authorised, in color',
  'internationalised domains',
  'a day that goes on',
  'the calls go on to the provider',
  'the service answers 429',
  'answered with 2xx',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is source code
  'answered ${status}',
  'no preflight is answered',
  'the bank settles a debit',
])('"%s" is found', (text) => {
  expect(findPhrases(text)).toHaveLength(1);
});

test.each([
  'an email address',
  'No one signed up',
  'the cancellation of an organization',
  'metadata is missing',
  "customer: 'nobody'",
  '?customer=nobody&kind=',
  'an international domain',
  'the funnel continues',
  'the service responds with 429',
  'a checkout payment settles the lead',
  'an answer to a question',
])('"%s" is fine', (text) => {
  expect(findPhrases(text)).toEqual([]);
});

test('an import names a file without its ending, but in the tracker', () => {
  const find = (file: string) =>
    findPhrases(
      "import { a } from './a.ts';\nconst b = await import('@/lib/b.tsx');\nimport './c.ts';\nvi.mock('./d.ts')",
      file,
    );
  expect(find('lib/shop/c.ts').map(({ line }) => line)).toEqual([1, 2, 3, 4]);
  expect(find('lib/tracker/src/c.ts')).toEqual([]);
  expect(findPhrases("import { a } from './a';\nimport b from './b.json';", 'lib/shop/c.ts')).toEqual([]);
});
