import { expect, test } from 'vitest';
import { sessionCookie } from './session-cookie';

test('on https a session is bound to its host: no other site of the domain can set it', () => {
  expect(sessionCookie('https://app.example.com')).toEqual({
    name: '__Host-svc_dashboard',
    path: '/',
    secure: true,
    httpOnly: true,
    sameSite: 'lax',
  });
});

test.each(['http://localhost:3000', undefined])('on %s, where browsers refuse that name, it is not', (appUrl) => {
  expect(sessionCookie(appUrl)).toMatchObject({
    name: 'svc_dashboard',
    path: '/dashboard',
    secure: false,
    httpOnly: true,
  });
});
