import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { resolveScript, serveScript } from './scripts';

const split = (path: string) => path.split('/');

describe('scripts', () => {
  test('come from the package of that name, whatever version was asked for', () => {
    expect(resolveScript(split('npm/@clerk/clerk-js@6/dist/clerk.browser.js'))).toEqual({
      packageName: '@clerk/clerk-js',
      file: 'clerk.browser.js',
    });
    expect(resolveScript(split('npm/@clerk/ui@1.34.0/dist/ui.browser.js'))?.packageName).toBe('@clerk/ui');
  });

  test.each([
    'npm/@clerk/backend@3/dist/index.js',
    'npm/@clerk/ui@1/dist/../package.js',
    'npm/@clerk/ui@1/dist/..%2f..%2fpackage.js',
    'npm/@clerk/ui@1/dist/.hidden.js',
    'npm/@clerk/ui@1/dist/index.d.ts',
    'npm/@clerk/ui@1/dist/a/b.js',
    'npm/@clerk/ui@1/package.json',
    'npm/@evil/ui@1/dist/ui.browser.js',
    'npm/@clerk/constructor@1/dist/ui.browser.js',
  ])('come from nowhere else: %s', async (path) => {
    expect(resolveScript(split(path))).toBeNull();
    expect((await serveScript(split(path))).status).toBe(404);
  });

  test('are cached for good where the name changes with the content, and for an hour where it does not', async () => {
    const alias = await serveScript(split('npm/@clerk/clerk-js@6/dist/clerk.browser.js'));
    expect(alias.headers.get('cache-control')).toBe('public, max-age=3600');
    const file = readdirSync('node_modules/@clerk/clerk-js/dist').find((name) => name.includes('_clerk.browser_'));
    const chunk = await serveScript(split(`npm/@clerk/clerk-js@6/dist/${file}`));
    expect([chunk.status, chunk.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  });
});
