import { expect, it } from 'vitest';
import { readNextPath, writeSignInPath } from './sign-in-path';

const nextOf = (path: string) => new URL(path, 'https://shop.example').searchParams.get('next');

it('leads back to the page that was asked for, with its query', () => {
  const path = writeSignInPath('/dashboard/events', { kind: 'refund', partner: 'a&b', mode: undefined, x: ['1', '2'] });
  expect(path).toMatch(/^\/dashboard\/sign-in\?next=/);
  expect(readNextPath(nextOf(path))).toBe('/dashboard/events?kind=refund&partner=a%26b&x=1&x=2');
  expect(writeSignInPath('/dashboard', {})).toBe('/dashboard/sign-in?next=%2Fdashboard');
});

it.each([
  null,
  ['/dashboard/events'],
  '',
  '/',
  '/pricing',
  '/dashboards',
  '//evil.example',
  '//evil.example/dashboard',
  '/\\evil.example/dashboard',
  '\\\\evil.example/dashboard',
  '/\t/evil.example/dashboard',
  'https://evil.example/dashboard',
  'https://evil.example/dashboard/events',
  'https://dashboard.invalid@evil.example/dashboard',
  'javascript:alert(1)',
  'https://',
  '/dashboard/../sign-out',
  '/dashboard/%2e%2e/sign-out',
  '/dashboard/..\\..//evil.example',
  '/dashboard//evil.example',
])('leads to the first page rather than to %j', (next) => {
  expect(readNextPath(next)).toBe('/dashboard');
});

it('keeps what another page of the dashboard is asked for', () => {
  for (const path of ['/dashboard?range=7', '/dashboard/events?customer=https%3A%2F%2Fa.example%2F%5Cb']) {
    expect(readNextPath(path)).toBe(path);
  }
});
