import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SuiteApp, secretsOf, startSuiteApp } from './suite-app';

// Where a secret could end up by mistake: what the build hands to browsers, its source maps, and what each page answers, as
// HTML and as the payload that the router asks for.

let app: SuiteApp;
beforeAll(async () => {
  app = await startSuiteApp();
});
afterAll(() => app?.end());

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

const findSecrets = (text: string) =>
  secretsOf(process.env)
    .filter(([, value]) => text.includes(value))
    .map(([name]) => name);

test('a text with a secret in it is found', () => {
  for (const [name, value] of secretsOf(process.env)) expect(findSecrets(`{"key":"${value}"}`)).toEqual([name]);
});

test('nothing that the build hands to browsers holds a secret, and no source map of the server does', () => {
  const files = [...filesIn('.next/static'), ...filesIn('.next/server')];
  expect(files.some((file) => file.endsWith('.js'))).toBe(true);
  expect(files.filter((file) => findSecrets(readFileSync(file, 'latin1')).length > 0)).toEqual([]);
});

test('browsers get no source map', () => {
  expect(filesIn('.next/static').filter((file) => file.endsWith('.map'))).toEqual([]);
});

test('no page, as HTML or as a payload, holds a secret, nor does any route without a session', async () => {
  const manifest = JSON.parse(readFileSync('.next/app-path-routes-manifest.json', 'utf8')) as Record<string, string>;
  const routes = Object.values(manifest).map((route) => route.replace(/\[\[?\.{0,3}\w+\]?\]/g, 'x'));
  expect(routes.length).toBeGreaterThan(25);
  for (const route of new Set(routes)) {
    for (const headers of [{}, { rsc: '1' }, { rsc: '1', 'next-router-prefetch': '1' }] as Record<string, string>[]) {
      const response = await fetch(app.url + route, { headers, redirect: 'manual' });
      const text = `${JSON.stringify([...response.headers])}${await response.text()}`;
      expect(findSecrets(text), `${route} ${JSON.stringify(headers)}`).toEqual([]);
      expect(text, route).not.toMatch(/at \w+ \(.*\.next\/server/); // a stack
    }
  }
});
