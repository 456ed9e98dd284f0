import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const APP = [
  ...['app', 'components', 'lib', 'prisma', 'next.config.mjs', 'security-headers.mjs', 'provider-addresses.mjs'],
  ...['proxy.ts', 'instrumentation.ts', 'instrumentation.node.ts'],
];

const filesIn = (place: string): string[] =>
  statSync(place).isFile()
    ? [place]
    : readdirSync(place, { recursive: true, encoding: 'utf8' }).map((name) => path.join(place, name));

test('the app has no line about emulators: a provider is an address in a variable', () => {
  const files = APP.filter((place) => existsSync(place))
    .flatMap(filesIn)
    .filter((file) => !/(^|\/)(node_modules|generated|dist)\/|\.md$/.test(file) && statSync(file).isFile());
  expect(files.length).toBeGreaterThan(100);
  const named = files.filter((file) => /\b(emulators?|emulated|sandbox)\b/i.test(readFileSync(file, 'utf8')));
  expect(named).toEqual([]);
});
