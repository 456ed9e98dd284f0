import { describe, expect, test } from 'vitest';
import { isOperator } from './operator';

const userId = 'user_1';

describe('who may act as the operator', () => {
  test('users named in OPERATOR_USER_IDS, wherever the app runs', () => {
    const asked = { operatorUserIds: 'user_2, user_1', appUrl: 'https://larkdesk.example' };
    expect(isOperator({ userId, ...asked })).toBe(true);
    expect(isOperator({ userId: 'user_3', ...asked })).toBe(false);
  });

  test('anybody signed in, while nobody is named and the app runs on your own machine', () => {
    expect(isOperator({ userId, operatorUserIds: '', appUrl: 'http://localhost:3000' })).toBe(true);
    expect(isOperator({ userId, operatorUserIds: 'user_2', appUrl: 'http://localhost:3000' })).toBe(false);
  });

  test.each(['https://larkdesk.example', 'https://localhost.example', 'https://example.com/localhost'])(
    'nobody at %s while nobody is named',
    (appUrl) => {
      expect(isOperator({ userId, operatorUserIds: ' ', appUrl })).toBe(false);
    },
  );
});
