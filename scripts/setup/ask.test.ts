import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { ask } from './ask';

async function answer(typed: string, isSecret: boolean) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answered = ask('Key: ', { isSecret }, { input, output });
  input.write(typed);
  return { answer: await answered, shown: String(output.read()) };
}

test('a secret is read, without the spaces of a paste, and never shown', async () => {
  const { answer: secret, shown } = await answer('  sk_test_1 \n', true);
  expect(secret).toBe('sk_test_1');
  expect(shown).toContain('Key: ');
  expect(shown).not.toContain('sk_test_1');
});

test('what is no secret is shown', async () => {
  const { answer: key, shown } = await answer('pk_test_1\n', false);
  expect(key).toBe('pk_test_1');
  expect(shown).toContain('pk_test_1');
});

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('%s cancels', async (_, typed) => {
  await expect(answer(typed, true)).rejects.toThrow('Canceled. Nothing was written.');
});
