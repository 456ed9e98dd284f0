import { expect, it } from 'vitest';
import { decideLocalDemo } from './local-demo';

const local = { appUrl: 'http://localhost:3000', hosts: ['localhost:3000', null] };

it('a local demo signs in by itself', () => {
  expect(decideLocalDemo(local)).toBe(true);
  expect(decideLocalDemo({ ...local, hosts: ['127.0.0.1:3000', '[::1]:3000'] })).toBe(true);
});

it.each([
  ['has an address of its own', { appUrl: 'https://partners.example.com' }],
  ['has no address', { appUrl: undefined }],
  ['is reached under another name', { hosts: ['partners.example.com', null] }],
  ['is reached under a name that only begins like a local one', { hosts: ['localhost.example.com', null] }],
  ['is reached through a tunnel that rewrites the host', { hosts: ['localhost:3000', 'partners.example.com'] }],
  ['is reached without a name', { hosts: [null, null] }],
])('an app that %s never does', (_, change) => {
  expect(decideLocalDemo({ ...local, ...change })).toBe(false);
});
