import { expect, it } from 'vitest';
import { decideLocalDemo } from './local-demo';

const local = { isLocalRun: true, appUrl: 'http://localhost:3000', host: 'localhost:3000' };

it('a local demo signs in by itself', () => {
  expect(decideLocalDemo(local)).toBe(true);
  expect(decideLocalDemo({ ...local, host: '127.0.0.1:3000' })).toBe(true);
});

it.each([
  ['was not started by a local command', { isLocalRun: false }],
  ['has an address of its own', { appUrl: 'https://partners.example.com' }],
  ['has no address', { appUrl: undefined }],
  ['is reached under another name', { host: 'partners.example.com' }],
  ['is reached under a name that only begins like a local one', { host: 'localhost.example.com' }],
  ['is reached without a name', { host: null }],
])('an app that %s never does', (_, change) => {
  expect(decideLocalDemo({ ...local, ...change })).toBe(false);
});
