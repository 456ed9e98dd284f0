import { expect, it } from 'vitest';
import { isFromOwnPage } from './same-origin';

const HOST = 'app.example.com';

it.each<[string, Record<string, string>]>([
  ['the host itself', { host: HOST }],
  ['the host that a proxy was asked for', { host: 'internal:3000', 'x-forwarded-host': HOST }],
  ['the first of several proxies', { host: 'internal:3000', 'x-forwarded-host': `${HOST}, edge.internal` }],
])('a form from its own page is taken, by %s', (_, headers) => {
  expect(isFromOwnPage(new Headers({ ...headers, origin: `https://${HOST}` }))).toBe(true);
  expect(isFromOwnPage(new Headers({ ...headers, origin: 'https://evil.example' }))).toBe(false);
  expect(isFromOwnPage(new Headers(headers))).toBe(false);
});
