import { describe, expect, test } from 'vitest';
import { attemptCode, codeSent, TEST_CODE } from './verification';

const codeOf = (outcome: ReturnType<typeof attemptCode>) => outcome.error?.code ?? null;

describe('attemptCode', () => {
  test('takes the code within ten minutes, and no later', () => {
    const accepted = attemptCode(TEST_CODE, codeSent(0), 600_000);
    expect(accepted).toMatchObject({ verification: { status: 'verified' }, error: null });
    expect(codeOf(attemptCode(TEST_CODE, codeSent(0), 600_001))).toBe('verification_expired');
  });

  test('takes no code before one was sent', () => {
    expect(codeOf(attemptCode(TEST_CODE, null, 0))).toBe('verification_missing');
  });
});
