import { describe, expect, test } from 'vitest';
import { isOperator } from './operator';

const userId = 'user_1';
const local = { appUrl: 'http://localhost:3000', host: 'localhost:3000', forwardedHost: null };
const online = { appUrl: 'https://larkdesk.example', host: 'larkdesk.example', forwardedHost: null };

describe('who may act as the operator', () => {
  test('users named in OPERATOR_USER_IDS, wherever the app runs', () => {
    for (const place of [local, online]) {
      expect(isOperator({ userId, operatorUserIds: 'user_2, user_1', ...place })).toBe(true);
      expect(isOperator({ userId: 'user_3', operatorUserIds: 'user_2, user_1', ...place })).toBe(false);
    }
  });

  test.each([
    local,
    { ...local, appUrl: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' },
    { ...local, appUrl: 'http://[::1]:3000', host: '[::1]:3000' },
    { ...local, host: 'localhost' },
    { ...local, forwardedHost: 'localhost:3000' },
  ])('every signed-in user, while none is named and the app is asked on your own machine: %o', (place) => {
    expect(isOperator({ userId, operatorUserIds: ' ', ...place })).toBe(true);
  });

  test.each([
    ['a public address', online],
    ['a host that only begins like yours', { ...local, appUrl: 'https://localhost.example' }],
    ['a path that is called localhost', { ...local, appUrl: 'https://example.com/localhost' }],
    ['a tunnel that keeps its host', { ...local, host: 'happy-cat.trycloudflare.com' }],
    ['a tunnel that rewrites the host', { ...local, forwardedHost: 'happy-cat.ngrok.app' }],
    ['one of several proxies that is public', { ...local, forwardedHost: 'localhost:3000, happy-cat.ngrok.app' }],
    ['no host', { ...local, host: null }],
    ['a host that is no host', { ...local, host: 'localhost:3000@evil.example' }],
    ['text that is no host', { ...local, host: 'local host' }],
  ])('no user through %s, while none is named', (_, place) => {
    expect(isOperator({ userId, operatorUserIds: '', ...place })).toBe(false);
  });
});
