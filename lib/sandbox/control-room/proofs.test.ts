import { expect, test } from 'vitest';
import { cutTest, isProofName, PROOFS, readProof } from './proofs';

test.each(Object.keys(PROOFS))('%s names a test that there is', async (name) => {
  const proof = isProofName(name) ? await readProof(name) : null;
  expect(proof?.source).toContain(proof?.title);
  expect(proof?.source?.endsWith('});')).toBe(true);
});

test('one test is cut out of a file, and nothing of its neighbours', () => {
  const text =
    "describe('a', () => {\n  test('one', () => {\n    expect(1);\n  });\n  test('two', () => {\n  });\n});\n";
  expect(cutTest(text, 'one')).toBe("test('one', () => {\n  expect(1);\n});");
  expect(cutTest(text, 'three')).toBeNull();
});

test('what is no name of a proof leads to no file', () => {
  for (const name of ['', 'toString', '../../package.json']) expect(isProofName(name)).toBe(false);
});
