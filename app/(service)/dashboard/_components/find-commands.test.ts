import { expect, test } from 'vitest';
import { findCommands } from './find-commands';

const hrefs = (text: string) => findCommands(text).map(({ href }) => href);

test('offers every page before anything is typed, and no search', () => {
  expect(hrefs(' ')).toContain('/dashboard/settings');
  expect(hrefs('').some((href) => href.includes('q='))).toBe(false);
});

test('offers the pages whose names contain the text first, then searches for it', () => {
  expect(hrefs('REFUND')).toEqual([
    '/dashboard/events?kind=refund',
    '/dashboard/customers?q=REFUND',
    '/dashboard/customers/REFUND',
    '/dashboard/events?click=REFUND',
    '/dashboard/events?partner=REFUND',
  ]);
});

test('keeps what is typed inside its part of the address', () => {
  expect(hrefs('a&b/../c')).toContain('/dashboard/customers?q=a%26b%2F..%2Fc');
});
