import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { formatApiDescription } from './write-openapi';

test('openapi.yaml describes the schemas that check the requests; if not, run `npx tsx --conditions=react-server scripts/write-openapi.ts`', () => {
  expect(readFileSync('openapi.yaml', 'utf8')).toBe(formatApiDescription());
});

test('every pattern works in every language, and none stands beside a format', () => {
  const schemas: Array<{ pattern: string; format?: string }> = [];
  JSON.parse(JSON.stringify(parse(formatApiDescription())), (_, value) => {
    if (typeof value?.pattern === 'string') schemas.push(value);
    return value;
  });
  expect(schemas).not.toEqual([]);
  for (const { pattern, format } of schemas) {
    expect(format).toBeUndefined();
    expect(pattern).not.toMatch(/\\p|\(\?[^:]/i); // Unicode classes, look-arounds and named groups
  }
  const ids = schemas.filter(({ pattern }) => pattern.includes('x7F'));
  expect(ids).toHaveLength(9);
  for (const { pattern } of ids) {
    for (const id of ['user_1', 'Jürgen 😀', '']) expect(id).toMatch(new RegExp(pattern));
    for (const id of ['a\nb', '\u0000', 'a\u0085', '\u007f']) expect(id).not.toMatch(new RegExp(pattern));
  }
});
