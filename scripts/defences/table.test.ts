import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { DEFENCES } from './table.mjs';

test.each(DEFENCES)(
  'against $attack there is a defence, and a test that guards it',
  ({ file, search, replace, test }) => {
    const [testFile, title] = test;
    expect(readFileSync(file, 'utf8').split(search), `"${search}" occurs once in ${file}`).toHaveLength(2);
    expect(replace).not.toBe(search);
    expect(readFileSync(testFile, 'utf8'), `${testFile} has the test`).toContain(title);
  },
);
