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
])('"%s" is fine', (text) => {
  expect(findPhrases(text)).toEqual([]);
});
