import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatApiDescription } from './format-api-description.ts';

test('openapi.yaml describes the schemas that check the requests; if not, run `npx tsx --conditions=react-server scripts/write-openapi.ts`', () => {
  expect(readFileSync('openapi.yaml', 'utf8')).toBe(formatApiDescription());
});
