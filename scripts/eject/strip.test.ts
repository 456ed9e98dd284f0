import { describe, expect, test } from 'vitest';
import { beginHistory, editText, replaceTexts, stripPart } from './strip.mjs';

describe('what is marked as a part', () => {
  test.each([
    ['code', 'a\n  // part: alpha\n  b\n  // end: alpha\nc'],
    ['a shell or environment file', 'a\n# part: alpha\nb\n# end: alpha\nc'],
    ['Markdown', 'a\n<!-- part: alpha -->\nb\n<!-- end: alpha -->\nc'],
    ['JSX', 'a\n{/* part: alpha */}\nb\n{/* end: alpha */}\nc'],
    ['a style sheet', 'a\n/* part: alpha */\nb\n/* end: alpha */\nc'],
    ['a single line', "a\nimport b from 'b'; // part: alpha\nc"],
  ])('is removed from %s, and from no other', (_, text) => {
    expect(stripPart(text, 'alpha')).toBe('a\nc');
    expect(stripPart(text, 'beta')).toBe(text);
  });

  test('may contain another part', () => {
    const text = 'a\n// part: beta\nb\n// part: gamma\nc\n// end: gamma\n// end: beta\nd';
    expect(stripPart(text, 'beta')).toBe('a\nd');
    expect(stripPart(text, 'gamma')).toBe('a\n// part: beta\nb\n// end: beta\nd');
  });

  test('may belong to several parts, and leaves with the first of them', () => {
    const text = 'a\n// part: alpha, beta\nb\n// end: alpha, beta\nc // part: alpha, beta\nd';
    expect(stripPart(text, 'alpha')).toBe('a\nd');
    expect(stripPart(text, 'beta')).toBe('a\nd');
    expect(stripPart(text, 'gamma')).toBe(text);
  });

  test('may be needed by several parts, and leaves with the last of them', () => {
    const text = 'a\n// part: alpha + beta\nb\n// end: alpha + beta\nc // part: alpha + beta\nd';
    expect(stripPart(text, 'gamma')).toBe(text);
    expect(stripPart(text, 'alpha')).toBe('a\n// part: beta\nb\n// end: beta\nc // part: beta\nd');
    expect(stripPart(stripPart(text, 'beta'), 'alpha')).toBe('a\nd');
  });

  test('has to end, and to begin', () => {
    expect(() => stripPart('// part: alpha\na', 'beta')).toThrow('"part: alpha" without an end');
    expect(() => stripPart('a\n// end: alpha', 'alpha')).toThrow('"end: alpha" without a beginning');
    expect(() => stripPart('// part: alpha\na\n// end: beta', 'alpha')).toThrow('"end: beta" without a beginning');
  });
});

describe('a passage that is replaced', () => {
  test('is replaced literally, once', () => {
    expect(editText('a b b', [['b', '$&']])).toEqual({ text: 'a $& b', missed: [] });
  });
  test('and is not there, because you changed it, is handed back; the others are replaced', () => {
    const missing: [string, string] = ['old', 'new'];
    expect(editText('a b', [missing, ['b', 'c']])).toEqual({ text: 'a c', missed: [missing] });
  });
});

test('texts are replaced wherever they stand, each in what the one before has left', () => {
  const texts = [
    ['Sample Plus', 'Sample'],
    ['Sample', '$&'],
  ] as const;
  expect(replaceTexts('Sample Plus, Sample, sample', texts)).toBe('$&, $&, sample');
});

test('a changelog that begins anew has its heading and an empty section', () => {
  const changelog =
    '# Changelog\n\nThe format.\n\n## Unreleased\n\n### Added\n\n- a\n\n## 0.1.0 (2026-11-21)\n\nThe first.\n';
  expect(beginHistory(changelog)).toBe('# Changelog\n\nThe format.\n\n## Unreleased\n');
});
