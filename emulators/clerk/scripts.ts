// The unmodified browser bundles of Clerk, at the paths of its CDN.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Hono } from 'hono';

const PACKAGE = /^(clerk-js|ui)@[\w.-]+$/;
const FILE = /^[\w-]+(\.[\w-]+)*\.js$/;
const CHUNK = /_[0-9a-f]{6}_\d+\.\d+\.\d+\.js$/; // its name changes with its content
const CACHE = { chunk: 'public, max-age=31536000, immutable', alias: 'public, max-age=3600' };

export function scriptRoutes(): Hono {
  return new Hono().get('/npm/@clerk/:package/dist/:file', async (context) => {
    const { package: versioned, file } = context.req.param();
    const content = await readScript(versioned, file);
    if (!content) return context.notFound();
    return context.body(content, 200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': CHUNK.test(file) ? CACHE.chunk : CACHE.alias,
      'access-control-allow-origin': '*',
    });
  });
}

/** Where fetch-bundles.mjs put a package: the same path from the sources and from dist/. */
export const scriptsDirectory = (packageName: 'clerk-js' | 'ui'): string =>
  path.join(import.meta.dirname, '..', 'vendor', '@clerk', packageName, 'dist');

/** A file of the package, whatever version was requested; null if there is none. */
async function readScript(versioned: string, file: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const name = PACKAGE.exec(versioned)?.[1];
  if ((name !== 'clerk-js' && name !== 'ui') || !FILE.test(file)) return null;
  const content = await readFile(path.join(scriptsDirectory(name), file)).catch(() => null);
  return content && new Uint8Array(content);
}
