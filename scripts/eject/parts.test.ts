import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PARTS } from './parts.mjs';
import { editText, stripPart } from './strip.mjs';

const edits = Object.entries(PARTS).flatMap(([part, { edits }]) =>
  Object.entries(edits).flatMap(([file, passages]) => (existsSync(file) ? [{ part, file, passages }] : [])),
);

test.each(edits)('every passage that removing $part replaces in $file is there', ({ part, file, passages }) => {
  const { text, missed } = editText(readFileSync(file, 'utf8'), passages);
  expect(missed).toEqual([]);
  expect(() => stripPart(text, part)).not.toThrow();
});
